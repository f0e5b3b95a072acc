/** Which model a chat is with, by what was said on the command line and in the environment. */
import { UsageError } from "../exit.js";

/** A provider of models, or a script that stands for one. */
export type Choice =
  | { provider: "scripted" }
  | {
      provider: ProviderName;
      model: string;
      /** What paths of its interface are below, without a slash at its end. */
      url: string;
      /** Servers of one's own may need none. */
      key: string | undefined;
      /** The variable that holds the key. */
      keyName: string;
    };

export type ProviderName = "anthropic" | "openai";

/** What was said on the command line. */
export interface Said {
  scripted: boolean;
  provider: string | undefined;
  url: string | undefined;
  model: string | undefined;
}

interface Provider {
  keyName: string;
  urlName: string;
  url: string;
  /** Its model where no other is named: only at its own URL are its models known. */
  model: string;
}

const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    keyName: "ANTHROPIC_API_KEY",
    urlName: "ANTHROPIC_BASE_URL",
    url: "https://api.anthropic.com",
    model: "claude-sonnet-5-5",
  },
  openai: {
    keyName: "OPENAI_API_KEY",
    urlName: "OPENAI_BASE_URL",
    url: "https://api.openai.com/v1",
    model: "gpt-5.4-mini",
  },
};

/** The values of `--provider`. */
export const PROVIDER_NAMES: readonly ProviderName[] = ["anthropic", "openai"];

/** Chooses. Throws a {@link UsageError} for what does not go together. */
export function choiceOf(said: Said, environment: NodeJS.ProcessEnv): Choice {
  if (said.scripted) {
    for (const name of ["provider", "url", "model"] as const) {
      if (said[name] !== undefined) throw new UsageError(`--${name} does not go with --scripted.`);
    }
    return { provider: "scripted" };
  }
  const provider = providerOf(said, environment);
  if (provider === undefined) {
    if (said.model === undefined) return { provider: "scripted" };
    const keys = PROVIDER_NAMES.map((name) => PROVIDERS[name].keyName).join(" or ");
    throw new UsageError(`--model needs a provider: set ${keys}, or name a server by --url.`);
  }
  const { keyName, urlName, ...usual } = PROVIDERS[provider];
  const given = said.url ?? (environment[urlName] || undefined);
  const key = keyIn(environment, keyName);
  if (key === undefined && given === undefined) {
    throw new UsageError(`Set ${keyName} to your key, or name a server by --url.`);
  }
  const model = said.model ?? (given === undefined || provider === "anthropic" ? usual.model : "");
  if (model === "") throw new UsageError("Which model? Name one of that server's by --model.");
  const url = given === undefined ? usual.url : checkedUrl(given, said.url ? "--url" : urlName);
  return { provider, model, url, key, keyName };
}

/** The one that was named, or that whose key or server is there. */
function providerOf({ provider, url }: Said, environment: NodeJS.ProcessEnv) {
  const named = PROVIDER_NAMES.find((name) => name === provider);
  if (named !== undefined) return named;
  // What others serve is most often compatible with this one.
  if (url !== undefined) return "openai";
  const { anthropic, openai } = PROVIDERS;
  if (environment[anthropic.keyName]) return "anthropic";
  return environment[openai.keyName] || environment[openai.urlName] ? "openai" : undefined;
}

function keyIn(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const key = environment[name]?.trim();
  if (!key) return undefined;
  // As a header it would be refused, in words that repeat it.
  if (/[^!-~]/.test(key)) throw new UsageError(`${name} has characters that no key has.`);
  return key;
}

function checkedUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${from} is no URL like http://127.0.0.1:8080/v1.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(`${from} has a name or password in it; a key goes into a variable.`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new UsageError(`${from} has more than a path: leave out what begins with ? or #.`);
  }
  return url.href.replace(/\/+$/, "");
}

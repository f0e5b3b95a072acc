// `httpHost` against real servers: what comes of a digest, a redirect, a condition, and of what a page
// may not read.

import { noise } from "./tar.mjs";

/** Throws where something else comes of it than is expected. */
export async function checkHttp(httpHost, { open, closed }) {
  const isPage = typeof document === "object";
  const quick = { timeout: 5_000, retries: 0 };
  const host = httpHost(open, quick);
  const names = await namesOf(host);
  same(names, "plain packed moved far other");
  same(await textOf(host, "plain/SKILL.md"), skillOf("plain"));
  same(await textOf(host, "packed/SKILL.md"), skillOf("packed"));
  same(String(await host.read("packed/large")), String(noise(200_000)));
  same(await failure(host, "other"), "DIGEST_MISMATCH");

  // Where redirects are hidden, they are followed by who wants it.
  const hidden = "HOST_FAILED redirects, and this runtime does not tell where to";
  same(await outcome(host, "moved"), isPage ? hidden : skillOf("moved"));
  same(await outcome(httpHost(open, { ...quick, redirects: 3 }), "moved"), skillOf("moved"));
  const elsewhere = "HOST_FAILED leads to a URL that is not asked";
  same(await outcome(host, "far"), isPage ? hidden : elsewhere);

  // The index is asked for on condition, and is the same.
  same(await namesOf(host), names);
  same(String(host.diagnostics.map(({ code }) => code)), "");

  const unread = await outcome(httpHost(closed, quick), "plain");
  same(unread, isPage ? "HOST_FAILED could not be fetched" : skillOf("plain"));
}

const skillOf = (name) =>
  `---\nname: ${name}\ndescription: What ${name} does.\n---\nBody of ${name}.`;

function same(found, expected) {
  if (found !== expected) throw new Error(`expected: ${expected}\nfound: ${found}`);
}

async function namesOf(host) {
  return (await host.list("")).map(({ name }) => name).join(" ");
}

async function textOf(host, path) {
  return new TextDecoder().decode(await host.read(path));
}

const WORDS = [
  "redirects, and this runtime does not tell where to",
  "leads to a URL that is not asked",
  "could not be fetched",
];

/** A skill's file, or how it could not be had. */
async function outcome(host, name) {
  try {
    return await textOf(host, `${name}/SKILL.md`);
  } catch ({ code, message }) {
    return `${code} ${WORDS.find((words) => message.includes(words)) ?? message}`;
  }
}

async function failure(host, name) {
  return (await outcome(host, name)).split(" ", 1)[0];
}

// `skillshelf chat` in a real terminal: what Tab, Ctrl-C and Ctrl-D do there.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { folder } from "./support/folder.ts";
import {
  anthropicEvents,
  checkAnthropic,
  events,
  held,
  type ModelServer,
  modelServer,
  status,
} from "./support/model-server.ts";
import { HAS_TERMINAL, type Terminal, terminal } from "./support/terminal.ts";
import { skillFile, validSkill } from "./support/text.ts";

const project = (): string =>
  folder({
    "skills/code-review/SKILL.md": skillFile(
      "name: code-review\ndescription: Reviews code. Use it.",
      "# Review",
    ),
    "skills/zebra/SKILL.md": validSkill("zebra"),
  });

const TAB = "\t";
const PROMPT = />(\u001b\[22m)? /;
const ENTER = "\r";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

/** A chat whose prompt is there. */
async function begun(
  args: string = "--scripted",
  variables: NodeJS.ProcessEnv = {},
): Promise<Terminal> {
  const chat = terminal(`chat ${args}`, { cwd: project(), variables });
  await chat.shows("/help says what can be said.");
  await chat.shows(PROMPT);
  return chat;
}

/** Types what the terminal shows again; keys that follow come on their own, as those of a person do. */
async function typed(chat: Terminal, text: string): Promise<void> {
  chat.type(text);
  await chat.shows(text);
}

/** A chat with a server. */
function talking(server: ModelServer): Promise<Terminal> {
  const ANTHROPIC_BASE_URL = server.url;
  return begun("", { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL });
}

const reason = "there is no `script` of util-linux";
describe("a chat in a terminal", { skip: HAS_TERMINAL ? false : reason }, () => {
  test("Tab shows skills and commands in colors of their own", async () => {
    await using chat = await begun();
    await typed(chat, "/co");
    chat.type(TAB);
    await chat.shows("\u001b[36m/code-review\u001b[39m");
    await chat.shows("\u001b[35m/compact    \u001b[39m");
    await chat.shows(PROMPT);
    await chat.shows("/co");
    await typed(chat, "d");
    chat.type(TAB);
    await chat.shows("e-review ");
    chat.type(`it${ENTER}`);
    await chat.shows("\u001b[36mcode-review\u001b[39m: ");
    await chat.shows('I have "Review" from you');
    await chat.shows(PROMPT);
    await typed(chat, "/ex");
    chat.type(TAB);
    await chat.shows("it ");
    chat.type(ENTER);
    assert.equal(await chat.ended(), 0);
  });
  test("NO_COLOR and a dumb terminal have no colors", async () => {
    for (const variables of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      await using chat = await begun("--scripted", variables);
      chat.type(`/skills${ENTER}`);
      await chat.shows("code-review  Reviews code.");
      chat.type(`review my code${ENTER}`);
      await chat.shows('I have "Review"');
      assert.doesNotMatch(chat.text, /\u001b\[\d+m/);
    }
  });
  test("Ctrl-C ends a turn while the model speaks, and the chat goes on", async () => {
    await using server = await modelServer(
      held(anthropicEvents({ texts: ["I speak"] }).slice(0, -3)),
      events(anthropicEvents({ texts: ["Heard."] })),
    );
    await using chat = await talking(server);
    chat.type(`tell${ENTER}`);
    await chat.shows("I speak");
    chat.type(CTRL_C);
    await chat.shows("Ended.");
    await server.requests[0]?.gone;
    await chat.shows(PROMPT);
    chat.type(`go on${ENTER}`);
    await chat.shows("Heard.");
    for (const request of server.requests) checkAnthropic(request);
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /tell.*I speak.*go on/);
  });
  test("Ctrl-C before the model answers, or between its calls, leaves a whole conversation", async () => {
    const calls = [{ name: "load_skill", arguments: '{"name": "zebra"}' }];
    await using server = await modelServer(
      events(anthropicEvents({ calls })),
      () => {},
      held(anthropicEvents({ texts: ["So"], calls }).slice(0, -4)),
      events(anthropicEvents({ texts: ["Heard."] })),
    );
    await using chat = await talking(server);
    chat.type(`one${ENTER}`);
    await server.asked(2);
    chat.type(CTRL_C);
    await chat.shows("Ended.");
    await chat.shows(PROMPT);
    chat.type(`two${ENTER}`);
    await chat.shows("So");
    chat.type(CTRL_C);
    await chat.shows("Ended.");
    await chat.shows(PROMPT);
    chat.type(`three${ENTER}`);
    await chat.shows("Heard.");
    for (const request of server.requests) checkAnthropic(request);
  });
  test("Ctrl-C ends the wait for a provider that wants to be asked later", async () => {
    await using server = await modelServer(
      status(429, "too many", { "retry-after": "30" }),
      events(anthropicEvents({ texts: ["Heard."] })),
    );
    await using chat = await talking(server);
    chat.type(`one${ENTER}`);
    await chat.shows("asking again in 30 s");
    chat.type(CTRL_C);
    await chat.shows("Ended.");
    await chat.shows(PROMPT);
    chat.type(`two${ENTER}`);
    await chat.shows("Heard.");
    for (const request of server.requests) checkAnthropic(request);
  });
  test("Ctrl-C clears a line; at an empty prompt twice it ends the chat, once it does not", async () => {
    await using chat = await begun();
    await typed(chat, "never said");
    chat.type(CTRL_C);
    await chat.shows("^C");
    await chat.shows(PROMPT);
    chat.type(CTRL_C);
    await chat.shows("Ctrl-C once more ends the chat.");
    await chat.shows(PROMPT);
    chat.type(`hello${ENTER}`);
    await chat.shows("I see: ");
    await chat.shows(PROMPT);
    chat.type(CTRL_C);
    await chat.shows("Ctrl-C once more ends the chat.");
    chat.type(CTRL_C);
    assert.equal(await chat.ended(), 0);
  });
  test("Ctrl-D ends the chat", async () => {
    await using chat = await begun();
    chat.type(CTRL_D);
    assert.equal(await chat.ended(), 0);
  });
  test("a line that is typed while the model speaks is said after", async () => {
    let finish = (): void => {};
    const turn = anthropicEvents({ texts: ["I speak", " on"] });
    await using server = await modelServer(
      (response) => {
        held(turn.slice(0, 4))(response);
        finish = () => response.end(turn.slice(4).join(""));
      },
      events(anthropicEvents({ texts: ["Heard."] })),
    );
    await using chat = await talking(server);
    chat.type(`one${ENTER}`);
    await chat.shows("I speak");
    chat.type(`two${ENTER}thr`);
    finish();
    await chat.shows(" on");
    await chat.shows(PROMPT);
    await chat.shows("two");
    await chat.shows("Heard.");
    await chat.shows("thr");
    assert.equal(server.requests.length, 2);
  });
  test("an error is one line in red, and the code at the end is 0", async () => {
    await using server = await modelServer();
    await using chat = await talking(server);
    chat.type(`one${ENTER}`);
    await chat.shows(
      /\u001b\[31mhttp:\/\/127\.0\.0\.1:\d+ answered 500: no more answers\u001b\[39m/,
    );
    await chat.shows(PROMPT);
    chat.type(`/exit${ENTER}`);
    assert.equal(await chat.ended(), 0);
  });
});

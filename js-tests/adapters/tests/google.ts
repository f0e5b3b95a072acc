// skillshelf/google with the official SDK.

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import {
  type Content,
  type FunctionCall,
  type FunctionDeclaration,
  type FunctionResponse,
  GoogleGenAI,
  type Part,
} from "@google/genai";
import { type Catalog, loadSkills, loadSkillsSync, SkillError } from "skillshelf";
import { answerToolCalls, type GoogleCallOptions, skillTools } from "skillshelf/google";
import { example } from "../support/examples.ts";
import { BLOCKED, calls, IMPORT, says, streamed } from "../support/google.ts";
import { type Provider, provider } from "../support/provider.ts";
import { BODY, PIXEL, skills } from "../support/skills.ts";
import { checkBodies } from "../support/types.ts";

const MODEL = "gemini-test";
const LOAD = { name: "load_skill", args: { name: "tea" } };
const USER: Content = { role: "user", parts: [{ text: "Make tea." }] };

const catalog: Catalog = await loadSkills({ host: skills() });
const functions = skillTools(catalog);

function models({ url }: Provider): GoogleGenAI["models"] {
  return new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } }).models;
}

/** A request with one user's content and these functions. */
function request(functionDeclarations: FunctionDeclaration[] = functions) {
  return { model: MODEL, contents: [USER], config: { tools: [{ functionDeclarations }] } };
}

/** What a model is answered when it makes these calls. */
async function results(
  made: FunctionCall[],
  options?: GoogleCallOptions,
): Promise<FunctionResponse[]> {
  await using server = await provider([calls(...made)]);
  const response = await models(server).generateContent(request());
  const { append } = await answerToolCalls(functions, response, options);
  return append.flatMap(({ parts }) => parts.map(({ functionResponse }) => functionResponse));
}

/** The result of one call. */
async function result(
  name: string,
  args: unknown,
  options?: GoogleCallOptions,
): Promise<FunctionResponse> {
  const made = { name, args: args as Record<string, unknown> };
  const [answer, ...more] = await results([made], options);
  assert.ok(answer !== undefined && more.length === 0);
  return answer;
}

describe("a loop over generateContent", () => {
  it("hands a skill to the model, in requests as the SDK's types have them", async () => {
    await using server = await provider([calls({ id: "1", ...LOAD }), says("Done.")]);
    const contents = [USER];
    for (;;) {
      const response = await models(server).generateContent({
        model: MODEL,
        contents,
        config: {
          systemInstruction: catalog.prompt(),
          tools: [{ functionDeclarations: functions }],
        },
      });
      const { append, others } = await answerToolCalls(functions, response);
      assert.deepEqual(others, []);
      contents.push(response.candidates?.[0]?.content ?? assert.fail(), ...append);
      if (append.length === 0) break;
    }
    assert.equal(contents.at(-1)?.parts?.[0]?.text, "Done.");
    const bodies = server.requests.map(({ body }) => body);
    checkBodies(IMPORT, "Body", bodies);
    assert.equal(bodies.length, 2);
    assert.equal(bodies[0].systemInstruction.parts[0].text, catalog.prompt());
    for (const declaration of bodies[0].tools[0].functionDeclarations) {
      assert.deepEqual(Object.keys(declaration), ["name", "description", "parametersJsonSchema"]);
      assert.equal(declaration.parametersJsonSchema.type, "object");
    }
    assert.ok(!JSON.stringify(bodies[0]).includes(BODY));
    const [{ functionResponse }] = bodies[1].contents.at(-1).parts;
    assert.deepEqual([functionResponse.id, functionResponse.name], ["1", "load_skill"]);
    assert.deepEqual(Object.keys(functionResponse.response), ["output"]);
    assert.match(functionResponse.response.output, /^<skill_content name="tea">\nWarm the pot\./);
  });

  it("leaves the calls of other functions to the developer", async () => {
    const own: FunctionDeclaration = { name: "clock", description: "Says the time." };
    await using server = await provider([calls({ id: "1", name: "clock" }, { id: "2", ...LOAD })]);
    const both = [...functions, own];
    const response = await models(server).generateContent(request(both));
    checkBodies(IMPORT, "Body", [server.requests[0]?.body]);
    const { append, others } = await answerToolCalls(both, response);
    assert.deepEqual(others, [{ id: "1", name: "clock" }]);
    const [content] = append;
    assert.deepEqual(
      content?.parts.map(({ functionResponse }) => functionResponse.id),
      ["2"],
    );
    content?.parts.unshift({ functionResponse: { id: "1", response: { output: "noon" } } });
    const next: Content | undefined = content;
    checkBodies(IMPORT, "Content", [next]);
  });

  it("has its answers sent in a chat", async () => {
    await using server = await provider([calls(LOAD), says("Done.")]);
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server.url } });
    const { model, config } = request();
    const chat = client.chats.create({ model, config });
    const response = await chat.sendMessage({ message: "Make tea." });
    const { append } = await answerToolCalls(functions, response);
    const { text } = await chat.sendMessage({ message: append[0]?.parts ?? assert.fail() });
    assert.equal(text, "Done.");
    const bodies = server.requests.map(({ body }) => body);
    checkBodies(IMPORT, "Body", bodies);
    const [{ functionResponse }] = bodies[1].contents.at(-1).parts;
    assert.match(functionResponse.response.output, /Warm the pot/);
  });

  it("is a session's, with what it has loaded", async () => {
    const session = catalog.session();
    const declared = skillTools(session);
    const texts = [];
    for (let turn = 0; turn < 2; turn += 1) {
      await using server = await provider([calls(LOAD)]);
      const response = await models(server).generateContent(request(declared));
      const { append } = await answerToolCalls(declared, response);
      texts.push(append[0]?.parts[0]?.functionResponse.response?.["output"]);
    }
    assert.match(String(texts[0]), /Warm the pot/);
    assert.match(String(texts[1]), /already loaded/);
  });

  it("takes catalogs and sessions of loadSkillsSync, and options", async () => {
    const blocking = loadSkillsSync({ host: skills() });
    const call = { name: "use_skill", args: { skill_name: "tea" } };
    const response = { candidates: [{ content: { parts: [{ functionCall: call }] } }] };
    for (const source of [blocking, blocking.session()]) {
      const declared = skillTools(source, {
        rename: { load_skill: { name: "use_skill", arguments: { name: "skill_name" } } },
      });
      const { append } = await answerToolCalls(declared, response);
      const { response: said } = append[0]?.parts[0]?.functionResponse ?? {};
      assert.match(String(said?.["output"]), /Warm the pot/);
    }
  });

  it("has nothing to answer where the prompt was blocked", async () => {
    await using server = await provider([BLOCKED]);
    const response = await models(server).generateContent(request());
    assert.deepEqual(await answerToolCalls(functions, response), { append: [], others: [] });
  });

  it("has no functions where there are no skills", async () => {
    assert.deepEqual(skillTools(await loadSkills([])), []);
  });
});

describe("what a model gets wrong", () => {
  const answers: FunctionResponse[] = [];
  after(() => checkBodies(IMPORT, "FunctionResponse", answers));

  for (const [what, name, args, words] of [
    ["a skill that is not there", "load_skill", { name: "tee" }, /tea/],
    ["an argument of another type", "load_skill", { name: 7 }, /name/],
    ["an argument of another tool", "load_skill", { skill: "tea", path: "a" }, /name/],
    ["no object", "load_skill", "tea", /JSON|object/],
    ["nothing", "load_skill", undefined, /name/],
    ["a path that leads away", "read_skill_file", { skill: "tea", path: "../x" }, /\.\.\/x/],
  ] as const) {
    it(`is told: ${what}`, async () => {
      const answer = await result(name, args);
      assert.deepEqual(Object.keys(answer.response ?? {}), ["error"]);
      assert.match(String(answer.response?.["error"]), words);
      answers.push(answer);
    });
  }

  it("leaves a call without a name to the developer", async () => {
    await using server = await provider([calls({ args: { name: "tea" } })]);
    const response = await models(server).generateContent(request());
    const { append, others } = await answerToolCalls(functions, response);
    assert.deepEqual([append, others], [[], [{ args: { name: "tea" } }]]);
  });

  it("answers both of two calls with one id, in their order", async () => {
    const coffee = { name: "load_skill", args: { name: "coffee" } };
    const answers = await results([
      { id: "same", ...LOAD },
      { id: "same", ...coffee },
    ]);
    assert.deepEqual(
      answers.map(({ id }) => id),
      ["same", "same"],
    );
    assert.match(String(answers[0]?.response?.["output"]), /Warm the pot/);
    assert.match(String(answers[1]?.response?.["output"]), /Grind the beans/);
  });

  it("answers 100 calls at once, in their order", async () => {
    const made = Array.from({ length: 100 }, (_, index) => ({
      id: `call_${index}`,
      name: "load_skill",
      args: { name: index % 2 === 0 ? "tea" : `none-${index}` },
    }));
    const answers = await results(made);
    assert.deepEqual(
      answers.map(({ id, response = {} }) => [id, "error" in response]),
      made.map(({ id }, index) => [id, index % 2 === 1]),
    );
  });
});

describe("a streamed response", () => {
  it("is answered by the parts of its chunks, with the thoughts that belong to them", async () => {
    const called: Part = { functionCall: { id: "1", ...LOAD }, thoughtSignature: "c2lnbmVk" };
    await using server = await provider([streamed([{ text: "I " }], [{ text: "see." }], [called])]);
    const parts: Part[] = [];
    for await (const { candidates } of await models(server).generateContentStream(request())) {
      parts.push(...(candidates?.[0]?.content?.parts ?? []));
    }
    assert.deepEqual(parts.at(-1), called);
    const { append } = await answerToolCalls(functions, { candidates: [{ content: { parts } }] });
    const { id, response } = append[0]?.parts[0]?.functionResponse ?? {};
    assert.equal(id, "1");
    assert.match(String(response?.["output"]), /Warm the pot/);
  });

  it("fails as the SDK says where the connection is dropped", async () => {
    const whole = streamed([{ text: "I see." }], [{ functionCall: LOAD }]);
    await using server = await provider([{ dropped: whole }]);
    const stream = await models(server).generateContentStream(request());
    await assert.rejects(
      async () => {
        for await (const _ of stream);
      },
      (error) => error instanceof Error && !SkillError.isInstance(error),
    );
  });

  it("fails as the SDK says where a whole response is dropped", async () => {
    await using server = await provider([{ dropped: calls(LOAD) }]);
    await assert.rejects(models(server).generateContent(request()), (error) => {
      return error instanceof Error && !SkillError.isInstance(error);
    });
  });
});

describe("files that are not text", () => {
  for (const path of ["pixel.png", "pixel.jpg"]) {
    it(`are images, by their content, where the developer says so: ${path}`, async () => {
      const answer = await result("read_skill_file", { skill: "tea", path }, { images: true });
      checkBodies(IMPORT, "FunctionResponse", [answer]);
      assert.ok(String(answer.response?.["output"]).includes(path));
      const data = Buffer.from(PIXEL).toString("base64");
      assert.deepEqual(answer.parts, [{ inlineData: { mimeType: "image/png", data } }]);
    });
  }

  for (const path of ["pixel.gif", "no-image.png", "large.png"]) {
    it(`are a line of text where the models would refuse them: ${path}`, async () => {
      const answer = await result("read_skill_file", { skill: "tea", path }, { images: true });
      assert.equal(answer.parts, undefined);
      assert.ok(String(answer.response?.["output"]).includes(path));
    });
  }

  it("are a line of text otherwise", async () => {
    const answer = await result("read_skill_file", { skill: "tea", path: "pixel.png" });
    assert.deepEqual(Object.keys(answer), ["name", "response"]);
  });
});

it("is an example that runs", async () => {
  const args = { name: "code-review" };
  await using server = await provider([calls({ name: "load_skill", args }), says("All is well.")]);
  const { out, err, code } = await example("google.mjs", {
    GEMINI_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: server.url,
  });
  assert.deepEqual([out, err, code], ["All is well.\n", "", 0]);
  const [part] = server.requests[1]?.body.contents.at(-1).parts ?? [];
  assert.match(part.functionResponse.response.output, /^<skill_content name="code-review">/);
});

describe("what a developer gets wrong", () => {
  it("is told: no catalog", () => {
    for (const wrong of [undefined, {}, loadSkills([])]) {
      assert.throws(
        // @ts-expect-error
        () => skillTools(wrong),
        (error) => SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED",
      );
    }
  });

  it("is told: no response", async () => {
    for (const wrong of [undefined, null, {}, "text", Promise.resolve()]) {
      await assert.rejects(
        // biome-ignore lint/suspicious/noExplicitAny: what a program without types may pass.
        answerToolCalls([], wrong as any),
        (error) => SkillError.isInstance(error) && error.code === "SOURCE_UNSUPPORTED",
      );
    }
  });

  it("is told: options that cannot be used", () => {
    assert.throws(
      // @ts-expect-error
      () => skillTools(catalog, { sett: "full" }),
      (error) => SkillError.isInstance(error) && error.message.includes("sett"),
    );
  });

  it("may abort", async () => {
    const response = { candidates: [{ content: { parts: [{ functionCall: LOAD }] } }] };
    await assert.rejects(
      answerToolCalls(functions, response, { signal: AbortSignal.abort() }),
      (error) => SkillError.isInstance(error) && error.code === "ABORTED",
    );
  });
});

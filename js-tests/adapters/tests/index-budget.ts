// An index within a budget names tools; every adapter hands these over, from a catalog and from a session.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defineSkill, loadSkills, type PromptOptions, type ToolOptions } from "skillshelf";
import * as aiSdk from "skillshelf/ai-sdk";
import * as anthropic from "skillshelf/anthropic";
import * as google from "skillshelf/google";
import * as langchain from "skillshelf/langchain";
import * as mastra from "skillshelf/mastra";
import * as openai from "skillshelf/openai";
import * as openaiAgents from "skillshelf/openai-agents";

type Source = aiSdk.ToolSource;
type Named = { name?: string | undefined };

const namesOf = (tools: Named[]) => tools.map(({ name }) => name);

/** The names of the tools that each adapter makes. */
const ADAPTERS: Record<string, (source: Source, options?: ToolOptions) => unknown> = {
  "ai-sdk": (source, options) => Object.keys(aiSdk.skillTools(source, options)),
  anthropic: (source, options) => namesOf(anthropic.skillTools(source, options)),
  google: (source, options) => namesOf(google.skillTools(source, options)),
  langchain: async (source, options) => namesOf(await langchain.skillTools(source, options)),
  mastra: async (source, options) => Object.keys(await mastra.skillTools(source, options)),
  openai: (source, options) => namesOf(openai.skillTools(source, options)),
  "openai-agents": async (source, options) =>
    namesOf(await openaiAgents.skillTools(source, options)),
};

const catalog = await loadSkills(
  Array.from({ length: 100 }, (_, number) =>
    defineSkill({ name: `brew-${number}`, description: "Brews tea", content: "Warm the pot." }),
  ),
);
const index: PromptOptions = { budget: { characters: 1000 } };

describe("tools for an index within a budget", () => {
  const named = catalog.index(index).tools;

  for (const [adapter, toolsOf] of Object.entries(ADAPTERS)) {
    it(`are those that it names: ${adapter}`, async () => {
      assert.ok(named.includes("search_skills"));
      assert.deepEqual(await toolsOf(catalog, { index }), [...named]);
      const session = catalog.session({ tools: { index } });
      assert.equal(session.prompt(), catalog.prompt(index));
      assert.deepEqual(await toolsOf(session), [...named]);
    });
  }
});

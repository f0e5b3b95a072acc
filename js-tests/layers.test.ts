import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { type Host, type LoadOptions, loadSkills, memoryHost } from "skillshelf";
import { validSkill } from "./support/text.ts";

const quick: LoadOptions = { limits: { timeout: 50 }, onDiagnostic: () => {} };

/** A host whose methods do what `behave` says before they answer. */
function behaving(files: Record<string, string>, behave: () => Promise<void>): Host {
  const memory = memoryHost(files);
  return {
    list: async (directory) => {
      await behave();
      return memory.list(directory);
    },
    read: async (file) => {
      await behave();
      return memory.read(file);
    },
  };
}

const forever = (): Promise<never> => new Promise(() => {});

describe("several hosts under one catalog", () => {
  test("the earlier one wins, and the loser is told by the labels of both", async () => {
    const team = memoryHost({ "pdf/SKILL.md": validSkill("pdf", "The team's.") });
    const own = memoryHost({ "pdf/SKILL.md": validSkill("pdf", "Mine.") });
    const catalog = await loadSkills([
      { host: own, label: "own" },
      { host: team, label: "team" },
    ]);
    assert.equal(catalog.get("pdf")?.description, "Mine.");
    assert.equal(catalog.get("pdf")?.source?.label, "own");
    assert.equal(catalog.diagnostics.length, 1);
    assert.match(catalog.diagnostics[0]?.message ?? "", /own/);
  });

  test("one that never answers is given up, and the others are there", async () => {
    const catalog = await loadSkills(
      [
        { host: behaving({ "slow/SKILL.md": validSkill("slow") }, forever), label: "remote" },
        { host: memoryHost({ "fast/SKILL.md": validSkill("fast") }), label: "here" },
      ],
      quick,
    );
    assert.deepEqual(catalog.names, ["fast"]);
    const [finding] = catalog.diagnostics;
    assert.equal(finding?.code, "directory-unreadable");
    assert.equal(finding?.path, "remote");
    assert.match(finding?.message ?? "", /gave no answer in 0\.05 s \(limits\.timeout\)/);
  });

  test("one that fails is a diagnostic, and the others are there", async () => {
    const failing = async () => {
      throw new Error("the network is down");
    };
    const catalog = await loadSkills(
      [
        { host: behaving({}, failing), label: "remote" },
        { host: memoryHost({ "fast/SKILL.md": validSkill("fast") }) },
      ],
      quick,
    );
    assert.deepEqual(catalog.names, ["fast"]);
    assert.match(catalog.diagnostics[0]?.message ?? "", /the network is down/);
  });

  test("one that answers from time to time is waited for", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`s${index}/SKILL.md`, validSkill(`s${index}`)]),
    );
    const pause = () => new Promise<void>((done) => setTimeout(done, 40));
    const catalog = await loadSkills(
      { host: behaving(files, pause) },
      { limits: { timeout: 200, concurrency: 1 } },
    );
    assert.equal(catalog.size, 12);
  });

  test("one that is not done in time gives what it has by then", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`s${index}/SKILL.md`, validSkill(`s${index}`)]),
    );
    const pause = () => new Promise<void>((done) => setTimeout(done, 30));
    const limits = { timeout: 10_000, deadline: 400, concurrency: 1 };
    const catalog = await loadSkills(
      [
        { host: behaving(files, pause), label: "remote" },
        { host: memoryHost({ "fast/SKILL.md": validSkill("fast") }) },
      ],
      { limits, onDiagnostic: () => {} },
    );
    assert.equal(catalog.get("fast")?.name, "fast");
    assert.ok(catalog.size < 51);
    assert.match(
      catalog.diagnostics[0]?.message ?? "",
      /did not answer all in 0\.4 s \(limits\.deadline\)/,
    );
  });

  test("a host that is given up is asked nothing more in that load", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`s${index}/SKILL.md`, validSkill(`s${index}`)]),
    );
    let asked = 0;
    const memory = memoryHost(files);
    const host: Host = {
      list: async (directory) => memory.list(directory),
      read: async (file) => {
        if (file === "SKILL.md") return memory.read(file);
        asked += 1;
        return forever();
      },
    };
    const catalog = await loadSkills(
      { host },
      { ...quick, limits: { timeout: 50, concurrency: 8 } },
    );
    assert.equal(catalog.size, 0);
    assert.equal(asked, 8);
    assert.equal(catalog.diagnostics.length > 0, true);
  });

  test("they are looked through side by side", async () => {
    let running = 0;
    let highest = 0;
    const busy = async (): Promise<void> => {
      running += 1;
      highest = Math.max(highest, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    const hosts = Array.from({ length: 5 }, (_, index) => ({
      host: behaving({ [`s${index}/SKILL.md`]: validSkill(`s${index}`) }, busy),
    }));
    const catalog = await loadSkills(hosts, { limits: { concurrency: 1 } });
    assert.equal(catalog.size, 5);
    assert.equal(highest, 5);
  });

  test("what a host gave before stays when a refresh is not answered", async () => {
    let isSilent = false;
    const host = behaving({ "a/SKILL.md": validSkill("a") }, async () => {
      if (isSilent) await forever();
    });
    const catalog = await loadSkills({ host, label: "remote" }, quick);
    isSilent = true;
    await catalog.refresh();
    assert.deepEqual(catalog.names, ["a"]);
    const result = await catalog.call("load_skill", { name: "a" });
    assert.equal(result.code, "HOST_FAILED");
    isSilent = false;
    assert.equal((await catalog.call("load_skill", { name: "a" })).isError, false);
  });

  test("no timer is left behind", async () => {
    const timers = mock.method(globalThis, "setTimeout");
    const cleared = mock.method(globalThis, "clearTimeout");
    try {
      await loadSkills({ host: behaving({ "a/SKILL.md": validSkill("a") }, async () => {}) });
      assert.equal(cleared.mock.callCount() >= timers.mock.callCount(), true);
    } finally {
      timers.mock.restore();
      cleared.mock.restore();
    }
  });
});

// A host that fails at its k-th call, for every k of every operation, with every kind of error.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Catalog,
  type Host,
  loadSkills,
  loadSkillsSync,
  SkillError,
  type SyncHost,
} from "skillshelf";
import { type Any, ending, endingOfFailing, USES } from "./support/endings.ts";
import { type Files, MAKES, withPromises } from "./support/hosts.ts";
import { validSkill } from "./support/text.ts";

const FILES: Files = {
  "one/SKILL.md": validSkill("one"),
  "one/a.md": "A",
  "group/two/SKILL.md": validSkill("two"),
  "loose.md": validSkill("loose"),
};
const onDiagnostic = (): void => {};

const raise = (thrown: unknown) => (): unknown => {
  throw thrown;
};

const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** What a failing call does instead. */
const FAULTS: Record<string, () => unknown> = {
  "an Error": raise(new Error("no")),
  "an Error with a code": raise(Object.assign(new Error("i/o"), { code: "EIO" })),
  "an Error that says that nothing is there": raise(
    Object.assign(new Error("gone"), { code: "ENOENT" }),
  ),
  "a string": raise("no"),
  undefined: raise(undefined),
  null: raise(null),
  "a SkillError": raise(new SkillError({ code: "HOST_FAILED", message: "no" })),
  "a proxy that nobody may ask": raise(revoked.proxy),
  "an object whose members throw": raise(
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("hidden");
        },
      },
    ),
  ),
  "bytes that were handed to another thread": () => {
    const bytes = new Uint8Array(9);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  },
  "nothing, where something is due": () => undefined,
  "a number": () => 42,
  "an empty object": () => ({}),
  "an array of holes": () => new Array(3),
};

interface Failing {
  host: SyncHost;
  /** Fails at the k-th call from now on; whether it has. */
  arm(k: number, fault: () => unknown): void;
  hasFailed(): boolean;
}

/** The same host, which can be made to fail; what it opens too. */
function failing(honest: SyncHost): Failing {
  let left = Infinity;
  let fault: () => unknown = () => undefined;
  const wrap = <T extends object>(object: T): T => {
    const wrapped: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(object)) {
      wrapped[name] = typeof member === "function" ? guarded(member.bind(object)) : member;
    }
    return wrapped as T;
  };
  const guarded =
    (method: (...rest: unknown[]) => unknown) =>
    (...rest: unknown[]): unknown => {
      left -= 1;
      if (left === 0) return fault();
      const result = method(...rest);
      const opens = typeof (result as { close?: unknown } | undefined)?.close === "function";
      return opens ? wrap(result as object) : result;
    };
  const members: SyncHost = {
    list: (directory) => honest.list(directory),
    read: (file, range) => honest.read(file, range),
  };
  const { stat, realPath, open, ranges } = honest;
  if (ranges !== undefined) Object.assign(members, { ranges });
  if (stat) members.stat = (path) => stat.call(honest, path);
  if (realPath) members.realPath = (path) => realPath.call(honest, path);
  if (open) members.open = (file, options) => open.call(honest, file, options);
  return {
    host: wrap(members),
    arm(k, what) {
      left = k;
      fault = what;
    },
    hasFailed: () => left <= 0,
  };
}

/** Whether a failure is told: by the ending itself, or among the findings of the catalog. */
function isTold(ended: { code?: string; result?: unknown }, { diagnostics }: Any): boolean {
  const told = JSON.stringify([ended.result, diagnostics]);
  return (
    ended.code !== undefined || /"isError":true|(?:could not|cannot) be (?:read|listed)/.test(told)
  );
}

const KINDS: Record<string, (host: SyncHost) => Any | Promise<Any>> = {
  "a host that answers at once": (host) => loadSkillsSync({ host }, { onDiagnostic }),
  "a host with promises": (host) => loadSkills({ host: withPromises(host) }, { onDiagnostic }),
};

for (const [kind, load] of Object.entries(KINDS)) {
  for (const [make, hostOf] of Object.entries(MAKES)) {
    describe(`${kind}: ${make}`, () => {
      for (const [title, fault] of Object.entries(FAULTS)) {
        // A host that says that nothing is there is believed.
        const saysAbsent = title.includes("nothing is there");
        test(`a scan, with ${title}`, async () => {
          const whole = [...(await load(hostOf(FILES)))].map(({ name }) => name);
          let [refused, met] = [0, 0];
          for (let k = 1, failed = true; failed; k += 1) {
            const { host, arm, hasFailed } = failing(hostOf(FILES));
            arm(k, fault);
            const { code, result } = await endingOfFailing(() => load(host));
            failed = hasFailed();
            met += Number(failed);
            arm(Infinity, fault);
            if (code !== undefined) {
              refused += 1;
              continue;
            }
            const catalog = result as Any;
            // What a call is about is one skill, or a directory with one; or else the source.
            if (catalog.size < whole.length - 1) refused += 1;
            for (const skill of catalog) {
              assert.ok(whole.includes(skill.name), `${k}: ${skill.name}`);
              assert.equal(skill.description, `What ${skill.name} does.`);
            }
            await catalog.refresh();
            assert.deepEqual(catalog.names, whole, `at ${k}`);
            assert.match((await catalog.call("load_skill", { name: "one" })).content, /Body/);
          }
          // Only a source whose own directory cannot be read refuses the whole.
          assert.ok(refused <= 3, `${refused} refused`);
          assert.ok(met > refused + whole.length, `${met} calls failed`);
        });
        test(`all else, with ${title}`, async () => {
          for (const [name, use] of Object.entries(USES)) {
            const right = JSON.stringify(await ending(async () => use(await load(hostOf(FILES)))));
            let met = 0;
            for (let k = 1, failed = true; failed; k += 1) {
              const { host, arm, hasFailed } = failing(hostOf(FILES));
              const catalog = await load(host);
              arm(k, fault);
              const ended = await endingOfFailing(() => use(catalog));
              // A search goes by what of the bodies can be read.
              const isRight = JSON.stringify(ended) === right || saysAbsent || name === "search";
              assert.ok(
                isRight || isTold(ended, catalog),
                `${name} at ${k}: ${JSON.stringify(ended)}`,
              );
              failed = hasFailed();
              met += Number(failed);
              arm(Infinity, fault);
              // Whatever came of it, the next attempt is as if nothing had been.
              await catalog.refresh();
              const next = JSON.stringify(await ending(() => use(catalog)));
              assert.equal(next, right, `${name} at ${k}`);
            }
            assert.ok(met > 0, `${name} asks the host`);
          }
        });
      }
    });
  }
}

test("what never settles ends with the signal, and the next attempt works", async () => {
  const memory = MAKES.open?.(FILES) as SyncHost;
  for (let k = 1, stuck = true; stuck; k += 1) {
    stuck = false;
    let left = k;
    const controller = new AbortController();
    const honest = withPromises(memory) as unknown as Record<string, unknown>;
    const host: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(honest)) {
      host[name] =
        typeof member !== "function"
          ? member
          : (...rest: unknown[]): unknown => {
              left -= 1;
              if (left !== 0) return member.apply(honest, rest);
              stuck = true;
              setImmediate(() => controller.abort());
              return new Promise(() => {});
            };
    }
    const source = { host: host as unknown as Host };
    const { code, result } = await ending(() =>
      loadSkills(source, { onDiagnostic, signal: controller.signal }),
    );
    assert.equal(code, stuck ? "ABORTED" : undefined, `at ${k}`);
    const catalog = (result as Catalog | undefined) ?? (await loadSkills(source, { onDiagnostic }));
    assert.deepEqual(catalog.names, ["loose", "one", "two"]);
  }
});

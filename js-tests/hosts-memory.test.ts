import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSkillsSync, memoryHost, type SyncHost } from "skillshelf";
import { thrown } from "./support/errors.ts";

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const code = (wanted: string) => (error: unknown) => (error as { code?: unknown }).code === wanted;

function names(host: SyncHost, directory: string): string[] {
  return host.list(directory).map(({ name, kind }) => (kind === "file" ? name : `${name}/`));
}

function version(host: SyncHost, path: string): string {
  const stat = host.stat?.(path);
  assert.ok(stat);
  return stat.version;
}

test("a listing holds the files and the directories that the keys imply", () => {
  const host = memoryHost({ "a.md": "", "deep/er/x.md": "", "deep/y.md": "", "deep/er/z.md": "" });
  assert.deepEqual(host.list(""), [
    { name: "a.md", kind: "file" },
    { name: "deep", kind: "directory" },
  ]);
  assert.deepEqual(names(host, "deep"), ["er/", "y.md"]);
  assert.deepEqual(names(host, "deep/er"), ["x.md", "z.md"]);
  assert.deepEqual(memoryHost({}).list(""), []);
});

test("what is not there is ENOENT, and below a file ENOTDIR", () => {
  const host = memoryHost({ "a/file": "x" });
  assert.throws(() => host.list("b"), code("ENOENT"));
  assert.throws(() => host.read("b"), code("ENOENT"));
  assert.throws(() => host.read("a/other"), code("ENOENT"));
  assert.throws(() => host.read("a/file/below"), code("ENOTDIR"));
  assert.throws(() => host.list("a/file/below"), code("ENOTDIR"));
  assert.throws(() => host.list("a/file"), code("ENOTDIR"));
  assert.throws(() => host.read("a"), code("EISDIR"));
  assert.throws(() => host.read(""), code("EISDIR"));
  assert.equal(host.stat?.("b"), undefined);
  assert.equal(host.stat?.("a/file/below"), undefined);
});

test("edits of the object show in the next call", () => {
  const files: Record<string, string | Uint8Array> = { "a/one": "1" };
  const host = memoryHost(files);
  assert.deepEqual(names(host, "a"), ["one"]);
  files["a/two"] = "2";
  assert.deepEqual(names(host, "a"), ["one", "two"]);
  files["a/one"] = "changed";
  assert.equal(text(host.read("a/one")), "changed");
  delete files["a/one"];
  assert.deepEqual(names(host, "a"), ["two"]);
  assert.throws(() => host.read("a/one"), code("ENOENT"));
  // As many keys as before, and another directory than the one listed first.
  delete files["a/two"];
  files["b/three"] = "3";
  assert.deepEqual(names(host, "b"), ["three"]);
  assert.throws(() => host.list("a"), code("ENOENT"));
  assert.equal(host.stat?.("a"), undefined);
  assert.equal(host.stat?.("b")?.kind, "directory");
});

test("keys that other code gives a meaning are ordinary names", () => {
  const files: Record<string, string> = JSON.parse(
    '{ "__proto__": "1", "constructor/toString": "2", "hasOwnProperty": "3", "7": "4" }',
  );
  const host = memoryHost(files);
  assert.deepEqual(names(host, "").sort(), ["7", "__proto__", "constructor/", "hasOwnProperty"]);
  assert.equal(text(host.read("__proto__")), "1");
  assert.equal(text(host.read("constructor/toString")), "2");
  assert.throws(() => memoryHost({}).read("toString"), code("ENOENT"));
  assert.throws(() => memoryHost({}).list("constructor"), code("ENOENT"));
});

test("only own enumerable properties are files", () => {
  const files: Record<string, string> = Object.create({ inherited: "x" });
  Object.defineProperty(files, "hidden", { value: "x", enumerable: false });
  const host = memoryHost(files);
  assert.deepEqual(host.list(""), []);
  assert.throws(() => host.read("inherited"), code("ENOENT"));
  assert.throws(() => host.read("hidden"), code("ENOENT"));
});

test("keys that cannot be meant are refused, when the host is made and when they are added", () => {
  for (const key of ["", "/a", "./a", "a/", "a//b", "a/./b", "a/../b", "..", ".", "a\0", "a\\b"]) {
    const error = thrown(() => memoryHost({ [key]: "x" }));
    assert.deepEqual([error.code, error.path], ["SOURCE_UNSUPPORTED", key]);
    assert.ok(error.message.includes(`a file ${JSON.stringify(key)}: `), error.message);
    assert.match(error.message, /such as "pdf\/SKILL\.md"/, "the remedy");
    const files: Record<string, string> = {};
    const host = memoryHost(files);
    files[key] = "x";
    assert.equal(thrown(() => host.list("")).message, error.message);
  }
  for (const files of [
    { a: "x", "a/b": "y" },
    { "a/b": "y", a: "x" },
  ]) {
    assert.equal(thrown(() => memoryHost(files)).code, "SOURCE_UNSUPPORTED");
  }
});

test("a load says which key was added and cannot be meant", () => {
  const files: Record<string, string> = { "a/SKILL.md": "---\nname: a\ndescription: d\n---\n" };
  const host = memoryHost(files);
  files["../x"] = "x";
  using catalog = loadSkillsSync({ host }, { onDiagnostic: () => {} });
  const [finding] = catalog.diagnostics;
  assert.equal(finding?.code, "directory-unreadable");
  assert.match(finding?.message ?? "", /cannot have a file "\.\.\/x"/);
});

test("names that only look odd are names", () => {
  const host = memoryHost({ "...": "1", "..a/b..": "2", " ": "3", "a:b": "4" });
  assert.deepEqual(names(host, ""), ["...", "..a/", " ", "a:b"]);
  assert.equal(text(host.read("..a/b..")), "2");
});

test("paths that are none are refused by every method", () => {
  const host = memoryHost({ a: "x" });
  for (const path of ["..", "/a", "./a", "a/", "a//b", "a/../a", "a\0"]) {
    assert.throws(() => host.list(path), { name: "TypeError", code: "EINVAL" }, path);
    assert.throws(() => host.read(path), { name: "TypeError", code: "EINVAL" }, path);
    assert.throws(() => host.stat?.(path), { name: "TypeError", code: "EINVAL" }, path);
  }
});

test("what is neither text nor bytes is refused, when the host is made and when it is read", () => {
  const files = { a: "x" } as Record<string, string>;
  const host = memoryHost(files);
  const late: Record<string, unknown> = files;
  for (const content of [1, null, undefined, {}, ["x"], new ArrayBuffer(1), new Uint16Array(1)]) {
    late["a"] = content;
    assert.throws(() => host.read("a"), /The content of "a" is neither a string nor a Uint8Array/);
    for (const use of [() => host.stat?.("a"), () => memoryHost(files)]) {
      const error = thrown(use);
      assert.deepEqual([error.code, error.path], ["SOURCE_UNSUPPORTED", "a"]);
      assert.match(error.message, /give the file text or bytes/);
    }
  }
  for (const wrong of [undefined, null, "a", ["a"]]) {
    const error = thrown(() => memoryHost(wrong as never));
    assert.equal(error.code, "SOURCE_UNSUPPORTED");
    assert.match(error.message, /memoryHost takes an object/);
  }
});

test("a range is exact in bytes, also within a character", () => {
  // The second has a character of two code units where bytes and code units still agree.
  for (const content of ["aé€😀z", "ab😀z"]) {
    const whole = new TextEncoder().encode(content);
    for (const form of [content, whole, Buffer.from(whole)]) {
      assertRanges(memoryHost({ a: form }), whole);
    }
  }
});

function assertRanges(host: SyncHost, whole: Uint8Array): void {
  assert.equal(host.ranges, true);
  for (let offset = 0; offset <= whole.length + 1; offset += 1) {
    for (let length = 0; length <= whole.length + 1; length += 1) {
      const bytes = host.read("a", { offset, length });
      assert.deepEqual(bytes, whole.slice(offset, offset + length), `${offset} ${length}`);
    }
  }
  assert.deepEqual(host.read("a"), whole);
  for (const [offset, length] of [
    [-1, 1],
    [0, -1],
    [0.5, 1],
    [0, Number.NaN],
  ] as const) {
    assert.throws(() => host.read("a", { offset, length }), { name: "RangeError", code: "EINVAL" });
  }
}

test("what was read is a copy, and no more than a copy of what was asked for", () => {
  const content = new Uint8Array(100).fill(7);
  const host = memoryHost({ bytes: content, pooled: Buffer.from("pooled"), text: "x".repeat(100) });
  const before = host.read("bytes");
  content.fill(8);
  assert.deepEqual(before, new Uint8Array(100).fill(7));
  before.fill(9);
  assert.deepEqual(host.read("bytes"), new Uint8Array(100).fill(8));
  for (const path of ["bytes", "pooled", "text"]) {
    const part = host.read(path, { offset: 2, length: 3 });
    assert.equal(Object.getPrototypeOf(part), Uint8Array.prototype);
    assert.equal(part.buffer.byteLength, 3);
  }
});

test("the version changes exactly when the content does", () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const files: Record<string, string | Uint8Array> = { text: "abc", bytes };
  const host = memoryHost(files);
  const seen = { text: [version(host, "text")], bytes: [version(host, "bytes")] };
  assert.deepEqual(host.stat?.("text"), { kind: "file", size: 3, version: seen.text[0] });

  assert.equal(version(host, "text"), seen.text[0]);
  assert.equal(version(host, "bytes"), seen.bytes[0]);
  bytes[0] = 5;
  seen.bytes.push(version(host, "bytes"));
  files["text"] = ["a", "b", "c"].join("");
  files["bytes"] = new Uint8Array(bytes);
  assert.equal(version(host, "text"), seen.text[0], "an equal text");
  assert.equal(version(host, "bytes"), seen.bytes[1], "equal bytes");

  files["text"] = "abd";
  seen.text.push(version(host, "text"));
  files["text"] = "é";
  seen.text.push(version(host, "text"));
  assert.equal(host.stat?.("text")?.size, 2, "bytes, not characters");
  files["bytes"] = new Uint8Array([3, 2, 1]);
  seen.bytes.push(version(host, "bytes"));
  delete files["text"];
  assert.equal(host.stat?.("text"), undefined);
  files["text"] = "é";
  seen.text.push(version(host, "text"));
  assert.equal(new Set(seen.text).size, 4);
  assert.equal(new Set(seen.bytes).size, 3);
});

test("a directory's version changes when a file comes or goes", () => {
  const files: Record<string, string> = { "a/b": "1" };
  const host = memoryHost(files);
  const before = version(host, "a");
  files["a/b"] = "2";
  assert.equal(version(host, "a"), before);
  files["a/c"] = "3";
  assert.notEqual(version(host, "a"), before);
});

/** An object that counts how often all of its keys are looked at. */
function watched(files: Record<string, string>): {
  files: Record<string, string>;
  looks(): number;
} {
  let count = 0;
  const proxy = new Proxy(files, {
    ownKeys(target) {
      count += 1;
      return Reflect.ownKeys(target);
    },
  });
  return { files: proxy, looks: () => count };
}

function manyFiles(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let number = 0; number < count; number += 1) {
    files[`group-${number}/skill/SKILL.md`] = `---\nname: skill\ndescription: d\n---\n${number}`;
  }
  return files;
}

test("the keys of a frozen object are looked at once", () => {
  const { files, looks } = watched(Object.freeze(manyFiles(1_000)) as Record<string, string>);
  const host = memoryHost(files);
  const first = looks();
  for (let number = 0; number < 1_000; number += 1) {
    assert.deepEqual(names(host, `group-${number}`), ["skill/"]);
  }
  assert.equal(looks(), first);
});

test("a load looks at the keys once a batch, not once a directory", () => {
  const { files, looks } = watched(manyFiles(1_000));
  const host = memoryHost(files);
  const before = looks();
  using catalog = loadSkillsSync({ host }, { onDiagnostic: () => {} });
  assert.equal(catalog.size, 1);
  assert.ok(looks() - before < 200, `${looks() - before} looks`);
});

test("a very deep key costs no more than its length", () => {
  const key = `${"a/".repeat(200_000)}b`;
  const host = memoryHost({ [key]: "x" });
  assert.deepEqual(names(host, ""), ["a/"]);
  assert.equal(text(host.read(key)), "x");
});

test("a Map has no properties, so it is refused with what makes an object of it", () => {
  const files = new Map([["a/SKILL.md", "text"]]) as never;
  assert.throws(() => memoryHost(files), {
    code: "SOURCE_UNSUPPORTED",
    message: /Object\.fromEntries\(map\)/,
  });
});

test("a key with half of a surrogate pair is refused, since nobody could ask for it", () => {
  assert.throws(() => memoryHost({ "a\ud83d/SKILL.md": "text" }), {
    code: "SOURCE_UNSUPPORTED",
    message: /half of a surrogate pair/,
  });
});

test("a key that is no path says what a path is", () => {
  assert.throws(() => memoryHost({ "/a/SKILL.md": "text" }), {
    code: "SOURCE_UNSUPPORTED",
    message: /cannot have a file "\/a\/SKILL\.md": paths on a host are relative, with single "\/"/,
  });
});

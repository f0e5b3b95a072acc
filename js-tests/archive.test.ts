// `skillshelf/archive`: what is taken of archives, and what refuses them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, createReadStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";
import { type Host, loadSkills, memoryHost, SkillError, type SyncHost } from "skillshelf";
import { type ArchiveOptions, type ArchiveSource, archiveHost } from "skillshelf/archive";
import { paxOf, type TarEntry, tarOf, type ZipEntry, zipOf } from "./support/archives.ts";
import { rejection, thrown } from "./support/errors.ts";
import { folder, link, write } from "./support/folder.ts";
import { bytes, toldWithPath, validSkill } from "./support/text.ts";

const SKILLS = {
  "pdf/SKILL.md": validSkill("pdf"),
  "pdf/docs/a.md": "A",
  "tea/SKILL.md": validSkill("tea"),
};
const OK = { "ok/SKILL.md": validSkill("ok") };
const okFile = { name: "ok/SKILL.md", content: validSkill("ok") };
const text = (content: Uint8Array): string => new TextDecoder().decode(content);

/** The paths of all files of a host. */
async function paths(host: Host, directory = ""): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await host.list(directory)) {
    const at = directory === "" ? name : `${directory}/${name}`;
    found.push(...(kind === "directory" ? await paths(host, at) : [at]));
  }
  return found.sort();
}

/** What is taken of an archive, and what is found. */
async function taken(archive: ArchiveSource, options?: ArchiveOptions) {
  const host = archiveHost(archive, options);
  return { paths: await paths(host), found: (host.diagnostics ?? []).map(toldWithPath) };
}

/** The entry that an archive is refused for, and the words. */
async function refused(
  archive: ArchiveSource,
  options?: ArchiveOptions,
): Promise<[string | undefined, string]> {
  const host = archiveHost(archive, options);
  const error = await rejection(() => host.list(""));
  assert.equal(error.code, "ARCHIVE_REFUSED", error.message);
  // Nothing of it is offered, whatever is asked for.
  assert.equal((await rejection(() => host.read("ok/SKILL.md"))).message, error.message);
  assert.equal((await rejection(async () => host.stat?.("ok/SKILL.md"))).message, error.message);
  const said = error.message.replace("The archive is refused: ", "");
  assert.match(said, /\. [A-Z].*\.$/, "a problem and a remedy");
  return [error.path, said];
}

describe("an archive is a host", () => {
  const archives: Record<string, Buffer> = {
    zip: zipOf(SKILLS),
    "a zip that is not compressed": zipOf(
      Object.entries(SKILLS).map(([name, content]) => ({ name, content, method: 0 })),
    ),
    "a zip that was written to a stream": zipOf(
      Object.entries(SKILLS).map(([name, content]) => ({ name, content, descriptor: true })),
    ),
    "a zip with fields for large sizes": zipOf(
      Object.entries(SKILLS).map(([name, content]) => ({ name, content, zip64: true })),
    ),
    "a zip with an end for many entries": zipOf(
      Object.entries(SKILLS).map(([name, content]) => ({ name, content })),
      true,
    ),
    tar: tarOf(SKILLS),
    "a tar of old": tarOf(
      Object.entries(SKILLS).map(([name, content]) => ({ name, content, magic: "", type: "\0" })),
    ),
    "a tar in gzip": gzipSync(tarOf(SKILLS)),
  };
  for (const [title, archive] of Object.entries(archives)) {
    test(title, async () => {
      const catalog = await loadSkills({ host: archiveHost(archive), label: "team" });
      assert.deepEqual([catalog.names, catalog.diagnostics], [["pdf", "tea"], []]);
      const [file, body] = await Promise.all([
        catalog.call("read_skill_file", { skill: "pdf", path: "docs/a.md" }),
        catalog.body("tea"),
      ]);
      assert.deepEqual([file.content, body], ["A", "Body"]);
      assert.deepEqual(await catalog.refresh(), {
        added: [],
        changed: [],
        removed: [],
        diagnostics: [],
      });
    });
  }

  test("read in parts, with versions that stay", async () => {
    const host = archiveHost(zipOf({ "a/SKILL.md": "0123456789" }));
    assert.equal(host.ranges, true);
    assert.equal(text(await host.read("a/SKILL.md", { offset: 3, length: 4 })), "3456");
    const [one, two] = [await host.stat?.("a/SKILL.md"), await host.stat?.("a/SKILL.md")];
    assert.deepEqual([one?.kind, one?.size, one], ["file", 10, two]);
    assert.equal(await host.stat?.("b"), undefined);
    await assert.rejects(host.read("b"), { code: "ENOENT" });
    await assert.rejects(host.list("../b"), TypeError);
  });

  test("what was read is the caller's: the archive stays as it is", async () => {
    const host = archiveHost(zipOf([{ name: "a", content: "abc", method: 0 }]));
    (await host.read("a")).fill(0);
    assert.equal(text(await host.read("a")), "abc");
  });

  test("nothing in it is something else: names of objects are names", async () => {
    const entries = ["__proto__", "constructor/x", "toString"].map((name) => ({
      name,
      content: name,
    }));
    assert.deepEqual((await taken(tarOf(entries))).paths, [
      "__proto__",
      "constructor/x",
      "toString",
    ]);
    assert.deepEqual((await taken(zipOf(entries))).paths, [
      "__proto__",
      "constructor/x",
      "toString",
    ]);
  });

  test("an empty one has nothing in it", async () => {
    for (const archive of [zipOf([]), tarOf([]), gzipSync(tarOf([]))]) {
      const catalog = await loadSkills({ host: archiveHost(archive) });
      assert.deepEqual([catalog.size, catalog.diagnostics], [0, []]);
    }
  });
});

describe("it is given as", () => {
  const archive = zipOf(SKILLS);
  const pieces = [archive.subarray(0, 10), archive.subarray(10, 11), archive.subarray(11)];
  const stream = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new Uint8Array(piece));
        controller.close();
      },
    });
  const given: Record<string, () => ArchiveSource> = {
    bytes: () => new Uint8Array(archive),
    "a buffer": () => new Uint8Array(archive).buffer,
    "a view of a part of a buffer": () => Buffer.concat([Buffer.alloc(7), archive]).subarray(7),
    "a blob": () => new Blob([new Uint8Array(archive)]),
    "a stream": stream,
    "a response": () => new Response(new Uint8Array(archive)),
    "a stream of Node.js": () => Readable.from(pieces),
    "an iterable": async function* () {
      yield* pieces;
    },
    "a promise": () => Promise.resolve(new Uint8Array(archive)),
    "a function": () => () => new Uint8Array(archive),
    "a function with a promise": () => async () => new Response(new Uint8Array(archive)),
  };
  for (const [title, make] of Object.entries(given)) {
    test(title, async () => {
      const catalog = await loadSkills({ host: archiveHost(make()) });
      assert.deepEqual([catalog.names, await catalog.body("pdf")], [["pdf", "tea"], "Body"]);
    });
  }

  test("nothing else, and the error says what", async () => {
    const others = [undefined, null, 7, "a.zip", {}, new URL("https://example.com/a.zip"), [1, 2]];
    for (const other of others) {
      const late = await rejection(() => archiveHost(async () => other as never).list(""));
      for (const error of [thrown(() => archiveHost(other as never)), late]) {
        assert.equal(error.code, "SOURCE_UNSUPPORTED");
        assert.match(error.message, /^archiveHost cannot use .*: it takes bytes, a Blob/);
        assert.match(error.message, /of a file pass createReadStream\(path\)/);
      }
    }
    const error = await rejection(() => archiveHost(Readable.from(["text"])).list(""));
    assert.match(error.message, /a stream of it gives something else than bytes/);
  });

  test("what a zip of Windows has: backslashes for all separators", async () => {
    const names = ["tea\\SKILL.md", "tea\\notes\\a.md", "coffee\\"];
    const entries = names.map((name) => ({
      name,
      content: name.endsWith("md") ? validSkill("tea") : "",
    }));
    const { paths, found } = await taken(zipOf(entries));
    assert.deepEqual([paths.sort(), found], [["tea/SKILL.md", "tea/notes/a.md"], []]);
  });

  test("the reason for a refusal reaches who loads", async () => {
    const archive = zipOf([{ name: "ok/a", content: "x", flags: 0x801 }]);
    const lines: string[] = [];
    await loadSkills([{ host: archiveHost(archive), label: "packed" }], {
      onDiagnostic: ({ message, hint }) => lines.push(`${message} ${hint}`),
    });
    assert.deepEqual(lines, [
      'the directory could not be read (ARCHIVE_REFUSED): The archive is refused: "ok/a" is encrypted. Make it without a password. undefined',
    ]);
  });

  test("a call that fails for it has its code", async () => {
    const inner = memoryHost(OK);
    let isRefused = false;
    const host: SyncHost = {
      list: (directory) => inner.list(directory),
      read(file) {
        const message = "The archive is refused: no.";
        if (isRefused) throw new SkillError({ code: "ARCHIVE_REFUSED", message });
        return inner.read(file);
      },
    };
    const catalog = await loadSkills({ host }, { onDiagnostic() {} });
    isRefused = true;
    const error = await rejection(() => catalog.body("ok"));
    assert.equal(error.code, "ARCHIVE_REFUSED");
    assert.match(error.message, /could not be read: The archive is refused: no\.$/);
    const { code, content } = await catalog.call("load_skill", { name: "ok" });
    assert.equal(code, "ARCHIVE_REFUSED");
    assert.match(content, /the archive that it is in cannot be used\. Calling again will not help/);
  });

  test("a path that is not there is told, with what is", async () => {
    const archive = zipOf({
      "skills/tea/SKILL.md": validSkill("tea"),
      "skills/coffee/SKILL.md": validSkill("tea"),
    });
    const source = { host: archiveHost(archive), path: "skills" };
    const { names, diagnostics } = await loadSkills(source, { onDiagnostic() {} });
    assert.deepEqual(names, []);
    assert.deepEqual(
      diagnostics.map(({ code, path }) => [code, path]),
      [["source-path-missing", "skills"]],
    );
    assert.match(diagnostics[0]?.message ?? "", /there is coffee, tea$/);
  });

  test("a response that failed is no archive", async () => {
    const response = new Response("Not Found", { status: 404 });
    const catalog = await loadSkills({ host: archiveHost(response) }, { onDiagnostic: () => {} });
    assert.match(catalog.diagnostics[0]?.message ?? "", /the response has the status 404/);
    assert.equal(
      (await rejection(() => archiveHost(Response.error()).list(""))).code,
      "HOST_FAILED",
    );
  });

  test("one that fails fails the host, and only a function is asked again", async () => {
    const failing = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(new Error("cut off")),
      });
    await assert.rejects(archiveHost(failing()).list(""), {
      code: "HOST_FAILED",
      message: /^The archive could not be read: cut off\. Correct/,
    });
    let calls = 0;
    let isDown = true;
    const host = archiveHost(() => {
      calls += 1;
      return isDown ? failing() : new Uint8Array(archive);
    });
    const catalog = await loadSkills({ host }, { onDiagnostic: () => {} });
    assert.deepEqual([catalog.size, catalog.diagnostics.length], [0, 1]);
    isDown = false;
    calls = 0;
    const { added } = await catalog.refresh();
    assert.deepEqual([added, calls], [["pdf", "tea"], 1]);
    await catalog.refresh();
    assert.equal(calls, 1);
  });

  test("one that is not there is a fault, not an archive without files", async () => {
    const nothing = createReadStream(path.join(folder(), "nothing.zip"));
    const catalog = await loadSkills({ host: archiveHost(nothing) }, { onDiagnostic: () => {} });
    assert.match(catalog.diagnostics[0]?.message ?? "", /The archive could not be read: ENOENT/);
    const error = Object.assign(new Error("at https://user:secret@a.example/x?token=secret."), {
      code: "ENOENT",
    });
    const refusal = await rejection(() => archiveHost(Promise.reject(error)).list(""));
    assert.match(refusal.message, /could not be read: at https:\/\/a\.example\/x\. Correct/);
  });

  test("a function that gives nothing is called again by the next scan", async () => {
    let calls = 0;
    const host = archiveHost(() => {
      calls += 1;
      return calls === 1 ? new Promise<never>(() => {}) : new Uint8Array(archive);
    });
    const options = { onDiagnostic: () => {}, limits: { timeout: 200 } };
    const catalog = await loadSkills({ host }, options);
    assert.deepEqual([catalog.size, calls], [0, 1]);
    assert.deepEqual([(await catalog.refresh()).added, calls], [["pdf", "tea"], 2]);
    await catalog.refresh();
    assert.equal(calls, 2);
  });

  test("a response that somebody else has read", async () => {
    const response = new Response(new Uint8Array(archive));
    await response.arrayBuffer();
    const error = await rejection(() => archiveHost(response).list(""));
    assert.match(error.message, /the response was read already; pass a clone/);
  });

  test("a stream of nothing ends, and one of single bytes lets timers fire", async () => {
    const endless = async function* (piece: Uint8Array) {
      for (;;) yield piece;
    };
    const error = await rejection(() => archiveHost(endless(new Uint8Array())).list(""));
    assert.match(error.message, /could not be read: nothing but empty pieces come\./);
    const options = { onDiagnostic: () => {}, limits: { timeout: 200 } };
    const bounded = archiveHost(endless(new Uint8Array(1)), { limits: { bytes: 3_000_000 } });
    const start = performance.now();
    const catalog = await loadSkills({ host: bounded }, options);
    assert.ok(performance.now() - start < 3_000);
    assert.match(catalog.diagnostics[0]?.message ?? "", /no answer in 0\.2 s|more than 3000000/);
  });

  test("a promise that fails before anything is asked for", async () => {
    const host = archiveHost(Promise.reject(new Error("offline")));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await assert.rejects(host.list(""), /offline/);
  });

  test("a stream that never ends is read no further than may be", async () => {
    let given = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 1;
        controller.enqueue(new Uint8Array(1000).fill(0x50));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const [, said] = await refused(endless, { limits: { bytes: 50_000 } });
    assert.match(said, /^it has more than 50000 bytes\. Raise limits\.bytes/);
    assert.ok(given < 60, `${given}`);
    assert.ok(cancelled);
  });
});

describe("one skill, or a folder of them", () => {
  const skill = validSkill("pdf");
  const layouts: [
    title: string,
    files: Record<string, string>,
    paths: string[],
    names: string[],
  ][] = [
    ["a skill at the root", { "SKILL.md": skill, "a.md": "A" }, ["SKILL.md", "a.md"], ["pdf"]],
    [
      "a skill in its folder",
      { "pdf/SKILL.md": skill, "pdf/a": "A" },
      ["pdf/SKILL.md", "pdf/a"],
      ["pdf"],
    ],
    [
      "a folder of skills",
      { "skills-1.2/pdf/SKILL.md": skill, "skills-1.2/tea.md": validSkill("tea") },
      ["pdf/SKILL.md", "tea.md"],
      ["pdf", "tea"],
    ],
    [
      "with what macOS adds",
      { "__MACOSX/pdf/._SKILL.md": "x", "pdf/SKILL.md": skill, "pdf/._a": "x", ".DS_Store": "x" },
      ["pdf/SKILL.md"],
      ["pdf"],
    ],
    [
      "a folder among others",
      { "README.md": "# Skills", "skills/pdf/SKILL.md": skill },
      ["README.md", "skills/pdf/SKILL.md"],
      ["pdf"],
    ],
  ];
  for (const [title, files, expected, names] of layouts) {
    test(title, async () => {
      for (const archive of [zipOf(files), tarOf(files)]) {
        const host = archiveHost(archive);
        const catalog = await loadSkills({ host });
        assert.deepEqual([await paths(host), catalog.names], [expected, names]);
        assert.equal(catalog.diagnostics.filter(({ severity }) => severity !== "info").length, 0);
      }
    });
  }

  test("a skill at the root has no directory whose name it must have, but needs a name", async () => {
    const files = { "SKILL.md": "---\ndescription: d\n---\nBody" };
    const catalog = await loadSkills(
      { host: archiveHost(zipOf(files)) },
      { onDiagnostic: () => {} },
    );
    assert.deepEqual(catalog.diagnostics.map(toldWithPath).at(-1), "error no-usable-name SKILL.md");
  });

  test("a folder that has another name than its skill is told", async () => {
    const catalog = await loadSkills({ host: archiveHost(zipOf({ "pdf-main/SKILL.md": skill })) });
    assert.deepEqual(catalog.names, ["pdf"]);
    assert.deepEqual(
      catalog.diagnostics.map(({ code }) => code),
      ["name-directory-mismatch"],
    );
  });
});

describe("entries that are left out", () => {
  const hostile: [title: string, entry: TarEntry & ZipEntry, finding: string][] = [
    ["up", { name: "../evil.md" }, "archive-path ../evil.md"],
    ["up and down", { name: "ok/../../evil.md" }, "archive-path ok/../../evil.md"],
    ["absolute", { name: "/etc/evil" }, "archive-path /etc/evil"],
    ["a share", { name: "//host/share" }, "archive-path //host/share"],
    ["a drive", { name: "C:/evil" }, "archive-path C:/evil"],
    ["a backslash", { name: "..\\evil" }, "archive-path ..\\evil"],
    ["a control character", { name: "ok/\u001b[2J.md" }, "archive-path ok/[2J.md"],
    ["a device of Windows", { name: "ok/NUL.md" }, "archive-path ok/NUL.md"],
  ];
  for (const [title, entry, finding] of hostile) {
    test(title, async () => {
      for (const archive of [tarOf([okFile, entry]), zipOf([okFile, entry])]) {
        const expected = { paths: ["ok/SKILL.md"], found: [`warning ${finding}`] };
        assert.deepEqual(await taken(archive), expected);
        const [path, said] = await refused(archive, { strict: true });
        assert.match(said, /cannot be taken: its name is no path in here/);
        assert.equal(path, finding.replace("archive-path ", ""));
      }
    });
  }

  test("of a zip: links, devices and names with a NUL", async () => {
    const { paths, found } = await taken(
      zipOf([
        okFile,
        { name: "ok/link", mode: 0o120777, content: "../../etc/passwd" },
        { name: "ok/pipe", mode: 0o010644 },
        { name: "ok/device", mode: 0o020644 },
        { name: "ok/a.md\0.png" },
      ]),
    );
    assert.deepEqual(paths, ["ok/SKILL.md"]);
    assert.deepEqual(found, [
      "warning archive-link ok/link",
      "warning archive-special ok/pipe",
      "warning archive-special ok/device",
      "warning archive-path ok/a.md.png",
    ]);
  });

  test("of a tar: links of both kinds, devices, files with holes, labels, parts of files", async () => {
    const entries: TarEntry[] = [
      okFile,
      { name: "ok/soft", type: "2", link: "/etc/passwd" },
      { name: "ok/hard", type: "1", link: "ok/SKILL.md" },
      { name: "ok/character", type: "3" },
      { name: "ok/block", type: "4" },
      { name: "ok/pipe", type: "6" },
      { name: "ok/holes", type: "S", content: "data", magic: "ustar  \0" },
      { name: "label", type: "V" },
      { name: "ok/part", type: "M", content: "x".repeat(600) },
      paxOf({ "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "ok/sparse" }),
      { name: "GNUSparseFile.0/sparse", content: "1\n0\n0\n" },
      { name: "ok/last.md", content: "L".repeat(700), type: "7" },
    ];
    for (const archive of [tarOf(entries), gzipSync(tarOf(entries))]) {
      const { paths, found } = await taken(archive);
      assert.deepEqual(paths, ["ok/SKILL.md", "ok/last.md"]);
      assert.deepEqual(found, [
        "warning archive-link ok/soft",
        "warning archive-link ok/hard",
        "warning archive-special ok/character",
        "warning archive-special ok/block",
        "warning archive-special ok/pipe",
        "warning archive-special ok/holes",
        "warning archive-special label",
        "warning archive-special ok/part",
        "warning archive-special GNUSparseFile.0/sparse",
      ]);
      assert.equal(text(await archiveHost(archive).read("ok/last.md")), "L".repeat(700));
    }
  });

  test("are told by the catalog too, and where a link leads is shown", async () => {
    const archive = tarOf([okFile, { name: "ok/soft", type: "2", link: "/etc/passwd" }]);
    const catalog = await loadSkills({ host: archiveHost(archive) });
    assert.deepEqual(catalog.names, ["ok"]);
    assert.match(
      catalog.diagnostics[0]?.message ?? "",
      /left out: it is a link to "\/etc\/passwd"$/,
    );
    const list = await catalog.call("list_skill_resources", { skill: "ok" });
    assert.doesNotMatch(list.content, /soft/);
  });

  test("many are told in few words", async () => {
    const entries = Array.from({ length: 300 }, (_, index) => ({ name: `../${index}` }));
    const host = archiveHost(tarOf([okFile, ...entries]));
    await host.list("");
    assert.equal(host.diagnostics?.length, 101);
    assert.equal(host.diagnostics?.at(-1)?.code, "more-findings");
  });
});

describe("names", () => {
  test("of a tar may be long, in both ways, and the longer one counts", async () => {
    const long = `ok/${"d".repeat(90)}/${"e".repeat(90)}/${"f".repeat(90)}.md`;
    const archive = tarOf([
      okFile,
      paxOf({ path: long }),
      { name: "short", content: "pax" },
      { name: "././@LongLink", type: "L", content: `${long}x\0` },
      { name: "short", content: "gnu" },
      { name: "file.md", prefix: "ok/prefix", content: "ustar" },
      paxOf({ comment: "x" }, "g"),
      { name: "ok/after.md", content: "g" },
    ]);
    const host = archiveHost(archive);
    const expected = ["ok/SKILL.md", "ok/after.md", long, `${long}x`, "ok/prefix/file.md"];
    assert.deepEqual(await paths(host), expected.sort());
    assert.equal(text(await host.read(long)), "pax");
    assert.equal(text(await host.read(`${long}x`)), "gnu");
    assert.equal(text(await host.read("ok/prefix/file.md")), "ustar");
  });

  test("of a tar are judged as what they come to", async () => {
    const archive = tarOf([
      okFile,
      paxOf({ path: "../evil.md" }),
      { name: "ok/good.md" },
      { name: "././@LongLink", type: "L", content: "/etc/evil\0" },
      { name: "ok/good.md" },
      paxOf({ linkpath: "/etc/passwd" }),
      { name: "ok/link", type: "2", link: "good.md" },
    ]);
    const host = archiveHost(archive);
    assert.deepEqual(await paths(host), ["ok/SKILL.md"]);
    assert.deepEqual(host.diagnostics?.map(toldWithPath), [
      "warning archive-path ../evil.md",
      "warning archive-path /etc/evil",
      "warning archive-link ok/link",
    ]);
    assert.match(host.diagnostics?.[2]?.message ?? "", /"\/etc\/passwd"/);
  });

  test("that are blank in other scripts shift no content to another file", async () => {
    for (const blank of ["\u00a0", "\u3000", "\ufeff", "d/\u2003"]) {
      const archive = tarOf([
        { name: blank, content: "blank" },
        okFile,
        { name: "ok/a", content: "A" },
        { name: "ok/b", content: "B" },
      ]);
      const host = archiveHost(archive);
      assert.equal(text(await host.read("ok/a")), "A");
      assert.equal(text(await host.read("ok/b")), "B");
      assert.equal(text(await host.read("ok/SKILL.md")), okFile.content);
    }
  });

  test("of a zip are UTF-8 or of the code page of old, decoded once", async () => {
    const { paths } = await taken(
      zipOf([
        { name: "ok/ü.md" },
        { name: Uint8Array.of(0x6f, 0x6b, 0x2f, 0x84, 0x2e, 0x6d, 0x64) },
        { name: "ok/%2e%2e%2fx.md" },
        { name: "ok/&amp;.md" },
        { name: "top" },
      ]),
    );
    assert.deepEqual(paths, ["ok/%2e%2e%2fx.md", "ok/&amp;.md", "ok/ä.md", "ok/ü.md", "top"]);
  });

  test("that cannot be decoded are left out", async () => {
    const raw = Uint8Array.of(0x6f, 0x6b, 0x2f, 0xff, 0x2e, 0x6d, 0x64);
    const archive = zipOf([okFile, { name: raw, flags: 0x800 }]);
    assert.deepEqual((await taken(archive)).found, ["warning archive-path ok/\ufffd.md"]);
  });

  test("with another one for readers of Unicode count by that one", async () => {
    const name = "ok/plain.md";
    const other = bytes("../evil.md");
    const extra = Buffer.alloc(9 + other.length);
    extra.writeUInt16LE(0x7075, 0);
    extra.writeUInt16LE(5 + other.length, 2);
    extra.writeUInt8(1, 4);
    extra.writeUInt32LE(crcOf(name), 5);
    extra.set(other, 9);
    const archive = zipOf([okFile, { name: bytes(name), extra }]);
    assert.deepEqual((await taken(archive)).found, ["warning archive-path ../evil.md"]);
  });

  const clashes: [title: string, names: string[], problem: RegExp][] = [
    ["twice", ["ok/a.md", "ok/a.md"], /^"ok\/a\.md" is in it twice\. Leave one/],
    ["twice, written in two ways", ["ok/a.md", "./ok//a.md"], /^"\.\/ok\/\/a\.md" is in it twice/],
    [
      "that differ in case",
      ["ok/a.md", "ok/A.md"],
      /^"ok\/A\.md" and "ok\/a\.md" differ only in case/,
    ],
    [
      "whose folders differ in case",
      ["ok/a.md", "OK/b.md"],
      /^"OK\/b\.md" and "ok\/SKILL\.md" differ/,
    ],
    [
      "that differ in how letters are composed",
      ["ok/\u00e9", "ok/e\u0301"],
      /differ only in case or in how/,
    ],
    ["that are one in capitals", ["ok/ſ", "ok/s"], /^"ok\/s" and "ok\/ſ" differ only in case/],
    ["with ß", ["ok/ß", "ok/SS"], /^"ok\/SS" and "ok\/ß" differ only in case/],
    [
      "that differ in dots at their end",
      ["ok/a.md", "ok/a.md."],
      /^"ok\/a\.md\." and "ok\/a\.md" differ only in dots or blanks at an end/,
    ],
    [
      "of a file and a directory",
      ["ok/a", "ok/a/b"],
      /^"ok\/a\/b" and "ok\/a" cannot both be there/,
    ],
    [
      "of a directory and a file",
      ["ok/a/b", "ok/a"],
      /^"ok\/a" and "ok\/a\/b" cannot both be there/,
    ],
  ];
  for (const [title, names, problem] of clashes) {
    test(`${title} refuse it`, async () => {
      const entries = [okFile, ...names.map((name) => ({ name, content: name }))];
      for (const archive of [tarOf(entries), zipOf(entries)]) {
        const [path, said] = await refused(archive);
        assert.match(said, problem);
        assert.equal(path, names[1]);
      }
    });
  }

  test("below a link refuse it, though the link is left out", async () => {
    const link = { name: "ok/l", type: "2", link: "/etc", mode: 0o120777, content: "" };
    const entries = [okFile, link, { name: "ok/l/passwd" }];
    for (const archive of [tarOf(entries), zipOf(entries)]) {
      assert.match((await refused(archive))[1], /"ok\/l\/passwd" and "ok\/l" cannot both/);
    }
  });
});

/** The checksum of a text, as an archive has it. */
function crcOf(name: string): number {
  const zip = zipOf([{ name: "x", content: name }]);
  return zip.readUInt32LE(14);
}

describe("what is damaged is refused as a whole", () => {
  const zip = zipOf(OK);
  const tar = tarOf(OK);
  const gzip = gzipSync(tar);
  const halves = [tar.subarray(0, 512), tar.subarray(512)];
  const several = /^it is several gzip files in a row.*Make it one: gzip -dc OLD \| gzip > NEW\.$/;
  const cut = (archive: Buffer, at: number): Buffer => archive.subarray(0, archive.length - at);
  const flipped = (archive: Buffer, at: number): Buffer => {
    const copy = Buffer.from(archive);
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
    return copy;
  };
  const damaged: [title: string, archive: Buffer, said: RegExp][] = [
    [
      "a zip that is cut off",
      cut(zip, 30),
      /^it cannot be unpacked: .*It may be cut off or damaged/,
    ],
    ["a zip that ends in its content", zip.subarray(0, 60), /^it cannot be unpacked/],
    ["a zip without an end", zip.subarray(0, 4), /^it cannot be unpacked/],
    ["a zip with another content", flipped(zip, 45), /^the content of "ok\/SKILL\.md" is not/],
    [
      "a zip with another checksum",
      zipOf([{ ...okFile, sum: 1 }]),
      /^the content of "ok\/SKILL\.md" is/,
    ],
    [
      "the same, not compressed",
      zipOf([{ ...okFile, sum: 1, method: 0 }]),
      /^the content of "ok\/SKILL\.md" is not what the archive says of it\. It may be/,
    ],
    [
      "a zip packed in another way",
      zipOf([{ ...okFile, method: 12 }]),
      /packed in a way that is not known/,
    ],
    ["a tar that is cut off", cut(tar, 1030), /^it cannot be unpacked/],
    ["a tar without an end", tarOf(OK, 0), /^it cannot be unpacked/],
    [
      "a tar with a damaged header",
      flipped(tarOf([okFile, okFile]), 1024 + 3),
      /^it cannot be unpacked/,
    ],
    [
      "a tar with something after its end",
      Buffer.concat([tar, Buffer.from("evil")]),
      /^it cannot be/,
    ],
    [
      "gzip that is cut off",
      cut(gzip, 9),
      /^it cannot be unpacked: its compressed bytes are not one whole gzip file\./,
    ],
    ["gzip with another checksum", flipped(gzip, gzip.length - 6), /^it cannot be unpacked/],
    ["gzip with another content", flipped(gzip, 40), /^it cannot be unpacked/],
    [
      "gzip with something after its end",
      Buffer.concat([gzip, bytes("evil")]),
      /^it cannot be unpacked/,
    ],
    [
      "gzip with zeros and its own length after its end",
      Buffer.concat([gzip, Buffer.alloc(8), gzip.subarray(gzip.length - 4)]),
      /^it cannot be unpacked/,
    ],
    [
      "gzip with zeros and its own end after its end",
      Buffer.concat([gzip, Buffer.alloc(8), gzip.subarray(gzip.length - 8)]),
      /^it cannot be unpacked/,
    ],
    ["gzip twice", Buffer.concat([gzip, gzip]), several],
    ["gzip in two parts", Buffer.concat(halves.map((half) => gzipSync(half))), several],
    ["gzip of nothing before it", Buffer.concat([gzipSync(""), gzip]), several],
    ["gzip of something else", gzipSync("---\nname: a\n"), /^it is neither a zip nor a tar/],
    ["gzip of a zip", gzipSync(zip), /^it is neither a zip nor a tar/],
    ["gzip of gzip", gzipSync(gzip), /^it is neither a zip nor a tar/],
    [
      "a page of a server",
      Buffer.from("<!doctype html>".repeat(100)),
      /^it is neither.*Pass a \.zip/,
    ],
    ["nothing", Buffer.alloc(0), /^it is neither a zip nor a tar/],
  ];
  for (const [title, archive, expected] of damaged) {
    test(title, async () => {
      assert.match((await refused(archive))[1], expected);
    });
  }
});

describe("what lies about itself is refused", () => {
  const large = "a".repeat(5000);
  const endOf = (content: string): Buffer => gzipSync(content).subarray(-8);
  const lies: [title: string, entries: ZipEntry[], said: RegExp][] = [
    [
      "fewer bytes than come",
      [{ name: "a", content: large, size: 10 }],
      /^the content of "a" is not what/,
    ],
    [
      "more bytes than come",
      [{ name: "a", content: "abc", size: 4000 }],
      /^the content of "a" is not what/,
    ],
    [
      "content that ends before its own end",
      [{ name: "a", content: large, rest: Buffer.concat([endOf(large), Buffer.alloc(8)]) }],
      /^the content of "a" is not what/,
    ],
    [
      "content that ends before its own end",
      [{ name: "a", content: large, rest: Buffer.concat([endOf(large), Buffer.alloc(8)]) }],
      /^the content of "a" is not what/,
    ],
    [
      "the same, not compressed",
      [{ name: "a", content: "abc", size: 4000, method: 0 }],
      /^the content of "a" is not what/,
    ],
    [
      "content that goes on over its end",
      [{ name: "a", content: "abc", packedSize: 4000 }],
      /"a" cannot be unpacked/,
    ],
    [
      "two sizes",
      [{ name: "a", content: "abc", local: { size: 4 } }],
      /"a" cannot be unpacked: .*mismatch/i,
    ],
    [
      "two names",
      [{ name: "a", content: "abc", local: { name: "b" } }],
      /"a" cannot be unpacked: .*mismatch/i,
    ],
    [
      "one content for two",
      [
        { name: "a", content: large },
        { name: "b", content: large, offset: 0, local: { name: "a" } },
      ],
      /"b" cannot be unpacked/,
    ],
    [
      "a place that is not there",
      [{ name: "a", content: "abc", offset: 99_999 }],
      /cannot be unpacked/,
    ],
  ];
  for (const [title, entries, expected] of lies) {
    test(`a zip with ${title}`, async () => {
      assert.match((await refused(zipOf([okFile, ...entries])))[1], expected);
    });
  }

  test("a zip in whose content another one begins", async () => {
    const inner = zipOf([{ name: "a", content: large }]);
    const outer = zipOf([{ name: "outer", content: inner, method: 0 }]);
    const overlapping = Buffer.from(outer);
    assert.deepEqual((await taken(overlapping)).paths, ["outer"]);
    const both = zipOf([
      { name: "outer", content: inner, method: 0 },
      { name: "a", content: large, offset: 30 + "outer".length },
    ]);
    assert.match((await refused(both))[1], /"a" cannot be unpacked: .*overlap/i);
  });

  test("a zip after another one, also where names are there twice that nobody takes", async () => {
    const twice = [okFile, { name: "__MACOSX/a" }, { name: "__MACOSX/a" }];
    for (const entries of [[okFile], twice, [okFile, { name: "../a" }, { name: "../a" }]]) {
      const after = Buffer.concat([zipOf([{ name: "other" }]), zipOf(entries)]);
      assert.match((await refused(after))[1], /^it cannot be unpacked: .*(prepended|duplicate)/);
    }
    assert.match((await refused(zipOf(twice)))[1], /^it cannot be unpacked: .*duplicate filename/);
  });

  test("a zip whose entries say something else than its directory, also where they are left out", async () => {
    const sound = zipOf([okFile, { name: "__MACOSX/x", content: "x" }, { name: "ok/d/" }]);
    assert.deepEqual((await taken(sound)).paths, ["ok/SKILL.md"]);
    for (const name of ["__MACOSX/x", ".DS_Store", "../x", "ok/d/"]) {
      const entry = { name, content: "evil", local: { name: "ok/evil.md" } };
      const [path, said] = await refused(zipOf([okFile, entry]));
      assert.equal(path, name);
      assert.match(said, /cannot be unpacked: .*mismatch/i);
    }
  });

  test("a zip with a directory that has a file's name, or a content", async () => {
    for (const entry of [
      { name: "tea/SKILL.md", content: validSkill("tea"), dos: 0x10 },
      { name: "tea/SKILL.md/", content: validSkill("tea") },
    ]) {
      const { paths, found } = await taken(zipOf([okFile, entry]));
      assert.deepEqual(
        [paths, found],
        [
          ["ok/SKILL.md"],
          [`${"dos" in entry ? "error" : "warning"} archive-special ${entry.name}`],
        ],
      );
    }
  });

  test("a zip with another end in its comment", async () => {
    assert.deepEqual((await taken(zipOf([okFile], false, bytes("Made for ok.")))).paths, [
      "ok/SKILL.md",
    ]);
    for (const comment of [zipOf([]), zipOf(SKILLS)]) {
      assert.match((await refused(zipOf([okFile], false, comment)))[1], /^it cannot be unpacked/);
    }
  });

  test("a tar with a size that is not there", async () => {
    const archive = tarOf([okFile, { name: "ok/a", content: "abc", size: 99_999 }]);
    assert.match((await refused(archive))[1], /^it cannot be unpacked/);
    const negative = tarOf([okFile, { name: "ok/a", content: "abc", size: 8 ** 11 - 1 }]);
    assert.match((await refused(negative))[1], /^it cannot be unpacked/);
  });

  test("a tar that other readers read in another way", async () => {
    const inner = tarOf([{ name: "hidden/SKILL.md", content: validSkill("hidden") }], 0);
    const file = { name: "short", content: "x" };
    const long: TarEntry = { name: "././@LongLink", type: "L", content: "ok/long\0" };
    const pax = paxOf({ path: "ok/pax" });
    const raw = (content: string): TarEntry => ({ name: "PaxHeaders/x", type: "x", content });
    for (const entries of [
      ...["1", "2", "3", "4", "5", "6"].map((type) => [{ name: "ok/x", type, content: inner }]),
      [pax, long, file],
      [long, pax, file],
      [pax, pax, file],
      [long, long, file],
      [paxOf({ path: "ok/all" }, "g"), file],
      [paxOf({ size: "0" }, "g"), file],
      [paxOf({ size: "+1" }), file],
      [paxOf({ size: "1.0" }), file],
      [raw("13 path=ok/x\n13 path=ok/y\n"), file],
      [raw("20 path=ok/x\n"), file],
      [raw("012 path=ok/x\n"), file],
      [raw("path=ok/x\n"), file],
      [raw("13 path=ok/x "), file],
      [raw("8 path\n\n"), file],
    ] as TarEntry[][]) {
      assert.match((await refused(tarOf([okFile, ...entries])))[1], /^it cannot be unpacked/);
    }
  });

  test("a tar with a directory that has a content", async () => {
    for (const type of ["\0", "0", "7"]) {
      for (const content of ["x".repeat(600), "x"]) {
        const [path, said] = await refused(
          tarOf([okFile, { name: "ok/a/", content, magic: "", type }]),
        );
        assert.equal(path, "ok/a/");
        assert.match(said, /^"ok\/a\/" is a directory by its name, and has a content\. Take/);
      }
      const { paths, found } = await taken(tarOf([{ name: "ok/", magic: "", type }, okFile]));
      assert.deepEqual([paths, found], [["ok/SKILL.md"], []]);
    }
  });

  test("a tar with a file of holes", async () => {
    const holes: TarEntry = { name: "ok/holes", type: "S", content: "x" };
    const { paths, found } = await taken(tarOf([okFile, holes]));
    assert.deepEqual([paths, found], [["ok/SKILL.md"], ["warning archive-special ok/holes"]]);
  });
});

test("what is encrypted refuses it", async () => {
  const archive = zipOf([okFile, { name: "ok/secret.md", content: "x", flags: 0x801 }]);
  const [path, said] = await refused(archive);
  assert.equal(path, "ok/secret.md");
  assert.match(said, /^"ok\/secret\.md" is encrypted\. Make it without a password\.$/);
});

describe("what is too much refuses it", () => {
  const zeros = Buffer.alloc(3_000_000);

  test("more entries than the limit", async () => {
    const entries = Array.from({ length: 20 }, (_, index) => ({ name: `ok/${index}` }));
    for (const archive of [tarOf(entries), zipOf(entries), gzipSync(tarOf(entries))]) {
      const [, said] = await refused(archive, { limits: { entries: 19 } });
      assert.match(said, /^it has more than 19 entries\. Raise limits\.entries/);
      assert.equal((await taken(archive, { limits: { entries: 20 } })).paths.length, 20);
    }
  });

  test("a hundred thousand entries, before they are all listed", async () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => ({
      name: `d/${index}`,
      method: 0,
    }));
    for (const archive of [zipOf(entries), gzipSync(tarOf(entries.slice(0, 20_000)))]) {
      assert.match((await refused(archive))[1], /^it has more than 10000 entries/);
    }
  });

  test("names without an end", async () => {
    const path = "n".repeat(1_000_000);
    const entries = Array.from({ length: 10 }, () => [paxOf({ path }), { name: "x" }]).flat();
    assert.match(
      (await refused(tarOf(entries)))[1],
      /^the names and attributes in it have more than 8388608 bytes/,
    );
  });

  test("attributes without an end, before anybody reads them", async () => {
    const keys = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
    const files = Array.from({ length: 9000 }, (_, index) => ({ name: `ok/${index}` }));
    const start = performance.now();
    for (const entries of [
      [paxOf(keys(510), "g"), ...files],
      [paxOf(keys(300_000)), { name: "ok/a" }],
    ]) {
      const [, said] = await refused(gzipSync(tarOf([okFile, ...entries])));
      assert.match(said, /^its entries have more than 200000 attributes\. Make it without/);
    }
    assert.ok(performance.now() - start < 10_000);
    const few = [paxOf(keys(10), "g"), ...files.slice(0, 100), okFile];
    assert.equal((await taken(tarOf(few))).paths.length, 101);
  });

  test("one large file", async () => {
    const options = { limits: { entryBytes: 2_999_999, ratio: 5000 } };
    for (const archive of [
      tarOf({ "ok/a": zeros }),
      zipOf({ "ok/a": zeros }),
      gzipSync(tarOf({ "ok/a": zeros })),
    ]) {
      const [path, said] = await refused(archive, options);
      assert.equal(path, "ok/a");
      assert.match(said, /^"ok\/a" has more than 2999999 bytes\. Raise limits\.entryBytes/);
    }
  });

  test("many small ones", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`ok/${index}`, Buffer.alloc(100_000)]),
    );
    const options = { limits: { bytes: 2_000_000, ratio: 5000 } };
    for (const archive of [zipOf(files), gzipSync(tarOf(files))]) {
      const [, said] = await refused(archive, options);
      assert.match(said, /^what is in it has more than 2000000 bytes\. Raise limits\.bytes/);
    }
  });

  test("a thousand times as much as was packed", async () => {
    for (const archive of [zipOf({ "ok/a": zeros }), gzipSync(tarOf({ "ok/a": zeros }))]) {
      assert.ok(zeros.length / archive.length > 500);
      const [, said] = await refused(archive);
      assert.match(said, /^what is in it is more than 100 times as large as the archive/);
      assert.equal((await taken(archive, { limits: { ratio: 1032 } })).paths.length, 1);
    }
    const small = Buffer.alloc(900_000);
    assert.equal((await taken(gzipSync(tarOf({ "ok/a": small })))).paths.length, 1);
  });

  test("what a directory of a zip makes small and its content does not", async () => {
    const content = Buffer.alloc(50_000_000);
    const packed = deflateRawSync(content).length;
    const archive = zipOf([okFile, { name: "ok/bomb", content, size: 1000, packedSize: packed }]);
    const before = process.memoryUsage().arrayBuffers;
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }, 1);
    assert.match((await refused(archive))[1], /^the content of "ok\/bomb" is not what/);
    clearInterval(timer);
    assert.ok(most - before < 20_000_000, `${most - before}`);
  });

  test("gzip of gigabytes, of which no more is unpacked than may be", async () => {
    // 300 parts of 10 MB that are the same: what they are packed into is a part of it, repeated.
    const part = deflateRawSync(Buffer.alloc(10_000_000), { finishFlush: 2 });
    const header = gzipSync("").subarray(0, 10);
    const bomb = Buffer.concat([header, ...Array.from({ length: 300 }, () => part)]);
    const start = performance.now();
    assert.match((await refused(bomb))[1], /what is in it (?:has|is) more than/);
    assert.ok(performance.now() - start < 20_000);
  });

  test("an archive in it is a file like others", async () => {
    const inner = gzipSync(tarOf({ a: zeros }));
    const host = archiveHost(zipOf({ "ok/SKILL.md": "x", "ok/inner.tar.gz": inner }));
    assert.deepEqual(Buffer.from(await host.read("ok/inner.tar.gz")), inner);
  });
});

describe("what a developer gets wrong is told at once", () => {
  const wrong: [options: object, problem: RegExp][] = [
    [{ strikt: true }, /strikt is not known; strict is/],
    [{ strict: "yes" }, /strict must be true or false/],
    [{ limits: { entry: 1 } }, /limits\.entry is not known; entryBytes is/],
    [{ limits: { bytes: -1 } }, /limits\.bytes must be a whole number/],
    [{ limits: { ratio: 0 } }, /limits\.ratio must be a whole number from 1/],
  ];
  for (const [options, problem] of wrong) {
    test(JSON.stringify(options), () => {
      const error = thrown(() => archiveHost(new Uint8Array(), options));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, problem);
    });
  }
});

test("an archive that is refused holds up no other source", async () => {
  const sources = [
    { host: archiveHost(Buffer.from("no archive")), label: "bad" },
    { host: archiveHost(zipOf(OK)) },
  ];
  const catalog = await loadSkills(sources, { onDiagnostic: () => {} });
  assert.deepEqual(catalog.names, ["ok"]);
  const [finding] = catalog.diagnostics;
  assert.deepEqual([finding?.severity, finding?.path], ["error", "bad"]);
  assert.match(finding?.message ?? "", /The archive is refused: it is neither a zip/);
});

describe("what other programs make", () => {
  const made = (): string => {
    const root = folder(SKILLS);
    write(root, `pdf/docs/${"long-name-".repeat(20)}.md`, "long");
    write(root, "pdf/ümläut.md", "u");
    link(root, "tea/link", "../../etc/passwd");
    return root;
  };
  const expected = [
    "pdf/SKILL.md",
    "pdf/docs/a.md",
    `pdf/docs/${"long-name-".repeat(20)}.md`,
    "pdf/ümläut.md",
    "tea/SKILL.md",
  ].sort();
  for (const [title, options] of [
    ["tar of GNU", ["--format=gnu", "-cf"]],
    ["tar with pax headers", ["--format=pax", "-cf"]],
    ["tar in gzip", ["-czf"]],
  ] as const) {
    test(title, async () => {
      const root = made();
      const file = path.join(folder(), "a.tar");
      execFileSync("tar", [...options, file, "-C", root, "."]);
      const { paths, found } = await taken(new Uint8Array(readFileSync(file)));
      assert.deepEqual([paths, found], [expected, ["warning archive-link ./tea/link"]]);
    });
  }
});

describe("the package", () => {
  /** A program in a project that has the package and nothing else. */
  function run(program: string): string {
    const root = folder();
    const installed = fileURLToPath(new URL("..", import.meta.resolve("skillshelf")));
    mkdirSync(path.join(root, "node_modules"));
    cpSync(installed, path.join(root, "node_modules/skillshelf"), { recursive: true });
    writeFileSync(path.join(root, "program.mjs"), program);
    const options = { cwd: root, encoding: "utf8" } as const;
    return execFileSync(process.execPath, ["program.mjs"], options);
  }

  test("names what to install where it is missing", () => {
    const archive = (content: Buffer): string =>
      `Buffer.from("${content.toString("base64")}", "base64")`;
    const said = run(`
      import { archiveHost } from "skillshelf/archive";
      for (const bytes of [${archive(zipOf(OK))}, ${archive(tarOf(OK))}]) {
        await archiveHost(bytes).list("").catch((error) => console.log(error.code, error.message));
      }`);
    assert.match(
      said,
      /^PEER_MISSING skillshelf\/archive needs the package @zip\.js\/zip\.js, .*: npm install @zip\.js\/zip\.js\n/,
    );
    assert.match(
      said,
      /\nPEER_MISSING .* modern-tar, which cannot be imported: npm install modern-tar\n$/,
    );
  });

  test("names it to who fetches archives, too", () => {
    const zip = zipOf({ "SKILL.md": validSkill("ok") });
    const said = run(`
      import { createHash } from "node:crypto";
      import { httpHost } from "skillshelf/http";
      const zip = Buffer.from("${zip.toString("base64")}", "base64");
      const $schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
      const digest = "sha256:" + createHash("sha256").update(zip).digest("hex");
      const entry = { name: "ok", type: "archive", description: "d", url: "ok.zip", digest };
      const fetch = async (url) =>
        new Response(url.endsWith(".zip") ? zip : JSON.stringify({ $schema, skills: [entry] }));
      const host = httpHost("https://a.example/index.json", { fetch });
      await host.list("ok").catch((error) => console.log(error.code, error.message));`);
    assert.match(
      said,
      /^PEER_MISSING skillshelf\/http needs the package @zip\.js\/zip\.js, .*: npm install @zip\.js\/zip\.js\n$/,
    );
  });

  test("says what is missing where nothing can be inflated, and takes what is not compressed", () => {
    const buffers = [zipOf(OK), gzipSync(tarOf(OK)), tarOf(OK)].map((one) =>
      one.toString("base64"),
    );
    const program = `
      delete globalThis.DecompressionStream;
      const { archiveHost } = await import("skillshelf/archive");
      for (const base64 of ${JSON.stringify(buffers)}) {
        const listed = archiveHost(Buffer.from(base64, "base64")).list("");
        console.log(await listed.then(([{ name }]) => name, (error) => error.code + " " + error.message));
      }`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    const lines = printed.trimEnd().split("\n");
    for (const line of lines.slice(0, 2)) {
      assert.match(line, /^SOURCE_UNSUPPORTED .*no DecompressionStream\. Pass it uncompressed/);
    }
    assert.deepEqual(lines.slice(2), ["ok"]);
  });

  test("works alone, without the main entry", () => {
    const program = `
      import { archiveHost } from "skillshelf/archive";
      const host = archiveHost(Buffer.from("${tarOf(OK).toString("base64")}", "base64"));
      console.log(JSON.stringify(await host.list("")));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    assert.deepEqual(JSON.parse(printed), [{ name: "ok", kind: "directory" }]);
  });

  test("has a twin for those who bring the module", () => {
    const program = `
      import { readFileSync } from "node:fs";
      import { init, loadSkills } from "skillshelf/slim";
      import { archiveHost } from "skillshelf/slim/archive";
      const archive = Buffer.from("${zipOf(OK).toString("base64")}", "base64");
      try { archiveHost(archive); } catch (error) { console.log(error.code); }
      await init(readFileSync(new URL(import.meta.resolve("skillshelf/skillshelf.wasm"))));
      console.log((await loadSkills({ host: archiveHost(archive) })).names.join());`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    assert.equal(printed, "NOT_INITIALIZED\nok\n");
  });
});

// read_skill_file: which paths it takes, text in pages, other files as bytes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { memoryHost, type SyncCatalog, type SyncHost, type ToolResult } from "skillshelf";
import { countedHost, type Files, MAKES, smallHost } from "./support/hosts.ts";
import { shelf, shelfOf, shelfWithPromises } from "./support/load.ts";
import { validSkill } from "./support/text.ts";

const files: Files = {
  "top.md": "TOP",
  "demo/SKILL.md": validSkill("demo"),
  "demo/references/schema.md": "Schema",
  "demo/a b/ü.md": "Ü",
  "demo/%2e%2e/odd.md": "Odd",
  "demo/..a/b..c": "Dots",
  "demo/forms.md": "F",
  "demo/empty.md": "",
  "demo-evil/SKILL.md": validSkill("demo-evil"),
  "demo-evil/own.md": "OWN",
};

const read = (catalog: SyncCatalog, path: string, more: object = {}): ToolResult =>
  catalog.call("read_skill_file", { skill: "demo", path, ...more });

for (const [make, hostOf] of Object.entries(MAKES)) {
  describe(`paths on a host with ${make}`, () => {
    const catalog = shelfOf(hostOf(files));
    const accepted: [path: string, content: string][] = [
      ["references/schema.md", "Schema"],
      ["./references/./schema.md", "Schema"],
      ["references//schema.md", "Schema"],
      ["references/../forms.md", "F"],
      ["references//../forms.md", "F"],
      ["references\\schema.md", "Schema"],
      ["a b/ü.md", "Ü"],
      ["%2e%2e/odd.md", "Odd"],
      ["..a/b..c", "Dots"],
      ["empty.md", ""],
    ];
    for (const [path, content] of accepted) {
      test(`reads ${path}`, () => {
        assert.deepEqual(read(catalog, path), { content, isError: false, skill: "demo" });
      });
    }
    const refused: [path: string, reason: RegExp][] = [
      ["/etc/passwd", /absolute/],
      ["\\windows\\x", /absolute/],
      ["//server/share", /absolute/],
      ["\\\\?\\C:\\x", /absolute/],
      ["../demo-evil/own.md", /leaves/],
      ["../top.md", /leaves/],
      ["..", /leaves|ends/],
      ["references/../../top.md", /leaves/],
      ["a//../..//top.md", /leaves/],
      ["..\\top.md", /leaves/],
      ["references\\..\\..\\top.md", /leaves/],
      ["C:/x", /colon/],
      ["C:x", /colon/],
      ["forms.md:stream", /colon/],
      ["file:///etc/passwd", /colon/],
      ["forms.md\0.png", /control/],
      ["forms\n.md", /control/],
      ["./", /separator/],
      ["references/", /separator/],
      ["references\\", /separator/],
      [".", /itself/],
      ["references/..", /itself/],
      ["nul", /device/],
      ["references/CON.txt", /device/],
      ["com1", /device/],
      ["aux.md", /device/],
      [".../x", /dots/],
    ];
    for (const [path, reason] of refused) {
      test(`refuses ${JSON.stringify(path)}`, () => {
        const result = read(catalog, path);
        assert.deepEqual(
          [result.isError, result.code, result.skill],
          [true, "PATH_REFUSED", "demo"],
          result.content,
        );
        assert.match(result.content, reason);
        assert.match(result.content, /relative to the skill's own directory/);
      });
    }
    const absent: [path: string, near: RegExp][] = [
      ["references/schema", /Did you mean "references\/schema\.md"\?/],
      ["schema.md", /Did you mean "references\/schema\.md"\?/],
      ["FORMS.md", /Did you mean "forms\.md"\?/],
      ["../demo/forms", /leaves/],
      [
        "nothing-like-it.xyz",
        /There is no file "nothing-like-it\.xyz" in the skill "demo"\. Take another/,
      ],
      ["forms.md/below", /no file/],
      ["%2e%2e/%2e%2e/top.md", /no file/],
      ["top.md", /no file/],
    ];
    for (const [path, content] of absent) {
      test(`does not find ${path}`, () => {
        const result = read(catalog, path);
        assert.equal(
          result.code,
          path.startsWith("..") ? "PATH_REFUSED" : "FILE_NOT_FOUND",
          result.content,
        );
        assert.match(result.content, content);
      });
    }
    test("a directory is no file", () => {
      const result = read(catalog, "references");
      assert.ok(result.isError);
      assert.ok(
        ["PATH_REFUSED", "FILE_NOT_FOUND", "HOST_FAILED"].includes(result.code ?? ""),
        result.code,
      );
    });
    test("an empty path is refused by its schema or its rule", () => {
      assert.ok(["PATH_REFUSED", "TOOL_ARGUMENTS_INVALID"].includes(read(catalog, "").code ?? ""));
    });
    test("with promises the same", async () => {
      const promised = await shelfWithPromises(hostOf(files));
      for (const path of [...accepted, ...refused, ...absent].map(([path]) => path)) {
        assert.deepEqual(
          await promised.call("read_skill_file", { skill: "demo", path }),
          read(catalog, path),
          path,
        );
      }
    });
  });
}

test("a refused path costs the host nothing", () => {
  const { host, calls } = countedHost(smallHost(files));
  const catalog = shelfOf(host);
  calls.length = 0;
  for (const path of ["../top.md", "/etc/passwd", "C:/x", "a\0"]) read(catalog, path);
  assert.deepEqual(calls, []);
});

test("any path that is accepted stays inside", () => {
  const segment = fc.constantFrom(
    "..",
    ".",
    "",
    "a",
    "references",
    "demo-evil",
    "forms.md",
    "top.md",
    "C:",
    " ",
    "...",
    "\0",
    "%2e%2e",
    "~",
  );
  const separator = fc.constantFrom("/", "\\", "//", "/./");
  const path = fc
    .array(fc.tuple(separator, segment), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.flat().slice(1).join(""));
  const { host, calls } = countedHost(smallHost(files));
  const catalog = shelfOf(host);
  fc.assert(
    fc.property(path, (path) => {
      calls.length = 0;
      const result = read(catalog, path);
      assert.doesNotMatch(result.content, /TOP|OWN/);
      for (const call of calls) {
        const name = call.slice(call.indexOf(" ") + 1);
        assert.match(name, /^demo(?:\/|$)/);
        assert.ok(!name.split(/[/\\]/).some((part) => part === ".." || part === "."), name);
      }
    }),
    { numRuns: 2_000, seed: 5 },
  );
});

test("a loose skill has no files", () => {
  const catalog = shelf({
    "a.md": validSkill("a"),
    "b/SKILL.md": validSkill("b"),
    "secret.txt": "S",
  });
  const result = catalog.call("read_skill_file", { skill: "a", path: "secret.txt" });
  assert.equal(result.code, "PATH_REFUSED");
  assert.match(result.content, /no files beside it/);
});

test("SKILL.md itself is one of its files", () => {
  assert.equal(read(shelfOf(smallHost(files)), "SKILL.md").content, files["demo/SKILL.md"]);
});

test("a file of a nested skill is read as its own, never through the outer one or back", () => {
  const catalog = shelf(
    {
      "a/SKILL.md": validSkill("a"),
      "a/x.md": "X",
      "a/in/SKILL.md": validSkill("in"),
      "a/in/y.md": "Y",
    },
    { nested: true },
  );
  assert.equal(catalog.call("read_skill_file", { skill: "in", path: "y.md" }).content, "Y");
  const outer = catalog.call("read_skill_file", { skill: "a", path: "in/y.md" });
  assert.equal(outer.code, "FILE_NOT_FOUND");
  assert.equal(
    catalog.call("read_skill_file", { skill: "in", path: "../x.md" }).code,
    "PATH_REFUSED",
  );
});

describe("text in pages", () => {
  /** Reads page after page; what the pages hold, without what is said about them. */
  function pages(catalog: SyncCatalog, limit?: number): { text: string; count: number } {
    let text = "";
    let count = 0;
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const result: ToolResult = read(catalog, "long.md", {
        offset,
        ...(limit === undefined ? {} : { limit }),
      });
      assert.equal(result.isError, false, result.content);
      const marker = result.content.lastIndexOf("\n\n[Bytes ");
      assert.equal(result.truncated === true, marker !== -1);
      assert.equal(result.truncated === true, result.nextOffset !== undefined);
      text += result.truncated === true ? result.content.slice(0, marker) : result.content;
      if (result.nextOffset !== undefined) {
        assert.ok(result.nextOffset > offset, "it goes on");
        assert.ok(result.content.includes(`offset ${result.nextOffset}.`), "the text says where");
      }
      offset = result.nextOffset;
      count += 1;
      assert.ok(count < 10_000);
    }
    return { text, count };
  }
  const longShelf = (
    text: string,
    make: (files: Files) => SyncHost = smallHost,
    options = {},
  ): SyncCatalog =>
    shelfOf(make({ "demo/SKILL.md": validSkill("demo"), "demo/long.md": text }), options);

  test("262,144 bytes in one call", () => {
    const result = read(longShelf("x".repeat(262_144)), "long.md");
    assert.equal(result.content.length, 262_144);
    assert.equal("truncated" in result, false);
  });
  test("one byte more is cut, and says so", () => {
    const result = read(longShelf(`${"x".repeat(262_144)}y`), "long.md");
    assert.deepEqual([result.truncated, result.nextOffset], [true, 262_144]);
    assert.ok(
      result.content.endsWith(
        "\n\n[Bytes 0 to 262144 of 262145. To go on, read with offset 262144.]",
      ),
    );
    assert.equal(
      read(longShelf(`${"x".repeat(262_144)}y`), "long.md", { offset: 262_144 }).content,
      "y",
    );
  });
  test("a page ends at the border of a character", () => {
    const result = read(longShelf("技".repeat(100_000)), "long.md");
    assert.deepEqual([result.truncated, result.nextOffset], [true, 262_143]);
    assert.doesNotMatch(result.content, /\ufffd/);
  });
  for (const [make, hostOf] of Object.entries(MAKES)) {
    test(`the pages are the whole, of any size: ${make}`, () => {
      const text = "aé技🧬\r\n".repeat(40);
      const catalog = longShelf(text, hostOf);
      for (const limit of [1, 2, 3, 4, 5, 7, 16, 100, 1_000])
        assert.equal(pages(catalog, limit).text, text, `${limit}`);
    });
  }
  test("an offset inside a character goes back to its start", () => {
    const catalog = longShelf("a🧬b");
    for (const offset of [1, 2, 3, 4])
      assert.equal(read(catalog, "long.md", { offset }).content, "🧬b", `${offset}`);
    assert.equal(read(catalog, "long.md", { offset: 5 }).content, "b");
  });
  test("at the end there is nothing more, past it is a mistake", () => {
    const catalog = longShelf("abc");
    assert.deepEqual(read(catalog, "long.md", { offset: 3 }), {
      content: "",
      isError: false,
      skill: "demo",
    });
    for (const offset of [4, 1_000_000, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      const result = read(catalog, "long.md", { offset });
      assert.deepEqual(
        [result.isError, result.code],
        [true, "TOOL_ARGUMENTS_INVALID"],
        `${offset}`,
      );
      assert.match(result.content, /past the end of the file, which has 3 bytes/);
    }
  });
  test("a limit above the page is the page", () => {
    assert.equal(
      read(longShelf("x".repeat(300_000)), "long.md", { limit: 2 ** 40 }).nextOffset,
      262_144,
    );
  });
  test("the page can be set", () => {
    assert.equal(
      read(longShelf("x".repeat(100), smallHost, { limits: { page: 10 } }), "long.md").nextOffset,
      10,
    );
  });
  test("the text says the argument's own name", () => {
    const tools = longShelf("x".repeat(30)).tools({
      rename: { read_skill_file: { name: "open", arguments: { offset: "start", limit: "most" } } },
    });
    assert.match(
      tools.call("open", { skill: "demo", path: "long.md", most: 10 }).content,
      /read with start 10\.\]$/,
    );
    assert.match(
      tools.call("open", { skill: "demo", path: "long.md", start: 99 }).content,
      /arguments of open .* start 99 is past/,
    );
  });
  test("a file that grew in between goes on from there", () => {
    const edited: Record<string, string> = {
      "demo/SKILL.md": validSkill("demo"),
      "demo/long.md": "abc",
    };
    const catalog = shelfOf(memoryHost(edited));
    assert.equal(read(catalog, "long.md", { offset: 3 }).content, "");
    edited["demo/long.md"] = "abcdef";
    assert.equal(read(catalog, "long.md", { offset: 3 }).content, "def");
  });
  test("only the page is read where the host can read parts", () => {
    const memory = memoryHost({
      "demo/SKILL.md": validSkill("demo"),
      "demo/long.md": "x".repeat(5_000_000),
    });
    let given = 0;
    const catalog = shelfOf({
      ranges: true,
      list: (directory) => memory.list(directory),
      read: (file, range) => {
        const bytes = memory.read(file, range);
        given += bytes.length;
        return bytes;
      },
    });
    given = 0;
    read(catalog, "long.md", { offset: 4_000_000 });
    assert.ok(given < 300_000, `${given}`);
  });
});

describe("what is not text is never mangled", () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);
  const binary: [path: string, bytes: Uint8Array, mediaType: string][] = [
    ["assets/p.png", png, "image/png"],
    ["assets/P.PNG", png, "image/png"],
    ["x.pdf", new Uint8Array([0x25, 0x50, 0x44, 0x46, 0xff]), "application/pdf"],
    ["x.zip", new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "application/zip"],
    ["unknown.xyz", new Uint8Array([0, 1, 2]), "application/octet-stream"],
    ["no-ending", new Uint8Array([0xff]), "application/octet-stream"],
    ["latin.txt", new Uint8Array([0x63, 0xe9]), "text/plain"],
    ["cut.md", new Uint8Array([0x61, 0xf0, 0x9f]), "text/markdown"],
  ];
  for (const [make, hostOf] of Object.entries(MAKES)) {
    test(`its bytes and their type: ${make}`, () => {
      for (const [path, bytes, mediaType] of binary) {
        const catalog = shelfOf(
          hostOf({ "demo/SKILL.md": validSkill("demo"), [`demo/${path}`]: bytes }),
        );
        const result = read(catalog, path);
        assert.equal(result.isError, false);
        assert.ok(result.bytes instanceof Uint8Array);
        assert.deepEqual([...result.bytes], [...bytes], path);
        assert.ok(
          !/^text\//.test(mediaType)
            ? result.mediaType === mediaType
            : typeof result.mediaType === "string",
          `${path}: ${result.mediaType}`,
        );
        assert.equal(
          result.content,
          `${path} is not text: ${result.mediaType}, ${bytes.length} bytes.`,
        );
      }
    });
  }
  test("text of any script is text", () => {
    const catalog = shelf({ "demo/SKILL.md": validSkill("demo"), "demo/p.png": "技能 مهارة 🧬" });
    const result = read(catalog, "p.png");
    assert.deepEqual([result.content, "bytes" in result], ["技能 مهارة 🧬", false]);
  });
  test("a wrong byte after the first page", () => {
    const bytes = new Uint8Array(300_000).fill(0x61);
    bytes[299_999] = 0xff;
    const catalog = shelf({ "demo/SKILL.md": validSkill("demo"), "demo/x.md": bytes });
    assert.equal(read(catalog, "x.md").truncated, true);
    const rest = read(catalog, "x.md", { offset: 262_144 });
    assert.doesNotMatch(rest.content, /\ufffd/);
    assert.equal(rest.bytes?.length, 300_000);
  });
  test("5 MB of bytes are whole, one more is FILE_TOO_LARGE", () => {
    const bytes = new Uint8Array(5_000_001).fill(0xff);
    const catalog = shelf({
      "demo/SKILL.md": validSkill("demo"),
      "demo/most.bin": bytes.subarray(1),
      "demo/more.bin": bytes,
    });
    assert.equal(read(catalog, "most.bin").bytes?.length, 5_000_000);
    const result = read(catalog, "more.bin");
    assert.deepEqual(
      [result.isError, result.code, "bytes" in result],
      [true, "FILE_TOO_LARGE", false],
    );
    assert.match(result.content, /5000001 bytes; at most 5000000/);
  });
  test("the limit can be set", () => {
    const catalog = shelf(
      { "demo/SKILL.md": validSkill("demo"), "demo/x.bin": png },
      { limits: { bytes: 9 } },
    );
    assert.match(read(catalog, "x.bin").content, /10 bytes; at most 9/);
  });
  test("the bytes are the caller's own", () => {
    const catalog = shelf({ "demo/SKILL.md": validSkill("demo"), "demo/p.png": png });
    read(catalog, "p.png").bytes?.fill(0);
    assert.deepEqual([...(read(catalog, "p.png").bytes ?? [])], [...png]);
  });
  test("with promises the same", async () => {
    const promised = await shelfWithPromises(
      smallHost({ "demo/SKILL.md": validSkill("demo"), "demo/p.png": png }),
    );
    const result = await promised.call("read_skill_file", { skill: "demo", path: "p.png" });
    assert.deepEqual([...(result.bytes ?? [])], [...png]);
  });
});

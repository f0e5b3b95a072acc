// Skills that are served over HTTP, by real servers that do what servers do.

import assert from "node:assert/strict";
import { after, describe, type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Host, loadSkills, SkillError } from "skillshelf";
import { type HttpCache, type HttpHostOptions, httpHost, memoryCache } from "skillshelf/http";
import { hostConformance } from "skillshelf/testing";
import { type TarEntry, tarOf, zipOf } from "./support/archives.ts";
import { rejection, thrown } from "./support/errors.ts";
import {
  digest,
  entry,
  FIRST_INDEX,
  firstIndex,
  found,
  INDEX,
  index,
  names,
  published,
  type Route,
  SECOND,
  type Site,
  site,
  textOf,
} from "./support/http.ts";
import { bytes, validSkill } from "./support/text.ts";

/** No test waits long for what fails. */
const quick: HttpHostOptions = { timeout: 500, silence: 300, retries: 0 };

const quiet = { onDiagnostic: () => {} };

/** A host over a site with these routes. */
async function hosted(
  context: TestContext,
  routes: Record<string, Route>,
  options: HttpHostOptions = quick,
): Promise<{ host: Host; from: Site }> {
  const from = await site(context, routes);
  return { host: httpHost(from.url, options), from };
}

const skillPath = (name: string): string => `/.well-known/agent-skills/${name}/SKILL.md`;

/** Answers with a status and headers. */
const answering =
  (status: number, headers: Record<string, string> = {}, body = ""): Route =>
  (_, answer) => {
    answer.writeHead(status, headers);
    answer.end(body);
  };

describe("an index of version 0.2.0", () => {
  test("gives skills whose content is what it says", async (context) => {
    const { host, from } = await hosted(context, published("pdf", "docx"));
    const catalog = await loadSkills({ host, label: "site" }, quiet);
    assert.deepEqual(catalog.names, ["docx", "pdf"]);
    assert.deepEqual(catalog.diagnostics, []);
    assert.equal(await catalog.body("pdf"), "Body");
    assert.equal(catalog.get("pdf")?.source?.label, "site");
    assert.deepEqual(from.asked.sort(), [skillPath("docx"), INDEX, skillPath("pdf")]);
    const result = await catalog.call("load_skill", { name: "pdf" });
    assert.match(result.content, /Body/);
  });

  test("content with another digest is not used, and the others are", async (context) => {
    const { host, from } = await hosted(context, published("good", "bad"));
    from.routes[skillPath("bad")] = validSkill("bad", "Something else.");
    const catalog = await loadSkills({ host }, quiet);
    assert.deepEqual(catalog.names, ["good"]);
    const [finding] = catalog.diagnostics;
    assert.equal(finding?.code, "file-unreadable");
    assert.match(finding?.message ?? "", /bad\/SKILL.md is not what its index says.*sha256:/);
    const error = await rejection(() => host.read("bad/SKILL.md"));
    assert.equal(error.code, "DIGEST_MISMATCH");
    assert.equal((await rejection(() => host.stat?.("bad/SKILL.md"))).code, "DIGEST_MISMATCH");
    // Asked for once a scan, however often it is wanted.
    assert.equal(from.asked.filter((path) => path === skillPath("bad")).length, 1);
  });

  test("an odd value takes nothing away but the entry whose field it is", async (context) => {
    const odd = ['"\\ud800"', "1e999999", "[".repeat(1000) + "]".repeat(1000)];
    const list = index(entry("a"), entry("b"), entry("c"));
    for (const value of odd) {
      for (const [key, expected] of [
        ["more", ["a/", "b/", "c/"]],
        ["digest", ["a/", "c/"]],
      ] as const) {
        const strange = list.replace('{"name":"b"', `{"${key}":${value},"name":"b"`);
        assert.notEqual(strange, list);
        const { host } = await hosted(context, { [INDEX]: strange });
        assert.deepEqual(await names(host), expected, `${key} ${value}`);
        const isWhole = expected.length === 3;
        assert.deepEqual(found(host), isWhole ? [] : ["index-entry-invalid b"]);
      }
    }
  });

  test("bad entries are skipped, each with a finding", async (context) => {
    const { host } = await hosted(context, {
      ...published("good"),
      [INDEX]: index(
        entry("good"),
        { ...entry("Bad_Name") },
        { ...entry("no-digest"), digest: undefined },
        { ...entry("upper"), digest: digest("").toUpperCase() },
        { ...entry("far"), url: "https://elsewhere.example/SKILL.md" },
        { ...entry("file"), url: "file:///etc/passwd" },
        { ...entry("nowhere"), url: "http://[" },
        { ...entry("late"), type: "wasm" },
        { ...entry("extra"), url: "good/SKILL.md", digest: digest(validSkill("good")), more: [1] },
        entry("good"),
        7,
      ),
    });
    assert.deepEqual(await names(host), ["extra/", "good/"]);
    assert.deepEqual(found(host), [
      "index-entry-invalid",
      "index-entry-invalid no-digest",
      "index-entry-invalid upper",
      "index-entry-type-unknown late",
      "index-entry-invalid good",
      "index-entry-invalid",
      "index-entry-invalid far",
      "index-entry-invalid file",
      "index-entry-invalid nowhere",
    ]);
    // Being read again, the findings are replaced.
    assert.deepEqual(await names(host), ["extra/", "good/"]);
    assert.equal(found(host).length, 9);
  });

  test("many entries of other origins are told in short", async (context) => {
    const far = Array.from({ length: 50 }, (_, number) => ({
      ...entry(`far-${number}`),
      url: `https://far-${number}.example/`,
    }));
    const { host } = await hosted(context, { [INDEX]: index(...far) });
    assert.deepEqual(await names(host), []);
    assert.equal(host.diagnostics?.length, 20);
    assert.match(host.diagnostics?.at(-1)?.message ?? "", /\(and 30 more\).*far-19/);
  });

  test("of another schema nothing is processed", async (context) => {
    const { host, from } = await hosted(context, {
      [INDEX]: JSON.stringify({ $schema: SECOND.replace("0.2.0", "0.3.0"), skills: [entry("a")] }),
    });
    assert.deepEqual(await names(host), []);
    assert.deepEqual(found(host), ["index-schema-unknown"]);
    assert.deepEqual(from.asked, [INDEX]);
  });

  test("URLs are relative to where the index was in the end", async (context) => {
    const other = await site(context, {
      "/lib/index.json": index(
        { ...entry("a"), url: "x/../a.md?v=1#part" },
        { ...entry("b"), url: "/b.md" },
      ),
      "/lib/a.md?v=1": validSkill("a"),
      "/b.md": validSkill("b"),
    });
    const { from } = await hosted(context, {
      [INDEX]: answering(302, { location: `${other.url}/lib/index.json` }),
    });
    const host = httpHost(from.url, { ...quick, origins: [other.url] });
    assert.equal(await textOf(host, "a/SKILL.md"), validSkill("a"));
    assert.equal(await textOf(host, "b/SKILL.md"), validSkill("b"));
  });

  test("10,000 entries", async (context) => {
    const many = Array.from({ length: 10_001 }, (_, number) => `skill-${number}`);
    const { host } = await hosted(context, { [INDEX]: index(...many.map((name) => entry(name))) });
    assert.equal((await host.list("")).length, 10_000);
    assert.deepEqual(found(host), ["index-skills-limit"]);
    const few = httpHost((await site(context, published("a", "b", "c"))).url, {
      ...quick,
      limits: { skills: 2 },
    });
    assert.deepEqual(await names(few), ["a/", "b/"]);
  });
});

describe("an index of version 0.1.0", () => {
  const files = {
    "/.well-known/skills/pdf/SKILL.md": validSkill("pdf"),
    "/.well-known/skills/pdf/references/a%20b%2525.md": "A page",
    "/.well-known/skills/pdf/demo.html": answering(200, { "content-type": "text/html" }, "<p>"),
  };
  const listed = firstIndex({ pdf: ["SKILL.md", "references/a b%25.md", "demo.html"] });

  test("gives the files that it lists, and no others", async (context) => {
    const { host, from } = await hosted(context, { ...files, [FIRST_INDEX]: listed });
    assert.deepEqual(await names(host), ["pdf/"]);
    assert.deepEqual(await names(host, "pdf"), ["SKILL.md", "demo.html", "references/"]);
    assert.deepEqual(await names(host, "pdf/references"), ["a b%25.md"]);
    assert.deepEqual(from.asked, [INDEX, FIRST_INDEX]);
    assert.equal(await textOf(host, "pdf/references/a b%25.md"), "A page");
    assert.equal(await textOf(host, "pdf/demo.html"), "<p>");
    for (const path of ["pdf/other.md", "other/SKILL.md", "pdf/SKILL.md/x", "SKILL.md"]) {
      assert.equal(await host.stat?.(path), undefined, path);
      await assert.rejects(host.read(path), { code: "ENOENT" });
      await assert.rejects(host.list(path), { code: "ENOENT" });
    }
    await assert.rejects(host.read("pdf"), { code: "EISDIR" });
    await assert.rejects(host.list("pdf/SKILL.md"), { code: "ENOTDIR" });
    await assert.rejects(host.read("pdf/../pdf/SKILL.md"), { code: "EINVAL" });
    await assert.rejects(host.read("pdf/SKILL.md", { offset: -1, length: 1 }), { code: "EINVAL" });
  });

  test("a part of a file", async (context) => {
    const { host, from } = await hosted(context, { ...files, [FIRST_INDEX]: listed });
    assert.equal(host.ranges, true);
    const part = await host.read("pdf/SKILL.md", { offset: 4, length: 9 });
    assert.equal(new TextDecoder().decode(part), "name: pdf");
    part.fill(0);
    assert.equal(await textOf(host, "pdf/SKILL.md"), validSkill("pdf"));
    assert.equal(from.asked.length, 3);
  });

  test("is refused for one bad entry", async (context) => {
    for (const [bad, problem] of [
      [{ name: "b", description: "d", files: ["SKILL.md", "../a"] }, /"\.\.\/a"/],
      [{ name: "b", description: "d", files: ["a.md"] }, /no file "SKILL\.md"/],
      [{ name: "b", description: "d", files: [] }, /no file "SKILL\.md"/],
      [{ name: "b", description: "d", files: "SKILL.md" }, /a list of paths/],
      [{ name: "pdf", description: "d", files: ["SKILL.md"] }, /an entry before it/],
      [{ name: "b", files: ["SKILL.md"] }, /no description/],
    ] as const) {
      const good = { name: "pdf", description: "d", files: ["SKILL.md"] };
      const { host } = await hosted(context, {
        ...files,
        [FIRST_INDEX]: JSON.stringify({ skills: [good, bad] }),
      });
      const error = await rejection(() => host.list(""));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, problem);
    }
  });

  test("a page for people is no file of a skill", async (context) => {
    const { host, from } = await hosted(context, { ...files, [FIRST_INDEX]: listed });
    from.routes["/.well-known/skills/pdf/SKILL.md"] = answering(
      200,
      { "content-type": "text/html; charset=utf-8" },
      "<!doctype html>",
    );
    const catalog = await loadSkills({ host }, quiet);
    assert.deepEqual(catalog.names, []);
    assert.match(catalog.diagnostics[0]?.message ?? "", /is an HTML page/);
  });

  test("a listed file that is not there is a finding", async (context) => {
    const { host } = await hosted(context, { [FIRST_INDEX]: firstIndex({ gone: ["SKILL.md"] }) });
    const catalog = await loadSkills({ host }, quiet);
    assert.deepEqual(catalog.names, []);
    assert.match(catalog.diagnostics[0]?.message ?? "", /gone\/SKILL.md answered with status 404/);
  });
});

describe("where the index is", () => {
  const tries = [`/docs${INDEX}`, INDEX, `/docs${FIRST_INDEX}`, FIRST_INDEX];

  test("each place in turn, the newer format first, the given path before the root", async (context) => {
    for (const [number, place] of tries.entries()) {
      const from = await site(context, { [place]: index() });
      for (const url of [
        `${from.url}/docs`,
        `${from.url}/docs/`,
        `${from.url}/docs/.well-known/skills`,
      ]) {
        from.asked.length = 0;
        assert.deepEqual(await names(httpHost(new URL(url), quick)), []);
        assert.deepEqual(from.asked, tries.slice(0, number + 1));
      }
    }
  });

  test("none is an error that names the places", async (context) => {
    const { host, from } = await hosted(context, {});
    const error = await rejection(() => host.list(""));
    assert.equal(error.code, "HOST_FAILED");
    assert.equal(
      error.message,
      `${from.url}${INDEX} has no index of skills (nor at ${FIRST_INDEX})`,
    );
    const catalog = await loadSkills({ host }, quiet);
    assert.deepEqual(catalog.names, []);
    assert.equal(catalog.diagnostics[0]?.code, "directory-unreadable");
  });

  test("a page or a refusal in one place does not hide the next", async (context) => {
    for (const answer of [
      answering(403),
      answering(410),
      answering(200, { "content-type": "text/html" }, "<html>"),
    ]) {
      const { host } = await hosted(context, { [INDEX]: answer, [FIRST_INDEX]: firstIndex({}) });
      assert.deepEqual(await names(host), []);
    }
  });

  test("a page everywhere is no index", async (context) => {
    const page = answering(200, { "content-type": "text/html" }, "<html>");
    const { host } = await hosted(context, { [INDEX]: page, [FIRST_INDEX]: page });
    const error = await rejection(() => host.list(""));
    assert.match(error.message, /is an HTML page, not an index of skills/);
  });

  test("a refusal everywhere says what can be passed", async (context) => {
    const { host } = await hosted(context, { [INDEX]: answering(401) });
    const error = await rejection(() => host.list(""));
    assert.match(error.message, /status 401.*headers/);
  });

  test("the URL of an index itself", async (context) => {
    const from = await site(context, {
      "/my/index.json?key=1": index(entry("a")),
      "/my/a/SKILL.md": validSkill("a"),
    });
    const host = httpHost(`${from.url}/my/index.json?key=1`, quick);
    assert.equal(await textOf(host, "a/SKILL.md"), validSkill("a"));
    assert.deepEqual(from.asked, ["/my/index.json?key=1", "/my/a/SKILL.md"]);
    const missing = await rejection(() => httpHost(`${from.url}/other.json`, quick).list(""));
    assert.equal(missing.message, `${from.url}/other.json has no index of skills`);
  });

  test("a list of skills needs none", async (context) => {
    const from = await site(context, {
      "/skills/pdf/SKILL.md?key=1": validSkill("pdf"),
      "/skills/docx/SKILL.md?key=1": validSkill("docx"),
      "/skills/docx/references/a.md?key=1": "A",
    });
    const skills = ["pdf", { name: "docx", files: ["SKILL.md", "references/a.md"] }];
    const host = httpHost(`${from.url}/skills?key=1`, { ...quick, skills });
    const catalog = await loadSkills({ host }, quiet);
    assert.deepEqual(catalog.names, ["docx", "pdf"]);
    const result = await catalog.call("read_skill_file", {
      skill: "docx",
      path: "references/a.md",
    });
    assert.equal(result.content, "A");
    const one = await loadSkills({ host, path: "pdf" }, quiet);
    assert.deepEqual(one.names, ["pdf"]);
  });

  test("what is no index is an error with its place", async (context) => {
    for (const [body, problem] of [
      ["{", /line 1, column 2/],
      ["[]", /must be an object; it is a list/],
      ["{}", /no list "skills"/],
      ['{"skills":{}}', /no list "skills"/],
      ["\u{feff}null", /must be an object; it is null/],
      [Uint8Array.of(0x7b, 0xff), /offset 1 is not UTF-8/],
      ["[".repeat(100_000), /not JSON/],
    ] as const) {
      const { host } = await hosted(context, { [INDEX]: body });
      const error = await rejection(() => host.list(""));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, problem);
    }
  });
});

describe("archives", () => {
  const files = {
    "SKILL.md": validSkill("z"),
    "references/a.md": "A",
    "data.bin": Uint8Array.of(0, 255),
  };
  const tarball = (content: readonly TarEntry[]): Buffer => gzipSync(tarOf(content));
  const whole = (): Record<string, Buffer> => ({
    "z.zip": zipOf(files),
    "z.tar.gz": tarball(Object.entries(files).map(([name, content]) => ({ name, content }))),
  });
  const packed = (
    name: string,
    content: Uint8Array,
    url = `${name}.bin`,
  ): Record<string, Route> => ({
    [INDEX]: index({ name, type: "archive", description: "d", url, digest: digest(content) }),
    [`/.well-known/agent-skills/${url}`]: content,
  });

  test("give their files, under the entry's name", async (context) => {
    for (const [url, content] of Object.entries(whole())) {
      const { host, from } = await hosted(context, packed("z", content, url));
      assert.deepEqual(await names(host), ["z/"]);
      assert.deepEqual(from.asked, [INDEX]);
      assert.deepEqual(await names(host, "z"), ["SKILL.md", "data.bin", "references/"]);
      assert.equal(await textOf(host, "z/references/a.md"), "A");
      assert.equal((await host.stat?.("z/SKILL.md"))?.version, digest(files["SKILL.md"]));
      const catalog = await loadSkills({ host }, quiet);
      assert.deepEqual([catalog.names, catalog.diagnostics], [["z"], []]);
      assert.equal(await catalog.body("z"), "Body");
      // A refresh asks for the index, and for no content that it has.
      await catalog.refresh();
      const archives = from.asked.filter((path) => path.endsWith(url));
      assert.equal(archives.length, 1);
    }
  });

  test("are unpacked only where their digest is right", async (context) => {
    const content = zipOf(files);
    const { host } = await hosted(context, {
      ...packed("z", content),
      "/.well-known/agent-skills/z.bin": zipOf({ ...files, "more.md": "" }),
    });
    assert.equal((await rejection(() => host.list("z"))).code, "DIGEST_MISMATCH");
  });

  test("that a server calls compressed content are told apart from others", async (context) => {
    const content = tarball([{ name: "SKILL.md", content: validSkill("z") }]);
    const { host } = await hosted(context, {
      ...packed("z", content),
      "/.well-known/agent-skills/z.bin": (_, answer) => {
        answer.writeHead(200, { "content-encoding": "gzip" });
        answer.end(content);
      },
    });
    const error = await rejection(() => host.list("z"));
    assert.equal(error.code, "DIGEST_MISMATCH");
    assert.match(
      error.message,
      /z\.bin is not .* came with the header Content-Encoding.*send it without/,
    );
  });

  test("are unpacked once for each content, however often they are listed", async (context) => {
    const content = tarball([
      { name: "SKILL.md", content: validSkill("z") },
      { name: "large", content: Buffer.alloc(1_000_000, "a") },
    ]);
    const listed = Array.from({ length: 40 }, (_, number) => ({
      ...entry(`z-${number}`),
      type: "archive",
      url: `/z.bin?${number}`,
      digest: digest(content),
    }));
    const routes = Object.fromEntries(listed.map(({ url }) => [url, content]));
    const { host } = await hosted(
      context,
      { [INDEX]: index(...listed), ...routes },
      { ...quick, limits: { unpacked: 1_100_000 } },
    );
    for (const { name } of listed as { name?: string }[]) {
      assert.equal(await textOf(host, `${name}/SKILL.md`), validSkill("z"));
    }
  });

  test("all together have a bound", async (context) => {
    const archives = ["a", "b", "c"].map((name) => {
      const content = tarball([
        { name: "SKILL.md", content: validSkill(name) },
        { name: "large", content: Buffer.alloc(1_000_000, name) },
      ]);
      const listed = { ...entry(name), type: "archive", url: `/${name}`, digest: digest(content) };
      return { content, listed };
    });
    const { host, from } = await hosted(
      context,
      {
        [INDEX]: index(...archives.map(({ listed }) => listed)),
        ...Object.fromEntries(archives.map(({ content, listed }) => [listed.url, content])),
      },
      { ...quick, limits: { unpacked: 2_100_000 } },
    );
    const catalog = await loadSkills({ host }, quiet);
    assert.equal(catalog.size, 2);
    const [finding] = catalog.diagnostics;
    assert.match(
      finding?.message ?? "",
      /too much beside the other archives: limits\.unpacked allows/,
    );
    // What is listed no more takes no room.
    const [, , third] = archives;
    from.routes[INDEX] = index(third?.listed);
    await catalog.refresh();
    assert.deepEqual([catalog.names, catalog.diagnostics], [["c"], []]);
  });

  test("need a SKILL.md at their root, and no folder around it", async (context) => {
    for (const content of [zipOf({ "z/SKILL.md": validSkill("z") }), zipOf({ "a.md": "" })]) {
      const { host } = await hosted(context, packed("z", content));
      const error = await rejection(() => host.read("z/SKILL.md"));
      assert.equal(error.code, "ARCHIVE_REFUSED");
      assert.match(
        error.message,
        /z\.bin: .* it has no SKILL\.md at its root.*Pack the skill's files/,
      );
    }
  });

  test("what is left out of one is told, with its skill", async (context) => {
    const content = tarball([
      { name: "SKILL.md", content: validSkill("z") },
      { name: "passwd", type: "2", link: "/etc/passwd" },
    ]);
    const { host, from } = await hosted(context, packed("z", content));
    const catalog = await loadSkills({ host }, quiet);
    assert.deepEqual(catalog.names, ["z"]);
    assert.deepEqual(found(host), ["archive-link z"]);
    await catalog.refresh();
    assert.deepEqual(found(host), ["archive-link z"]);
    from.routes[INDEX] = index();
    await catalog.refresh();
    assert.deepEqual(found(host), []);
    Object.assign(from.routes, packed("z", content));
    const strict = httpHost(from.url, { ...quick, archives: { strict: true } });
    assert.equal((await rejection(() => strict.list("z"))).code, "ARCHIVE_REFUSED");
  });

  test("that are none, or too large, are refused, and the others are there", async (context) => {
    const good = entry("good");
    const bomb = zipOf({ ...files, "bomb.txt": "0".repeat(20_000_000) });
    const archive = (name: string, content: string | Uint8Array): Record<string, unknown> => ({
      ...entry(name),
      type: "archive",
      url: name,
      digest: digest(content),
    });
    const { host } = await hosted(context, {
      ...published("good"),
      [INDEX]: index(good, archive("page", "<html>"), archive("bomb", bomb)),
      "/.well-known/agent-skills/page": "<html>",
      "/.well-known/agent-skills/bomb": bomb,
    });
    const catalog = await loadSkills({ host }, quiet);
    assert.deepEqual(catalog.names, ["good"]);
    assert.equal(catalog.diagnostics.length, 2);
    for (const name of ["page", "bomb"]) {
      const error = await rejection(() => host.list(name));
      assert.equal(error.code, "ARCHIVE_REFUSED");
      assert.ok(error.message.includes(`/agent-skills/${name}: The archive is refused`));
    }
    const small = httpHost((await site(context, packed("z", zipOf(files)))).url, {
      ...quick,
      limits: { archive: 20 },
    });
    assert.match((await rejection(() => small.list("z"))).message, /limits\.archive/);
  });
});

describe("other origins", () => {
  test("nothing is fetched from them, whatever leads there", async (context) => {
    const other = await site(context, { "/SKILL.md": validSkill("a"), [INDEX]: index() });
    const { host, from } = await hosted(context, {
      [INDEX]: index({ ...entry("a"), url: "a" }, { ...entry("b"), url: `${other.url}/SKILL.md` }),
      "/.well-known/agent-skills/a": answering(307, { location: `${other.url}/SKILL.md` }),
    });
    assert.deepEqual(await names(host), ["a/"]);
    const error = await rejection(() => host.read("a/SKILL.md"));
    assert.match(
      error.message,
      new RegExp(
        `leads to a URL that is not asked: nothing is fetched from ${other.url}; .*origins`,
      ),
    );
    from.routes[INDEX] = answering(301, { location: `${other.url}${INDEX}` });
    const again = httpHost(from.url, quick);
    assert.match((await rejection(() => again.list(""))).message, /leads to/);
    assert.deepEqual(other.asked, []);
  });

  test("those that are allowed get no headers", async (context) => {
    const other = await site(context, { "/SKILL.md": validSkill("a"), "/back.md": answering(302) });
    const { from } = await hosted(context, {
      [INDEX]: index({ ...entry("a"), url: "a" }, { ...entry("b"), url: `${other.url}/back.md` }),
      "/.well-known/agent-skills/a": answering(302, { location: `${other.url}/SKILL.md` }),
      "/b.md": validSkill("b"),
    });
    other.routes["/back.md"] = answering(302, { location: `${from.url}/b.md` });
    const headers = { authorization: "Bearer secret", "x-key": "secret" };
    const host = httpHost(from.url, {
      ...quick,
      headers: new Headers(headers),
      origins: [other.url],
    });
    assert.equal(await textOf(host, "a/SKILL.md"), validSkill("a"));
    assert.equal(await textOf(host, "b/SKILL.md"), validSkill("b"));
    for (const { headers } of from.requests) assert.equal(headers["x-key"], "secret");
    assert.equal(from.requests.length, 3);
    assert.equal(other.requests.length, 2);
    for (const { headers } of other.requests) {
      assert.equal(headers.authorization, undefined);
      assert.equal(headers["x-key"], undefined);
    }
  });

  test("a fetch that follows redirects itself is judged by where it ended", async (context) => {
    const other = await site(context, { [INDEX]: index() });
    const { from } = await hosted(context, {
      [INDEX]: answering(302, { location: `${other.url}${INDEX}` }),
    });
    const follow: HttpHostOptions["fetch"] = (url, init) =>
      fetch(url, { ...init, redirect: "follow" });
    const refused = httpHost(from.url, { ...quick, fetch: follow });
    assert.match((await rejection(() => refused.list(""))).message, /leads to/);
    const allowed = httpHost(from.url, { ...quick, fetch: follow, origins: [other.url] });
    assert.deepEqual(await names(allowed), []);
  });

  test("where a runtime hides redirects, they are followed by who wants it, without headers", async (context) => {
    const { from } = await hosted(context, { "/moved.json": index() });
    const inits: RequestInit[] = [];
    const browser: HttpHostOptions["fetch"] = async (_, init) => {
      inits.push(init);
      if (init.redirect === "manual") {
        return Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" });
      }
      return fetch(`${from.url}/moved.json`, init);
    };
    const options = { ...quick, fetch: browser, headers: { "x-key": "secret" } };
    for (const redirects of [{}, { redirects: 0 }]) {
      const refusing = httpHost(from.url, { ...options, ...redirects });
      const error = await rejection(() => refusing.list(""));
      assert.match(error.message, /does not tell where to.*or pass redirects/);
      assert.ok(inits.every(({ redirect }) => redirect === "manual"));
    }
    assert.deepEqual(from.asked, []);
    inits.length = 0;
    const host = httpHost(from.url, { ...options, redirects: 1 });
    assert.deepEqual(await names(host), []);
    assert.equal(new Headers(inits[0]?.headers).get("x-key"), "secret");
    assert.equal(new Headers(inits[1]?.headers).get("x-key"), null);
    assert.equal(inits[1]?.credentials, "omit");
  });

  test("what leads to no origin, or has a password, says so", async (context) => {
    const { host, from } = await hosted(context, {});
    for (const [to, problem] of [
      ["data:,x", /nothing is fetched from data:/],
      ["https://b.example/", /nothing is fetched from https:\/\/b\.example;/],
      [`${from.url.replace("//", "//user:secret@")}/x`, /it has a user name or a password/],
    ] as const) {
      from.routes[INDEX] = answering(302, { location: to });
      const { message } = await rejection(() => httpHost(from.url, quick).list(""));
      assert.match(message, problem);
      assert.doesNotMatch(message, /secret/);
    }
    assert.ok(host);
  });

  test("redirects end", async (context) => {
    const { host, from } = await hosted(context, { [INDEX]: answering(302, { location: INDEX }) });
    assert.match((await rejection(() => host.list(""))).message, /more than 5 times/);
    assert.equal(from.asked.length, 6);
    const none = await hosted(
      context,
      { [INDEX]: answering(302, { location: "/x" }) },
      { ...quick, redirects: 0 },
    );
    assert.match((await rejection(() => none.host.list(""))).message, /more than 0 times/);
    const lost = await hosted(context, { [INDEX]: answering(302) });
    assert.match((await rejection(() => lost.host.list(""))).message, /302 and no place to go/);
  });

  test("what may not be read is said to be so", async (context) => {
    const opaque: HttpHostOptions["fetch"] = async () =>
      Object.defineProperties(new Response(null), {
        type: { value: "opaque" },
        status: { value: 0 },
      });
    const { from } = await hosted(context, {});
    const error = await rejection(() => httpHost(from.url, { ...quick, fetch: opaque }).list(""));
    assert.match(error.message, /may not be read \(CORS\)/);
  });
});

describe("bounds", () => {
  /** Sends a chunk again and again. */
  const endless =
    (chunk: Uint8Array, pause: number, headers: Record<string, string> = {}): Route =>
    (_, answer) => {
      answer.writeHead(200, headers);
      const timer = setInterval(() => answer.write(chunk), pause);
      answer.on("close", () => clearInterval(timer));
    };

  test("an index, a file and all together have sizes", async (context) => {
    const { from } = await hosted(context, {
      ...published("a", "b", "c"),
      [FIRST_INDEX]: firstIndex({}),
    });
    const limited = (limits: HttpHostOptions["limits"]): Host =>
      httpHost(from.url, { ...quick, limits: limits ?? {} });
    const large = await rejection(() => limited({ index: 10 }).list(""));
    assert.match(large.message, /larger than 10 bytes; limits\.index/);
    const file = await rejection(() => limited({ file: 10 }).read("a/SKILL.md"));
    assert.match(file.message, /larger than 10 bytes; limits\.file/);
    const size = index(entry("a"), entry("b"), entry("c")).length;
    const total = limited({ total: size + 60 });
    await total.read("a/SKILL.md");
    const error = await rejection(() => total.read("b/SKILL.md"));
    assert.match(error.message, /limits\.total/);
  });

  test("a body without an end ends at the limit", async (context) => {
    const { host } = await hosted(
      context,
      { [INDEX]: endless(new Uint8Array(65536), 0) },
      { ...quick, limits: { index: 1_000_000 } },
    );
    assert.match((await rejection(() => host.list(""))).message, /larger than 1000000 bytes/);
  });

  test("a body that trickles ends at the deadline", async (context) => {
    const { host, from } = await hosted(
      context,
      { [INDEX]: endless(bytes(" "), 20) },
      { ...quick, deadline: 400, retries: 2 },
    );
    const before = performance.now();
    const error = await rejection(() => host.list(""));
    assert.match(error.message, /was not whole after 0\.4 s \(deadline\)$/);
    assert.ok(performance.now() - before < 5_000);
    // Another try would take as long.
    assert.equal(from.asked.length, 1);
  });

  test("what is compressed counts as it is when it is not", async (context) => {
    const bomb = gzipSync(new Uint8Array(50_000_000));
    assert.ok(bomb.length < 100_000);
    const { host } = await hosted(context, {
      [INDEX]: (_, answer) => {
        answer.writeHead(200, { "content-encoding": "gzip", "content-length": bomb.length });
        answer.end(bomb);
      },
    });
    assert.match((await rejection(() => host.list(""))).message, /larger than 8388608 bytes/);
  });

  test("a compressed answer is what it stands for", async (context) => {
    const text = gzipSync(index(entry("a")));
    const { host } = await hosted(context, {
      [INDEX]: (_, answer) => {
        answer.writeHead(200, { "content-encoding": "gzip", "content-length": text.length });
        answer.end(text);
      },
    });
    assert.deepEqual(await names(host), ["a/"]);
  });

  test("slow headers and a silent body are not waited for", async (context) => {
    const slow = await hosted(context, { [INDEX]: () => {} });
    assert.match(
      (await rejection(() => slow.host.list(""))).message,
      /gave no answer in 0\.5 s \(timeout\)$/,
    );
    const silent = await hosted(context, {
      [INDEX]: (_, answer) => {
        answer.writeHead(200);
        answer.write("{");
      },
    });
    const error = await rejection(() => silent.host.list(""));
    assert.match(error.message, /sent nothing more for 0\.3 s \(silence\)$/);
  });

  test("where something is kept, a silent site is waited for once", async (context) => {
    const { host, from } = await hosted(context, published("a"), { ...quick, retries: 2 });
    const catalog = await loadSkills({ host }, quiet);
    from.routes[INDEX] = () => {};
    from.asked.length = 0;
    await catalog.refresh();
    assert.deepEqual(from.asked, [INDEX]);
    assert.deepEqual([catalog.names, found(host)], [["a"], ["content-stale"]]);
  });

  test("of a long address the beginning and the end are said, and all of the rest", async (context) => {
    const long = `/${"x".repeat(300)}/index.json`;
    const { from } = await hosted(context, { [long]: answering(401) });
    const host = httpHost(from.url + long, quick);
    const { diagnostics } = await loadSkills({ host }, quiet);
    assert.match(
      diagnostics[0]?.message ?? "",
      /read: http:\/\/127.{20,60}…x+\/index\.json answered with status 401; what it asks for can be/,
    );
    assert.equal(diagnostics[0]?.hint, "refresh once that is mended");
  });

  test("a fetch that heeds no signal is not waited for either", async () => {
    const never = httpHost("https://never.example", {
      ...quick,
      fetch: () => new Promise(() => {}),
    });
    assert.match((await rejection(() => never.list(""))).message, /gave no answer/);
  });

  test("an answer that the runtime cannot decode ends nothing but itself", async (context) => {
    for (const encoding of ["gzip", "gzip, gzip, gzip, gzip, gzip, gzip", "br, gzip"]) {
      const { host } = await hosted(context, {
        [INDEX]: answering(200, { "content-encoding": encoding }, "x"),
      });
      assert.match((await rejection(() => host.list(""))).message, /could not be fetched|not JSON/);
    }
    // What goes wrong afterwards would be an error of this process.
    await new Promise((go) => setTimeout(go, 100));
  });

  test("a fetch that gives no response, or a body without an end of nothing", async () => {
    for (const [response, problem] of [
      [undefined, /something else than a Response/],
      [{ status: 200 }, /something else than a Response/],
      [
        new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) }),
        ),
        /could not be fetched/,
      ],
    ] as const) {
      const fetch = async (): Promise<Response> => response as Response;
      const host = httpHost("https://a.example/index.json", { ...quick, fetch });
      assert.match((await rejection(() => host.list(""))).message, problem);
    }
  });

  test("a truncated body is not used", async (context) => {
    const whole = index(entry("a"));
    const { host, from } = await hosted(context, {
      [INDEX]: (_, answer) => {
        answer.writeHead(200, { "content-length": whole.length });
        answer.write(whole.slice(0, 50));
        setTimeout(() => answer.destroy(), 20);
      },
    });
    assert.match((await rejection(() => host.list(""))).message, /could not be fetched/);
    const short: HttpHostOptions["fetch"] = async () =>
      new Response(index(), { headers: { "content-length": "1000" } });
    const error = await rejection(() => httpHost(from.url, { ...quick, fetch: short }).list(""));
    assert.match(error.message, /sent \d+ bytes of 1000: nothing of it is used/);
  });

  test("only so many requests run at a time", async (context) => {
    let running = 0;
    let most = 0;
    const many = Array.from({ length: 30 }, (_, number) => `s${number}`);
    const { from } = await hosted(context, published(...many));
    const counted: HttpHostOptions["fetch"] = async (url, init) => {
      running += 1;
      most = Math.max(most, running);
      const response = await fetch(url, init);
      await new Promise((go) => setTimeout(go, 5));
      running -= 1;
      return response;
    };
    const host = httpHost(from.url, { ...quick, concurrency: 3, fetch: counted });
    const catalog = await loadSkills({ host }, quiet);
    assert.equal(catalog.size, 30);
    assert.equal(most, 3);
  });

  test("a signal ends all for good", async (context) => {
    const stop = new AbortController();
    const { host } = await hosted(
      context,
      { [INDEX]: () => {} },
      { retries: 2, signal: stop.signal },
    );
    const listing = rejection(() => host.list(""));
    setTimeout(() => stop.abort(), 50);
    assert.equal((await listing).code, "ABORTED");
    assert.equal((await rejection(() => host.read("a/SKILL.md"))).code, "ABORTED");
  });
});

describe("what fails for now", () => {
  /** Fails so often before it answers. */
  const failing = (times: number, status: number, headers: Record<string, string> = {}): Route => {
    let left = times;
    return (_, answer) => {
      left -= 1;
      if (left < 0) return void answer.end(index());
      answer.writeHead(status, headers);
      answer.end();
    };
  };
  test("is tried again", async (context) => {
    for (const status of [429, 502, 503, 504]) {
      const { host, from } = await hosted(context, { [INDEX]: failing(2, status) }, { retries: 2 });
      assert.deepEqual(await names(host), []);
      assert.equal(from.asked.length, 3);
    }
  });

  test("but not for ever, and not where it would not help", async (context) => {
    const long = await hosted(context, { [INDEX]: failing(9, 503) }, { retries: 1 });
    assert.match((await rejection(() => long.host.list(""))).message, /status 503/);
    assert.equal(long.from.asked.length, 2);
    for (const status of [400, 418, 500, 501]) {
      const { host, from } = await hosted(
        context,
        { [INDEX]: failing(9, status), [FIRST_INDEX]: failing(9, status) },
        { retries: 3 },
      );
      assert.match((await rejection(() => host.list(""))).message, new RegExp(`status ${status}`));
      assert.ok(from.asked.length <= 2, `${status}`);
    }
  });

  test("a broken connection is tried again", async (context) => {
    let tries = 0;
    const { host } = await hosted(
      context,
      {
        [INDEX]: (ask, answer) => {
          tries += 1;
          if (tries === 1) ask.socket.destroy();
          else answer.end(index());
        },
      },
      { retries: 1 },
    );
    assert.deepEqual(await names(host), []);
    assert.equal(tries, 2);
  });

  test("Retry-After is waited for, in seconds and as a date", async (context) => {
    for (const wait of ["1", () => new Date(Date.now() + 2000).toUTCString()]) {
      let first = 0;
      let second = 0;
      const { host } = await hosted(
        context,
        {
          [INDEX]: (_, answer) => {
            if (first === 0) {
              first = performance.now();
              const after = typeof wait === "string" ? wait : wait();
              answer.writeHead(429, { "retry-after": after });
              answer.end();
            } else {
              second = performance.now();
              answer.end(index());
            }
          },
        },
        { retries: 1 },
      );
      assert.deepEqual(await names(host), []);
      // A date has no parts of a second.
      assert.ok(second - first >= 950, `${second - first}`);
    }
  });

  test("a server that wants more time than there is is not asked again", async (context) => {
    const { host, from } = await hosted(
      context,
      { [INDEX]: failing(9, 503, { "retry-after": "60" }) },
      { retries: 3 },
    );
    const before = performance.now();
    await rejection(() => host.list(""));
    assert.equal(from.asked.length, 1);
    assert.ok(performance.now() - before < 2_000);
  });

  test("no connection has the system's word for it", async (context) => {
    const { host, from } = await hosted(context, {});
    await from.close();
    const error = await rejection(() => host.list(""));
    assert.equal(error.code, "HOST_FAILED");
    assert.match(error.message, /could not be fetched \(ECONNREFUSED\)/);
  });

  /** Sends content in pieces, so many milliseconds apart. */
  const slowly =
    (content: Uint8Array, pieces: number, pause: number): Route =>
    async (_, answer) => {
      const size = Math.ceil(content.length / pieces);
      for (let at = 0; at < content.length; at += size) {
        answer.write(content.subarray(at, at + size));
        await new Promise((go) => setTimeout(go, pause));
      }
      answer.end();
    };
  const limits = { limits: { timeout: 400 } };

  test("a host is waited for as long as something comes", async (context) => {
    const content = zipOf({ "SKILL.md": validSkill("z"), "large.txt": "x".repeat(10_000) });
    const { host } = await hosted(context, {
      [INDEX]: index({ ...entry("z"), type: "archive", url: "z.zip", digest: digest(content) }),
      "/.well-known/agent-skills/z.zip": slowly(content, 10, 100),
    });
    const catalog = await loadSkills({ host }, { ...quiet, ...limits });
    assert.deepEqual([catalog.names, catalog.diagnostics], [["z"], []]);
  });

  test("but not where nothing comes any more", async (context) => {
    const { host } = await hosted(
      context,
      {
        [INDEX]: (_, answer) => {
          answer.writeHead(200);
          answer.write("{");
        },
      },
      { retries: 0, silence: 60_000 },
    );
    const catalog = await loadSkills({ host }, { ...quiet, ...limits });
    assert.equal(catalog.size, 0);
    assert.match(catalog.diagnostics[0]?.message ?? "", /no answer in 0\.4 s \(limits\.timeout\)/);
  });

  test("a slow or failing host holds up no other", async (context) => {
    const { host } = await hosted(context, { [INDEX]: () => {} });
    const good = await hosted(context, published("good"));
    const catalog = await loadSkills([{ host, label: "slow" }, { host: good.host }], quiet);
    assert.deepEqual(catalog.names, ["good"]);
    assert.equal(catalog.diagnostics[0]?.code, "directory-unreadable");
  });
});

describe("a refresh", () => {
  test("asks for the index again, and for what is new", async (context) => {
    const { host, from } = await hosted(context, published("a", "b"));
    const catalog = await loadSkills({ host }, quiet);
    from.asked.length = 0;
    assert.deepEqual((await catalog.refresh()).changed, []);
    assert.deepEqual(from.asked, [INDEX]);
    const changed = validSkill("b", "Another one.");
    Object.assign(from.routes, published("c"), {
      [INDEX]: index(entry("b", changed), entry("c")),
      [skillPath("b")]: changed,
    });
    from.asked.length = 0;
    const changes = await catalog.refresh();
    assert.deepEqual(changes, { added: ["c"], changed: ["b"], removed: ["a"], diagnostics: [] });
    assert.deepEqual(from.asked.sort(), [skillPath("b"), skillPath("c"), INDEX]);
    assert.equal(catalog.get("b")?.description, "Another one.");
  });

  test("of one skill alone asks too", async (context) => {
    const { host, from } = await hosted(context, published("a"));
    const catalog = await loadSkills({ host, path: "a" }, quiet);
    const changed = validSkill("a", "Another one.");
    from.routes[INDEX] = index(entry("a", changed));
    from.routes[skillPath("a")] = changed;
    assert.equal(catalog.get("a")?.description, "What a does.");
    assert.deepEqual((await catalog.refresh()).changed, ["a"]);
  });

  test("through a host that wraps this one asks too", async (context) => {
    const { host, from } = await hosted(context, published("a"));
    const wrapping: Host = { list: (path) => host.list(path), read: (path) => host.read(path) };
    const catalog = await loadSkills({ host: wrapping }, quiet);
    Object.assign(from.routes, published("a", "b"));
    assert.deepEqual((await catalog.refresh()).added, ["b"]);
  });

  test("through one that wraps it, of one skill alone, too", async (context) => {
    const { host, from } = await hosted(context, published("a"));
    const wrapping: Host = { list: (path) => host.list(path), read: (path) => host.read(path) };
    const catalog = await loadSkills({ host: wrapping, path: "a" }, quiet);
    const changed = validSkill("a", "Another one.");
    from.routes[INDEX] = index(entry("a", changed));
    from.routes[skillPath("a")] = changed;
    from.asked.length = 0;
    assert.equal(await catalog.body("a"), "Body");
    assert.deepEqual(from.asked, []);
    assert.deepEqual((await catalog.refresh()).changed, ["a"]);
    assert.deepEqual(from.asked, [INDEX, skillPath("a")]);
  });

  test("between two of them what is listed is the same", async (context) => {
    const { host, from } = await hosted(context, published("a"));
    const catalog = await loadSkills({ host }, quiet);
    from.routes[INDEX] = index();
    from.routes[skillPath("a")] = "changed";
    const result = await catalog.call("load_skill", { name: "a" });
    assert.match(result.content, /Body/);
    assert.deepEqual(from.asked, [INDEX, skillPath("a")]);
  });

  test("what is not new is not sent", async (context) => {
    const etags: (string | undefined)[] = [];
    const conditional =
      (content: string): Route =>
      (ask, answer) => {
        etags.push(ask.headers["if-none-match"] ?? ask.headers["if-modified-since"]);
        const isKnown = ask.headers["if-none-match"] === '"1"';
        answer.writeHead(isKnown ? 304 : 200, { etag: '"1"' });
        answer.end(isKnown ? undefined : content);
      };
    const dated: Route = (ask, answer) => {
      etags.push(ask.headers["if-modified-since"]);
      const isKnown = ask.headers["if-modified-since"] !== undefined;
      answer.writeHead(isKnown ? 304 : 200, { "last-modified": "Mon, 01 Jan 2024 00:00:00 GMT" });
      answer.end(isKnown ? undefined : "A page");
    };
    const { host } = await hosted(context, {
      [FIRST_INDEX]: conditional(firstIndex({ a: ["SKILL.md", "p.md"] })),
      "/.well-known/skills/a/SKILL.md": conditional(validSkill("a")),
      "/.well-known/skills/a/p.md": dated,
    });
    const catalog = await loadSkills({ host }, quiet);
    await catalog.call("read_skill_file", { skill: "a", path: "p.md" });
    assert.deepEqual(etags, [undefined, undefined, undefined]);
    etags.length = 0;
    const changes = await catalog.refresh();
    assert.deepEqual([changes.changed, changes.diagnostics], [[], []]);
    const result = await catalog.call("read_skill_file", { skill: "a", path: "p.md" });
    assert.equal(result.content, "A page");
    assert.deepEqual(etags, ['"1"', '"1"', "Mon, 01 Jan 2024 00:00:00 GMT"]);
    assert.equal(await catalog.body("a"), "Body");
  });

  test("a 304 that nobody asked for is no answer", async (context) => {
    const { host } = await hosted(context, { [INDEX]: answering(304) });
    assert.match((await rejection(() => host.list(""))).message, /status 304/);
  });

  test("asks for what may have changed, and what is fresh is else not asked for", async (context) => {
    const cached =
      (content: string, control: string): Route =>
      (_, answer) => {
        answer.writeHead(200, { "cache-control": control });
        answer.end(content);
      };
    for (const [control, again] of [
      ["public, max-age=600", 0],
      ["max-age=600, no-cache", 1],
      ["no-store", 1],
      ["max-age=0", 1],
      ["", 1],
    ] as const) {
      const file = "/.well-known/skills/a/SKILL.md";
      const cache = memoryCache();
      const { host, from } = await hosted(
        context,
        {
          [FIRST_INDEX]: cached(firstIndex({ a: ["SKILL.md"] }), "max-age=600"),
          [file]: cached(validSkill("a"), control),
        },
        { ...quick, cache },
      );
      const asked = (path: string): number => from.asked.filter((one) => one === path).length;
      const catalog = await loadSkills({ host }, quiet);
      from.asked.length = 0;
      await catalog.refresh();
      assert.deepEqual([asked(FIRST_INDEX), asked(file)], [1, 1], control);
      assert.equal(await catalog.body("a"), "Body");
      assert.equal(asked(file), 1);
      // Another start.
      await loadSkills({ host: httpHost(from.url, { ...quick, cache }) }, quiet);
      assert.equal(asked(file) - 1, again, control);
    }
  });

  test("loads at the same time share what they fetch", async (context) => {
    const { host, from } = await hosted(context, published("a", "b"));
    const load = async (): Promise<readonly string[]> => (await loadSkills({ host }, quiet)).names;
    assert.deepEqual(await Promise.all([load(), load(), load()]), [
      ["a", "b"],
      ["a", "b"],
      ["a", "b"],
    ]);
    assert.deepEqual(from.asked.sort(), [skillPath("a"), skillPath("b"), INDEX]);
  });
});

describe("the cache", () => {
  /** A store that can be looked into, and that fails on demand. */
  class Store implements HttpCache {
    readonly files = new Map<string, Uint8Array>();
    failure: Error | undefined;
    async read(path: string): Promise<Uint8Array | undefined> {
      if (this.failure) throw this.failure;
      return this.files.get(path);
    }
    async write(path: string, content: Uint8Array): Promise<void> {
      if (this.failure) throw this.failure;
      this.files.set(path, new Uint8Array(content));
    }
  }

  test("serves what was fetched earlier where the network fails, and says so", async (context) => {
    const cache = new Store();
    const from = await site(context, {
      ...published("a"),
      "/list/b/SKILL.md": validSkill("b"),
    });
    const options = { ...quick, cache };
    const first = await loadSkills({ host: httpHost(from.url, options) }, quiet);
    assert.deepEqual(first.diagnostics, []);
    await loadSkills({ host: httpHost(`${from.url}/list`, { ...options, skills: ["b"] }) }, quiet);
    await from.close();

    assert.deepEqual((await first.refresh()).removed, []);
    assert.deepEqual(
      first.diagnostics.map(({ code }) => code),
      ["content-stale"],
    );
    assert.match(first.diagnostics.map(({ message }) => message).join(), /could not be fetched/);
    assert.equal(await first.body("a"), "Body");

    for (const [url, more] of [
      [from.url, {}],
      [`${from.url}/list`, { skills: ["b"] }],
    ] as const) {
      const catalog = await loadSkills({ host: httpHost(url, { ...options, ...more }) }, quiet);
      assert.equal(catalog.size, 1);
      assert.deepEqual(
        catalog.diagnostics.map(({ code }) => code),
        ["content-stale"],
      );
    }
    const without = await loadSkills({ host: httpHost(from.url, quick) }, quiet);
    assert.equal(without.size, 0);
  });

  test("an index that cannot be used any more leaves what was", async (context) => {
    const { host, from } = await hosted(context, published("a"));
    const catalog = await loadSkills({ host }, quiet);
    for (const broken of [
      "{",
      answering(500),
      answering(200, { "content-type": "text/html" }, "<p>"),
    ]) {
      from.routes[INDEX] = broken;
      await catalog.refresh();
      assert.deepEqual(catalog.names, ["a"]);
      assert.deepEqual(
        catalog.diagnostics.map(({ code }) => code),
        ["content-stale"],
      );
      assert.equal(await catalog.body("a"), "Body");
    }
    from.routes[INDEX] = index();
    await catalog.refresh();
    assert.deepEqual([catalog.names, catalog.diagnostics], [[], []]);
  });

  test("an index that is withdrawn takes its skills along", async (context) => {
    for (const route of [undefined, answering(403)]) {
      const { host, from } = await hosted(context, published("a"));
      const catalog = await loadSkills({ host }, quiet);
      if (route === undefined) delete from.routes[INDEX];
      else from.routes[INDEX] = route;
      assert.deepEqual((await catalog.refresh()).removed, ["a"]);
      assert.deepEqual([catalog.names, await catalog.prompt()], [[], ""]);
      assert.deepEqual(found(host), ["index-withdrawn"]);
      const result = await catalog.call("load_skill", { name: "a" });
      assert.equal(result.code, "SKILL_NOT_FOUND");
      await catalog.refresh();
      assert.deepEqual([catalog.names, found(host)], [[], ["index-withdrawn"]]);
      Object.assign(from.routes, published("a"));
      assert.deepEqual((await catalog.refresh()).added, ["a"]);
      assert.deepEqual(found(host), []);
    }
  });

  test("what is withdrawn does not come back where the network fails", async (context) => {
    for (const status of [404, 403]) {
      const cache = new Store();
      const from = await site(context, {
        [FIRST_INDEX]: firstIndex({ a: ["SKILL.md"] }),
        "/.well-known/skills/a/SKILL.md": validSkill("a"),
      });
      const options = { ...quick, cache };
      const load = async (): Promise<readonly string[]> =>
        (await loadSkills({ host: httpHost(from.url, options) }, quiet)).names;
      assert.deepEqual(await load(), ["a"]);
      from.routes["/.well-known/skills/a/SKILL.md"] = answering(status);
      assert.deepEqual(await load(), []);
      from.routes["/.well-known/skills/a/SKILL.md"] = answering(500);
      assert.deepEqual(await load(), []);
      from.routes[FIRST_INDEX] = answering(status);
      assert.deepEqual(await load(), []);
      await from.close();
      const host = httpHost(from.url, options);
      await loadSkills({ host }, quiet);
      assert.deepEqual(found(host), []);
    }
  });

  test("what was kept needs no request while it is fresh, or has its digest", async (context) => {
    const cache = new Store();
    const from = await site(context, published("a"));
    const body = String(from.routes[INDEX]);
    from.routes[INDEX] = answering(200, { "cache-control": "max-age=600" }, body);
    await loadSkills({ host: httpHost(from.url, { ...quick, cache }) }, quiet);
    from.asked.length = 0;
    const again = await loadSkills({ host: httpHost(from.url, { ...quick, cache }) }, quiet);
    assert.deepEqual([again.names, from.asked], [["a"], []]);
    await again.refresh();
    assert.deepEqual(from.asked, [INDEX]);
  });

  test("is no place to change content in", async (context) => {
    const cache = new Store();
    const from = await site(context, published("a"));
    await loadSkills({ host: httpHost(from.url, { ...quick, cache }) }, quiet);
    for (const [path, content] of cache.files) {
      if (path.startsWith("content/"))
        cache.files.set(path, bytes(`${new TextDecoder().decode(content)}!`));
    }
    from.asked.length = 0;
    const host = httpHost(from.url, { ...quick, cache });
    const catalog = await loadSkills({ host }, quiet);
    assert.equal(await catalog.body("a"), "Body");
    assert.deepEqual(from.asked, [INDEX, skillPath("a")]);
    assert.equal(found(host)[0], "cache-unusable");
  });

  test("one URL's answer is not another's, nor that of other headers", async (context) => {
    const cache = new Store();
    const from = await site(context, {
      "/a/x/SKILL.md": validSkill("x", "Of a."),
      "/b/x/SKILL.md": validSkill("x", "Of b."),
    });
    const load = async (path: string, headers = {}): Promise<string | undefined> => {
      const host = httpHost(`${from.url}/${path}`, { ...quick, cache, headers, skills: ["x"] });
      return (await loadSkills({ host }, quiet)).get("x")?.description;
    };
    assert.equal(await load("a"), "Of a.");
    const [answer = ""] = [...cache.files.keys()].filter((path) => path.startsWith("answers/"));
    const poison = cache.files.get(answer);
    assert.equal(await load("b"), "Of b.");
    for (const path of cache.files.keys()) {
      if (path.startsWith("answers/") && poison) cache.files.set(path, poison);
    }
    await from.close();
    assert.equal(await load("b"), undefined);
    assert.equal(await load("a"), "Of a.");
    assert.equal(await load("a", { "x-user": "other" }), undefined);
  });

  test("what came from an origin that is not allowed here is not used", async (context) => {
    const cache = new Store();
    const other = await site(context, { "/x": validSkill("x") });
    const from = await site(context, {
      "/x/SKILL.md": answering(302, { location: `${other.url}/x` }),
    });
    const load = async (origins: string[]): Promise<number> => {
      const host = httpHost(from.url, { ...quick, cache, origins, skills: ["x"] });
      return (await loadSkills({ host }, quiet)).size;
    };
    assert.equal(await load([other.url]), 1);
    await from.close();
    assert.equal(await load([other.url]), 1);
    assert.equal(await load([]), 0);
  });

  test("what is not to be stored is not", async (context) => {
    const cache = new Store();
    const { host } = await hosted(
      context,
      {
        [INDEX]: answering(200, { "cache-control": "no-store" }, index(entry("a"))),
        [skillPath("a")]: answering(200, { "cache-control": "no-store" }, validSkill("a")),
      },
      { ...quick, cache },
    );
    const catalog = await loadSkills({ host }, quiet);
    assert.equal(await catalog.body("a"), "Body");
    assert.equal(cache.files.size, 0);
  });

  test("a store that fails is done without", async (context) => {
    const cache = new Store();
    cache.failure = new Error("the disk is full");
    const { host } = await hosted(context, published("a"), { ...quick, cache });
    const catalog = await loadSkills({ host }, quiet);
    assert.equal(await catalog.body("a"), "Body");
    const [finding, ...others] = catalog.diagnostics;
    assert.equal(finding?.code, "cache-unusable");
    assert.match(finding?.message ?? "", /and \d+ more.*the disk is full/);
    assert.deepEqual(others, []);
  });

  test("a store that hangs is done without, and asked again by a refresh", async (context) => {
    for (const method of ["read", "write"] as const) {
      let isHanging = true;
      const store = new Store();
      const hanging = (...args: [string, Uint8Array]): unknown =>
        isHanging ? new Promise(() => {}) : store[method](...args);
      const cache = {
        read: (path: string) => store.read(path),
        write: (path: string, content: Uint8Array) => store.write(path, content),
        [method]: hanging,
      } as HttpCache;
      const options = { ...quick, timeout: 300, cache };
      const { host } = await hosted(context, published("a", "b", "c"), options);
      const start = performance.now();
      const catalog = await loadSkills({ host }, quiet);
      assert.deepEqual(catalog.names, ["a", "b", "c"]);
      assert.ok(performance.now() - start < 2_500);
      assert.deepEqual(found(host), ["cache-unusable"]);
      isHanging = false;
      await catalog.refresh();
      assert.deepEqual(found(host), []);
    }
  });

  test("a store that changes what it is given changes nothing here", async (context) => {
    const cache: HttpCache = { read: () => undefined, write: (_, content) => content.fill(0) };
    const { host } = await hosted(context, published("a"), { ...quick, cache });
    assert.equal(await textOf(host, "a/SKILL.md"), validSkill("a"));
  });

  test("damaged answers are none", async (context) => {
    for (const damage of ["", "{", "null", '{"url":1}', "[]"]) {
      const cache = new Store();
      const from = await site(context, published("a"));
      await loadSkills({ host: httpHost(from.url, { ...quick, cache }) }, quiet);
      for (const path of cache.files.keys()) {
        if (path.startsWith("answers/")) cache.files.set(path, bytes(damage));
      }
      const catalog = await loadSkills({ host: httpHost(from.url, { ...quick, cache }) }, quiet);
      assert.deepEqual(catalog.names, ["a"]);
    }
  });

  test("memoryCache keeps what was used last, up to a size", () => {
    const cache = memoryCache({ bytes: 10 });
    cache.write("a", new Uint8Array(4));
    cache.write("b", new Uint8Array(4));
    cache.read("a");
    cache.write("c", new Uint8Array(4));
    assert.throws(() => cache.read("b"), { code: "ENOENT" });
    assert.ok(cache.read("a") && cache.read("c"));
    cache.write("large", new Uint8Array(11));
    assert.throws(() => cache.read("large"), { code: "ENOENT" });
  });

  test("memoryCache says what is wrong with its options", () => {
    for (const [options, problem] of [
      [{ size: 10 }, /size is not known/],
      [{ bytes: "10" }, /bytes must be a whole number.*; it is "10"/],
    ] as const) {
      const error = thrown(() => memoryCache(options as object));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, problem);
    }
  });

  test("several hosts can share one", async (context) => {
    const cache = memoryCache();
    const from = await site(context, published("a"));
    await loadSkills({ host: httpHost(from.url, { ...quick, cache }) }, quiet);
    from.asked.length = 0;
    await loadSkills({ host: httpHost(from.url, { ...quick, cache }) }, quiet);
    assert.deepEqual(from.asked, [INDEX]);
  });
});

describe("digests", () => {
  test("are verified where the runtime has no crypto, and for large content", async (context) => {
    const large = validSkill("large", "d", "x".repeat(200_000));
    const from = await site(context, {
      ...published("a"),
      [INDEX]: index(entry("a"), entry("large", large)),
      [skillPath("large")]: large,
    });
    assert.equal(await textOf(httpHost(from.url, quick), "large/SKILL.md"), large);
    const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
    Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
    try {
      const host = httpHost(from.url, quick);
      assert.equal(await textOf(host, "large/SKILL.md"), large);
      from.routes[skillPath("large")] = `${large} `;
      const error = await rejection(() => httpHost(from.url, quick).read("large/SKILL.md"));
      assert.equal(error.code, "DIGEST_MISMATCH");
    } finally {
      if (own) Object.defineProperty(globalThis, "crypto", own);
    }
  });
});

describe("it does what every host must do", () => {
  type Files = Record<string, string | Uint8Array>;

  /** The files of each skill. */
  function bySkill(files: Files): Record<string, string[]> {
    const skills: Record<string, string[]> = {};
    for (const path of Object.keys(files)) {
      const [name = ""] = path.split("/", 1);
      skills[name] ??= [];
      skills[name].push(path.slice(name.length + 1));
    }
    return skills;
  }

  /** Routes of files below a path. */
  function routes(files: Files, below: string): Record<string, Route> {
    return Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        `${below}/${path.split("/").map(encodeURIComponent).join("/")}`,
        content,
      ]),
    );
  }

  const open = new Set<Site>();
  const served = async (served: Record<string, Route>): Promise<Site> => {
    const from = await site({ after: () => {} }, served);
    open.add(from);
    return from;
  };
  after(() => Promise.all(Array.from(open, (from) => from.close())));

  const listed = async (files: Files): Promise<Host> => {
    const from = await served(routes(files, "/skills"));
    const skills = Object.entries(bySkill(files)).map(([name, files]) => ({ name, files }));
    return httpHost(`${from.url}/skills`, { ...quick, skills });
  };
  const indexed = async (files: Files): Promise<Host> => {
    const from = await served({
      ...routes(files, "/.well-known/skills"),
      [FIRST_INDEX]: firstIndex(bySkill(files)),
    });
    return httpHost(from.url, quick);
  };
  const archived = async (files: Files): Promise<Host> => {
    const skills = Object.entries(bySkill(files)).map(([name, paths]) => {
      const content = zipOf(
        Object.fromEntries(paths.map((path) => [path, files[`${name}/${path}`] ?? ""])),
      );
      return { name, content };
    });
    const from = await served({
      ...Object.fromEntries(skills.map(({ name, content }) => [`/${name}.zip`, content])),
      [INDEX]: index(
        ...skills.map(({ name, content }) => ({
          name,
          type: "archive",
          description: "d",
          url: `/${name}.zip`,
          digest: digest(content),
        })),
      ),
    });
    return httpHost(from.url, quick);
  };
  for (const [how, makeHost] of Object.entries({ listed, indexed })) {
    for (const { name, run } of hostConformance(makeHost, { names: "ascii" })) {
      test(`${how}: ${name}`, run);
    }
  }
  for (const { name, run } of hostConformance(archived)) test(`archived: ${name}`, run);

  test("lists name files of all characters that their format has", async () => {
    const names = [" ", "!\"$&'()*+,-", "%20", "%2F", ":;<=>@", "^_`{|}~", "..."];
    const files = Object.fromEntries(names.map((name) => [`a/b ${name}/c${name}`, name]));
    const tree = { ...files, "a/SKILL.md": validSkill("a") };
    for (const host of [await listed(tree), await indexed(tree)]) {
      for (const [path, content] of Object.entries(tree)) {
        assert.equal(await textOf(host, path), content);
      }
    }
  });
});

describe("what cannot be used is an error at once", () => {
  test("URLs", () => {
    for (const [url, problem] of [
      ["skills", /URL of a site.*"skills"/],
      ["file:///skills", /not file: ones/],
      ["https://user:secret@example.com", /https:\/\/example\.com\/ must not have.*pass headers/],
      [7, /it is number/],
      ["https://user:secret@a.example:99999/?token=secret", /"https:\/\/a\.example:99999\/"/],
    ] as const) {
      const error = thrown(() => httpHost(url as string));
      assert.equal(error.code, "SOURCE_UNSUPPORTED");
      assert.match(error.message, problem);
      assert.doesNotMatch(error.message, /secret/);
    }
  });

  test("options", () => {
    for (const [options, problem] of [
      [{ timeOut: 1 }, /timeOut is not known; timeout is/],
      [{ timeout: 0 }, /timeout must be a whole number from 1/],
      [{ fetch: "x" }, /fetch must be a function/],
      [{ cache: { read() {} } }, /cache must be an object with functions read and write/],
      [{ signal: {} }, /signal must be an AbortSignal/],
      [{ origins: "https://a.example" }, /origins must be a list of text/],
      [{ origins: ["a.example"] }, /origins must be a list of origins.*"a\.example"/],
      [{ origins: ["https://a.example/x"] }, /origins must be a list of origins/],
      [{ origins: ["https://a b"] }, /is no origin/],
      [{ origins: ["https://u:p@a.example"] }, /no user name and no password\.$/],
      [{ headers: { a: 1 } }, /headers must be an object of text; one value is 1/],
      [{ headers: { "a b": "c" } }, /characters that no header may have/],
      [{ skills: "pdf" }, /skills must be a list/],
      [{ skills: ["../pdf"] }, /skills\[0\]\.name "\.\.\/pdf" has a name that is empty/],
      [{ skills: ["a/b"] }, /skills\[0\]\.name "a\/b" is a path/],
      [{ skills: ["a", "a"] }, /skills\[1\]\.name "a" is there twice/],
      [{ skills: [7] }, /skills\[0\] must be an object/],
      [{ skills: [{ name: "a", files: ["b.md"] }] }, /skills\[0\]\.files.*no file "SKILL\.md"/],
      [{ skills: [{ name: "a", file: [] }] }, /skills\[0\]\.file is not known/],
      [{ archives: { limit: 1 } }, /limit is not known; limits is/],
      [{ archives: "strict" }, /archives must be an object/],
      [{ limits: { total: -1 } }, /limits\.total must be a whole number/],
      [[], /an object is expected/],
    ] as const) {
      const error = thrown(() => httpHost("https://a.example", options as HttpHostOptions));
      assert.equal(error.code, "SOURCE_UNSUPPORTED", JSON.stringify(options));
      assert.match(error.message, problem);
    }
  });

  test("a model is told neither addresses nor options", async (context) => {
    const files = ["moved.md", "denied.md", "large.md", "page.md", "late.md"];
    const below = "/.well-known/skills/a";
    const { host } = await hosted(
      context,
      {
        [FIRST_INDEX]: firstIndex({ a: ["SKILL.md", ...files] }),
        [`${below}/SKILL.md`]: validSkill("a"),
        [`${below}/moved.md`]: answering(302, { location: "https://b.example/" }),
        [`${below}/denied.md`]: answering(401),
        [`${below}/large.md`]: "x".repeat(2000),
        [`${below}/page.md`]: answering(200, { "content-type": "text/html" }, "<p>"),
        [`${below}/late.md`]: () => {},
      },
      { ...quick, limits: { file: 1000 } },
    );
    const catalog = await loadSkills({ host }, quiet);
    for (const path of files) {
      const { code, content } = await catalog.call("read_skill_file", { skill: "a", path });
      const told = `"${path}" could not be read: the place that it comes from does not give it now.`;
      assert.equal(code, "HOST_FAILED");
      assert.ok(content.startsWith(`${told} Call again`), content);
      const error = await rejection(() => host.read(`a/${path}`));
      assert.match(error.message, /http:\/\/127\.0\.0\.1/);
    }
  });

  test("nor of an archive or a content that is refused", async (context) => {
    const archive = (content: string): Record<string, unknown> => ({
      ...entry("z"),
      type: "archive",
      url: "z.zip",
      digest: digest(content),
    });
    const good = zipOf({ "SKILL.md": validSkill("z") });
    const { host, from } = await hosted(context, {
      [INDEX]: index({ ...archive(""), digest: digest(good) }),
      "/.well-known/agent-skills/z.zip": good,
    });
    const catalog = await loadSkills({ host }, quiet);
    for (const [content, told] of [
      ["no archive", "the archive that it is in cannot be used"],
      ["other", "its content is not what its index says, so nothing of it is used"],
    ] as const) {
      from.routes[INDEX] = index(archive(content));
      from.routes["/.well-known/agent-skills/z.zip"] = "no archive";
      await catalog.refresh();
      const { content: said } = await catalog.call("load_skill", { name: "z" });
      assert.ok(said.startsWith(`"SKILL.md" could not be read: ${told}.`), said);
    }
  });

  test("passwords and tokens are in no message", async (context) => {
    const { from } = await hosted(context, { "/x.json?token=secret": "{" });
    const error = await rejection(() =>
      httpHost(`${from.url}/x.json?token=secret`, quick).list(""),
    );
    assert.ok(SkillError.isInstance(error));
    assert.doesNotMatch(error.message, /secret/);
  });
});

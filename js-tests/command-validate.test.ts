// `skillshelf validate`: what it finds, in which form it says so, and what it mends.

import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, readFileSync, readlinkSync, statSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { Diagnostic } from "skillshelf";
import { command, start } from "./support/command.ts";
import { folder, link, write } from "./support/folder.ts";
import { skillFile } from "./support/text.ts";

const good = (
  name: string,
  description = `Does ${name}. Use it for ${name}.`,
  body = "B",
): string => skillFile(`name: ${name}\ndescription: ${description}`, body);

interface Report {
  valid: boolean;
  skills: string[];
  errors: number;
  warnings: number;
  hints: number;
  diagnostics: Diagnostic[];
}

/** `severity code path line:column` of all that is found, and the exit code. */
async function found(cwd: string, ...args: string[]): Promise<[code: number | null, ...string[]]> {
  const { code, out, err } = await command(["validate", "--json", ...args], { cwd });
  assert.equal(err, "");
  const { diagnostics } = JSON.parse(out) as Report;
  const told = diagnostics.map(({ severity, code, path, line, column }) => {
    const place = line === undefined ? "" : `:${line}:${column}`;
    return `${severity} ${code} ${path}${place}`;
  });
  return [code, ...told];
}

describe("what is validated", () => {
  test("folders of skills, folders that are one, and files", async () => {
    const cwd = folder({
      "skills/a/SKILL.md": good("a"),
      "skills/group/b/SKILL.md": good("wrong"),
      "skills/c/skill.md": good("c"),
      "skills/loose.md": good("loose"),
      "skills/bad.md": skillFile("name: bad"),
      "skills/README.md": "No skill.",
    });
    const all = await found(cwd);
    assert.deepEqual(all, [
      1,
      "info loose-file-passed-over skills/README.md",
      "error description-missing skills/bad.md:1:1",
      "error skill-file-name-case skills/c/skill.md",
      "error name-directory-mismatch skills/group/b/SKILL.md:2:7",
    ]);
    for (const one of ["skills/group/b", "skills/group/b/SKILL.md"]) {
      const [code, ...told] = await found(cwd, one);
      assert.deepEqual(
        [code, told],
        [1, ["error name-directory-mismatch skills/group/b/SKILL.md:2:7"]],
      );
    }
    assert.deepEqual(await found(cwd, "skills/loose.md", "skills/a"), [0]);
    assert.deepEqual(await found(path.join(cwd, "skills/a")), [0]);
  });
  test("what discovery finds, and two skills of one name", async () => {
    const cwd = folder({ "skills/x/a/SKILL.md": good("a"), "skills/y/a/SKILL.md": good("a") });
    link(cwd, "skills/z/SKILL.md", "/nowhere");
    const told = await found(cwd);
    assert.equal(told[0], 1);
    assert.ok(told.includes("error name-duplicate skills/y/a/SKILL.md"), told.join("\n"));
    assert.ok(told.includes("error skill-file-link-dangling skills/z/SKILL.md"), told.join("\n"));
  });
  test("nothing is a misuse", async () => {
    const empty = folder({ "notes.txt": "" });
    for (const args of [[], ["nowhere"], ["notes.txt"], ["."]]) {
      const { code } = await command(["validate", ...args], { cwd: empty });
      assert.equal(code, 2, args.join(" "));
    }
  });
  test("the rules of another profile", async () => {
    const cwd = folder({ "claude/SKILL.md": good("claude") });
    assert.deepEqual(await found(cwd, "."), [0]);
    const [code, told] = await found(cwd, ".", "--profile", "anthropic");
    assert.deepEqual([code, told], [1, "error name-reserved claude/SKILL.md:2:7"]);
  });
});

describe("hints", () => {
  const cwd = (): string =>
    folder({
      "a/SKILL.md": good("a", "Fills in forms of many kinds", "line\n".repeat(501)),
      "a/lost.md": "",
      "b/SKILL.md": good("b", "fills in forms of many kinds!").replaceAll("\n", "\r\n"),
      "c/SKILL.md": good("c", "What C does. Use it when …"),
    });
  const ALL = [
    "info description-without-when a/SKILL.md:3:14",
    "info body-long a/SKILL.md:5:1",
    "info file-not-mentioned a/lost.md",
    "info line-ends b/SKILL.md:1:4",
    "info description-similar b/SKILL.md:3:1",
    "info description-without-when b/SKILL.md:3:14",
    "info template-left c/SKILL.md:3:27",
  ];
  test("each is there, and none is an error", async () => {
    assert.deepEqual(await found(cwd(), "."), [0, ...ALL]);
  });
  test("all or single ones are turned off", async () => {
    assert.deepEqual(await found(cwd(), ".", "--no-hints"), [0]);
    const off = [
      "description-similar",
      "body-long",
      "description-without-when",
      "line-ends",
      "template-left",
    ];
    const rest = await found(cwd(), ".", ...off.flatMap((code) => ["--off", code]));
    assert.deepEqual(rest, [0, "info file-not-mentioned a/lost.md"]);
  });
  test("a code that is none of a hint is a misuse", async () => {
    for (const [code, message] of [
      ["body-lon", /--off: .*hints\.body-lon is not known; body-long is/],
      ["name-invalid", /name-invalid is not known/],
    ] as const) {
      const run = await command(["validate", ".", "--off", code], { cwd: cwd() });
      assert.equal(run.code, 2);
      assert.match(run.err, message);
    }
  });
});

describe("forms", () => {
  const cwd = (): string =>
    folder({
      "s/a,b/SKILL.md": skillFile("name: ok\ndescription: 100% a # b. Use it.", "[x](no.md)"),
    });
  test("for people: place, severity, message, code, remedy, and a summary", async () => {
    const { code, out } = await command(["validate", "s"], { cwd: cwd() });
    assert.equal(code, 1);
    const lines = out.split("\n");
    assert.match(lines[0] ?? "", /^s\/a,b\/SKILL\.md:2:7: error: .+ \[name-directory-mismatch\]$/);
    assert.match(lines[1] ?? "", /^ {4}rename/);
    assert.equal(lines.at(-2), "✗ 1 error, 2 warnings, 1 hint in 1 skill");
    const fine = await command(["validate"], { cwd: folder({ "SKILL.md": "" }) });
    assert.match(fine.out, /^SKILL\.md: error: .+\[file-empty\]/);
  });
  test("JSON counts", async () => {
    const { out } = await command(["validate", "s", "--format", "json"], { cwd: cwd() });
    const { diagnostics, ...rest } = JSON.parse(out) as Report;
    assert.deepEqual(rest, { valid: false, skills: ["s/a,b"], errors: 1, warnings: 2, hints: 1 });
    assert.equal(diagnostics.length, 4);
  });
  test("annotations for GitHub, of which no text escapes", async () => {
    const { code, out } = await command(["validate", "s", "--format", "github"], { cwd: cwd() });
    assert.equal(code, 1);
    const lines = out.trimEnd().split("\n");
    assert.match(
      lines[0] ?? "",
      /^::error file=s\/a%2Cb\/SKILL\.md,line=2,col=7,title=skillshelf%3A name-directory-mismatch::the name "ok" .+/,
    );
    assert.deepEqual(
      lines.map((line) => line.split(" ")[0]),
      ["::error", "::notice", "::warning", "::warning", "✗"],
    );
    const hostile = folder({ "%0A::error/SKILL.md": good("x\n::set-output name=a::b") });
    const run = await command(["validate", ".", "--format", "github"], { cwd: hostile });
    for (const line of run.out.trimEnd().split("\n").slice(0, -1)) {
      assert.match(line, /^::(error|warning|notice) file=%250A%3A%3Aerror\/SKILL\.md,/);
    }
  });
  test("a SARIF log", async () => {
    const { code, out } = await command(["validate", "s", "--format", "sarif"], { cwd: cwd() });
    assert.equal(code, 1);
    const log = JSON.parse(out);
    assert.equal(log.version, "2.1.0");
    const [run] = log.runs;
    assert.equal(run.tool.driver.name, "skillshelf");
    assert.equal(run.columnKind, "unicodeCodePoints");
    assert.deepEqual(
      run.results.map(({ level }: { level: string }) => level),
      ["error", "note", "warning", "warning"],
    );
    for (const { ruleId, ruleIndex } of run.results) {
      assert.equal(run.tool.driver.rules[ruleIndex].id, ruleId);
    }
    assert.deepEqual(run.results[0].locations, [
      {
        physicalLocation: {
          artifactLocation: { uri: "s/a%2Cb/SKILL.md" },
          region: { startLine: 2, startColumn: 7 },
        },
      },
    ]);
  });
});

describe("--fix", () => {
  const broken = "---\nname: a\ndescription: Use: when it is due\n---\nB\n";
  test("mends what is safe, shows the difference, and tells what is left", async () => {
    const cwd = folder({ "a/SKILL.md": broken, "b/SKILL.md": `\n\n${good("c")}` });
    chmodSync(path.join(cwd, "a/SKILL.md"), 0o640);
    const before = await command(["validate", "."], { cwd });
    assert.equal(before.code, 1);
    const { code, out } = await command(["validate", ".", "--fix"], { cwd });
    assert.equal(code, 1);
    assert.match(
      out,
      /^Mended in a\/SKILL\.md: quotes\n@@ line 1 @@\n ---\n name: a\n-description: Use: when it is due\n\+description: "Use: when it is due"\n ---\n B\n\n/,
    );
    assert.match(out, /^Mended in b\/SKILL\.md: the fences$/m);
    assert.match(out, /\n✗ 1 error in 2 skills\n$/);
    assert.match(out, /b\/SKILL\.md:2:7: error: .+ \[name-directory-mismatch\]/);
    const file = path.join(cwd, "a/SKILL.md");
    assert.equal(readFileSync(file, "utf8"), broken.replace("Use: when it is due", '"$&"'));
    assert.equal(statSync(file).mode & 0o777, 0o640);
    assert.equal(readFileSync(path.join(cwd, "b/SKILL.md"), "utf8"), good("c"));
  });
  test("the second time there is nothing to mend", async () => {
    const cwd = folder({ "a/SKILL.md": broken.replaceAll("\n", "\r\n") });
    const first = await command(["validate", ".", "--fix"], { cwd });
    assert.match(first.out, /^Mended in a\/SKILL\.md: the ends of lines, quotes$/m);
    const again = await command(["validate", ".", "--fix"], { cwd });
    assert.deepEqual([again.code, again.out], [0, "✓ 1 skill valid\n"]);
  });
  test("what cannot be mended safely stays as it is", async () => {
    const files = {
      "a/SKILL.md": "---\nname: a\ndescription: d\n",
      "b/SKILL.md": good("b"),
      "c/SKILL.md": "No front matter.\n",
      "d/SKILL.md": "---\nname: d\ndescription: [a, b\n---\nB\n",
    };
    const cwd = folder(files);
    const { code, out } = await command(["validate", ".", "--fix"], { cwd });
    assert.equal(code, 1);
    assert.doesNotMatch(out, /Mended/);
    for (const [file, text] of Object.entries(files)) {
      assert.equal(readFileSync(path.join(cwd, file), "utf8"), text);
    }
  });
  test("a link stays one, and machines read the report alone", async () => {
    const cwd = folder({ "a/real.md": broken });
    link(cwd, "a/SKILL.md", "real.md");
    const { out, err } = await command(["validate", ".", "--fix", "--json"], { cwd });
    assert.equal((JSON.parse(out) as Report).errors, 0);
    assert.match(err, /^Mended in/);
    assert.equal(readlinkSync(path.join(cwd, "a/SKILL.md")), "real.md");
    assert.match(readFileSync(path.join(cwd, "a/real.md"), "utf8"), /"Use: when it is due"/);
  });
});

test("--watch validates again when files change, until it is interrupted", async () => {
  const cwd = folder({ "skills/a/SKILL.md": good("b") });
  const child = start(["validate", "--watch"], { cwd });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  const until = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(out)) await once(child.stdout, "data");
    out = "";
  };
  await until(/✗ 1 error in 1 skill\n/);
  write(cwd, "skills/a/SKILL.md", good("a"));
  await until(/✓ 1 skill valid\n/);
  write(cwd, "skills/a/references/x.md", "");
  await until(/✓ 1 skill valid, 1 hint\n/);
  write(cwd, "skills/c/SKILL.md", "");
  await until(/✗ 1 error, 1 hint in 2 skills\n/);
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  assert.equal(code, 1);
});

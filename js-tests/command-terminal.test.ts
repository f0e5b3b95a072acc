// How the command looks in a terminal: a real one, made by `script` of util-linux.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, test } from "node:test";
import { COMMAND, environment } from "./support/command.ts";
import { folder } from "./support/folder.ts";
import { joined, skillFile, validSkill } from "./support/text.ts";

/** What a terminal of 60 columns gets; both streams are the same there. */
async function shown(
  args: string,
  cwd: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; text: string }> {
  const line = `stty cols 60 rows 20; exec "${process.execPath}" "${COMMAND}" ${args}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd,
    env: { ...environment(), TERM: "xterm-256color", ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text: text.replaceAll("\r\n", "\n") };
}

/** Text without its colors. */
const plain = (text: string): string => text.replace(/\u001b\[\d+m/g, "");

const isThere = spawnSync("script", ["--version"]).status === 0;

describe("in a terminal", { skip: isThere ? false : "there is no `script` of util-linux" }, () => {
  const project = (): string =>
    folder({
      "skills/short/SKILL.md": validSkill("short", "Does little. Use it."),
      "skills/long-name/SKILL.md": validSkill("long-name", `${"word ".repeat(40)}Use it.`),
      "skills/wide/SKILL.md": validSkill("wide", `${"日本語".repeat(20)} Use it.`),
      "skills/hostile/SKILL.md": skillFile(
        'name: hostile\ndescription: "Use it \\e]0;owned\\a\\e[2J\\u202E"',
        "Body \u001b[2J end",
      ),
      "skills/hostile/image.png": joined([0x89, 0, 0xff]),
      "skills/hostile/page.txt": "\u001b[2Jtext",
    });

  test("a list has colors, and lines that fit", async () => {
    const { code, text } = await shown("list", project());
    assert.equal(code, 0);
    assert.match(text, /\u001b\[1mskills\u001b\[22m/);
    assert.match(text, /\u001b\[36mshort {4}\u001b\[39m {2}Does little\. Use it\.$/m);
    const lines = plain(text).split("\n");
    const rows = lines.filter((line) => line.startsWith("  "));
    assert.equal(rows.length, 4);
    for (const row of rows) assert.ok(row.length <= 60, row);
    assert.match(lines.find((line) => line.includes("long-name")) ?? "", /word w…$/);
    // A character of these takes two columns.
    const wide = lines.find((line) => line.includes("日")) ?? "";
    assert.equal([...wide].filter((character) => character > "\u3000").length, 23);
  });
  test("help is in lines that fit", async () => {
    for (const args of ["--help", "chat --help", "mcp --help", "validate --help", "new --help"]) {
      const { code, text } = await shown(args, project());
      assert.equal(code, 0);
      for (const line of plain(text).split("\n")) assert.ok(line.length <= 60, `${args}: ${line}`);
    }
    const { text } = await shown("new --help", project());
    assert.match(plain(text), /^ {2}--root DIR {10}The .+ make it in;\n {22}\.\/skills$/m);
  });
  test("no text of a skill is obeyed", async () => {
    for (const args of [
      "list",
      "list --json",
      "show hostile",
      "show hostile --json",
      "prompt",
      "read hostile page.txt",
      "read hostile SKILL.md",
      "validate",
      "to-prompt skills/hostile",
    ]) {
      const { text } = await shown(args, project());
      assert.doesNotMatch(plain(text), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/, args);
    }
    const { text } = await shown("read hostile page.txt", project());
    assert.equal(text, "\\u{1b}[2Jtext");
  });
  test("bytes that are no text are not sent to it", async () => {
    const { code, text } = await shown("read hostile image.png", project());
    assert.equal(code, 1);
    assert.match(plain(text), /^skillshelf: image\.png is no text \(image\/png\)/);
  });
  test("a report has colors and a summary; NO_COLOR and a dumb terminal have none", async () => {
    const cwd = folder({ "skills/a/SKILL.md": validSkill("b", "Use it.") });
    const { code, text } = await shown("validate", cwd);
    assert.equal(code, 1);
    assert.match(
      text,
      /^\u001b\[1mskills\/a\/SKILL\.md:2:7\u001b\[22m: \u001b\[31merror\u001b\[39m: /,
    );
    assert.match(text, /\u001b\[31m✗ 1 error\u001b\[39m in 1 skill\n$/);
    for (const variables of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      const { text } = await shown("validate", cwd, variables);
      assert.doesNotMatch(text, /\u001b/);
    }
  });
  test("a line of progress where it takes longer than a second, which is gone after", async () => {
    const slow = path.join(folder({ "slow.mjs": SLOW_DISK }), "slow.mjs");
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`skills/s${n}/SKILL.md`, validSkill(`s${n}`)]),
    );
    const { text } = await shown("validate", folder(files), { NODE_OPTIONS: `--import=${slow}` });
    assert.match(text, /\r\u001b\[K.*\d+ of 40 skills validated …/);
    const last = text.lastIndexOf("\r\u001b[K");
    assert.match(text.slice(last), /^\r\u001b\[Kskills\/|^\r\u001b\[K.*skills\/s0/);
    const quick = await shown("validate", project());
    assert.doesNotMatch(quick.text, /validated …/);
  });
});

/** Each listing of a directory takes a while. */
const SLOW_DISK = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { readdir, readdirSync } = fs;
const nobody = new Int32Array(new SharedArrayBuffer(4));
fs.readdir = (...args) => setTimeout(() => readdir(...args), 50);
fs.readdirSync = (...args) => {
  Atomics.wait(nobody, 0, 0, 50);
  return readdirSync(...args);
};
syncBuiltinESMExports();
`;

// The command: its verbs that look at skills, its help, and what it says of what it cannot do.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { loadSkillsSync } from "skillshelf";
import { COMMAND, command, start } from "./support/command.ts";
import { folder, link, write } from "./support/folder.ts";
import { joined, skillFile, validSkill } from "./support/text.ts";

const pdf = skillFile(
  "name: pdf\ndescription: Fills forms. Use it for forms.\nlicense: MIT\nmetadata:\n  version: '1.10'",
  "# Forms\n\nRead `references/a.md`.",
);

/** A project with a folder of skills, one that the user alone may load, and a broken one. */
function project(): string {
  return folder({
    "skills/pdf/SKILL.md": pdf,
    "skills/pdf/references/a.md": "A\n",
    "skills/pdf/logo.png": joined([0x89, 0x50, 0, 0xff, 0xfe]),
    "skills/own/SKILL.md": skillFile(
      "name: own\ndescription: Mine. Use it.\ndisable-model-invocation: true",
    ),
    "skills/own/notes.txt": "notes",
    "skills/broken/SKILL.md": skillFile("name: broken"),
    "more/git/SKILL.md": validSkill("git"),
  });
}

describe("list", () => {
  test("the skills of ./skills, and what was passed over", async () => {
    const { code, out, err } = await command(["list"], { cwd: project() });
    assert.equal(code, 0);
    assert.equal(
      out,
      "skills\n  own  (only for the user) Mine. Use it.\n  pdf  (1.10) Fills forms. Use it for forms.\n",
    );
    assert.match(err, /^skills\/broken\/SKILL\.md:1:1: error: .+ \[description-missing\]$/m);
    assert.match(err, /^2 skills from 1 folder, 1 error/m);
  });
  test("of warnings it says which command explains them", async () => {
    const warned = skillFile("name: a\ndescription: Makes tea. Use it.\nmetadata:\n  n: 1");
    const cwd = folder({ "my skills/a/SKILL.md": warned, "skills/a/SKILL.md": warned });
    for (const [args, folders] of [
      [["my skills", "skills"], "'my skills' skills"],
      [[], "skills"],
    ] as const) {
      const { err } = await command(["list", ...args], { cwd });
      assert.ok(err.includes(`(see \`skillshelf validate ${folders}\`)`), err);
    }
  });
  test("folders by --root, repeated, and as arguments", async () => {
    const cwd = project();
    for (const args of [
      ["--root", "skills", "--root=more"],
      ["skills", "more"],
    ]) {
      const { out } = await command(["list", ...args], { cwd });
      assert.match(out, /^skills\n {2}own .+\n {2}pdf .+\nmore\n {2}git .+\n$/s);
    }
  });
  test("the project's standard folders are trusted only where that is said", async () => {
    const cwd = folder({
      ".git/HEAD": "",
      ".agents/skills/theirs/SKILL.md": validSkill("theirs"),
    });
    const home = folder({ ".claude/skills/mine/SKILL.md": validSkill("mine") });
    const before = await command(["list"], { cwd, home });
    assert.doesNotMatch(before.out, /theirs/);
    assert.match(before.out, /mine/);
    assert.match(before.err, /^\.agents\/skills is the project's own and not trusted; --trust/m);
    const { out, err } = await command(["list", "--trust"], { cwd, home });
    assert.match(out, /theirs/);
    assert.doesNotMatch(err, /trusted/);
  });
  test("JSON has the skills as the library has them", async () => {
    const cwd = project();
    const { out } = await command(["list", "--json"], { cwd });
    const { skills, diagnostics } = JSON.parse(out);
    const catalog = loadSkillsSync(path.join(cwd, "skills"), { onDiagnostic: () => {} });
    const plain = (skill: unknown): string => JSON.stringify(skill);
    assert.deepEqual(
      skills.map(({ source: _, ...skill }: { source: unknown }) => plain(skill)),
      [...catalog].map(({ source: _, ...skill }) => plain(skill)),
    );
    assert.deepEqual(
      diagnostics.map(({ code }: { code: string }) => code),
      catalog.diagnostics.map(({ code }) => code),
    );
  });
  test("no skills are no failure, a folder that is not there is", async () => {
    const { code, out, err } = await command(["list"]);
    assert.deepEqual([code, out, err], [0, "", "No skills\n"]);
    const missing = await command(["list", "nowhere"]);
    assert.equal(missing.code, 2);
    assert.match(missing.err, /^skillshelf: There is no folder nowhere\./);
  });
  test("what a terminal obeys, and what nobody sees, shows", async () => {
    const cwd = folder({
      "skills/a/SKILL.md": skillFile('name: a\ndescription: "x\\e[2J\\u202Ey\\u200Bz"'),
    });
    const { bytes, out } = await command(["list"], { cwd });
    assert.match(out, /x\\u\{1b\}\[2J\\u\{202e\}y\\u\{200b\}z\n$/);
    assert.ok(!bytes.includes(0x1b));
    const json = await command(["list", "--json"], { cwd });
    assert.doesNotMatch(json.out, /(?!\n)\p{C}/u);
    assert.equal(JSON.parse(json.out).skills[0].description, "x\u001b[2J\u202ey\u200bz");
  });
});

describe("prompt", () => {
  test("the index, byte for byte, in every style", async () => {
    const cwd = project();
    const catalog = loadSkillsSync(path.join(cwd, "skills"), { onDiagnostic: () => {} });
    for (const style of ["markdown", "plain", "xml", "json"] as const) {
      const { code, out } = await command(["prompt", "--style", style], { cwd });
      assert.equal(code, 0);
      assert.equal(out, `${catalog.prompt({ style })}\n`);
    }
  });
  test("nothing where there is nothing to list", async () => {
    const { code, out } = await command(["prompt"]);
    assert.deepEqual([code, out], [0, ""]);
  });
  test("no longer than it may be", async () => {
    const cwd = project();
    const { out } = await command(["prompt", "--characters", "160"], { cwd });
    assert.match(out, /^- pdf: Fills forms\. Use it…$/m);
    assert.ok(out.length <= 161, out);
    const { out: json } = await command(["prompt", "--tokens", "3", "--json"], { cwd });
    assert.deepEqual([JSON.parse(json).form, JSON.parse(json).text], ["none", ""]);
  });
  test("what a budget leaves out is said beside the text", async () => {
    const cwd = project();
    const said = async (...args: string[]) => (await command(["prompt", ...args], { cwd })).err;
    assert.equal(await said(), "");
    assert.equal(await said("--characters", "5000"), "");
    assert.equal(
      await said("--characters", "160"),
      "Named: 1 of 1 skill, 1 without all of their description (shortened).\n",
    );
    const least = await said("--tokens", "3");
    const [, tokens = ""] =
      /^Nothing of 1 skill fits \(none\): it takes at least (\d+) tokens\.\n$/.exec(least) ?? [];
    assert.notEqual((await command(["prompt", "--tokens", tokens], { cwd })).out, "");
    const { out } = await command(["prompt", "--tokens", String(Number(tokens) - 1)], { cwd });
    assert.equal(out, "");
  });
  test("JSON is the report", async () => {
    const { out } = await command(["prompt", "--json", "--location"], { cwd: project() });
    const report = JSON.parse(out);
    assert.deepEqual([report.form, report.listed, report.tools], ["full", 1, ["load_skill"]]);
    assert.match(report.text, /pdf\/SKILL\.md/);
  });
});

describe("search", () => {
  test("the skills that fit, the best first", async () => {
    const cwd = project();
    write(cwd, "skills/tables/SKILL.md", validSkill("tables", "Fills tables from forms"));
    const { code, out } = await command(["search", "fill", "in", "a", "form"], { cwd });
    assert.equal(code, 0);
    assert.match(out, /^pdf +Fills forms\. Use it for forms\.\ntables +Fills tables from forms\n$/);
  });
  test("instructions are looked at too, unless that is not wanted", async () => {
    const cwd = project();
    write(cwd, "skills/tea/SKILL.md", skillFile("name: tea\ndescription: Brews", "# Samovar"));
    assert.match((await command(["search", "samovar"], { cwd })).out, /^tea /);
    const { code, out, err } = await command(["search", "--no-bodies", "samovar"], { cwd });
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^No skill fits\.$/m);
  });
  test("JSON has the hits as the library has them", async () => {
    const args = ["search", "--json", "--limit", "1", "forms"];
    const { hits } = JSON.parse((await command(args, { cwd: project() })).out);
    assert.deepEqual(
      hits.map((hit: { skill: { name: string }; matched: string[] }) => [
        hit.skill.name,
        hit.matched,
      ]),
      [["pdf", ["forms"]]],
    );
  });
});

describe("show", () => {
  test("fields, files and the body", async () => {
    const { code, out } = await command(["show", "pdf"], { cwd: project() });
    assert.equal(code, 0);
    assert.match(out, /^pdf 1\.10\nFills forms\. Use it for forms\.\n\n/);
    assert.match(out, /^license {9}MIT$/m);
    assert.match(out, /^file {12}skills\/pdf\/SKILL\.md$/m);
    assert.match(out, /^beside it {7}logo\.png\n {16}references\/a\.md$/m);
    assert.match(out, /\n\n# Forms\n\nRead `references\/a\.md`\.\n$/);
  });
  test("JSON has all of it", async () => {
    const { out } = await command(["show", "pdf", "--json"], { cwd: project() });
    const { name, body, files } = JSON.parse(out);
    assert.deepEqual(
      [name, body, files],
      ["pdf", "# Forms\n\nRead `references/a.md`.", ["logo.png", "references/a.md"]],
    );
  });
  test("a name that is not there, with one that is", async () => {
    const { code, err } = await command(["show", "pfd"], { cwd: project() });
    assert.equal(code, 1);
    assert.match(err, /"pfd".+Did you mean "pdf"/);
  });
});

describe("read", () => {
  test("files byte for byte, text or not", async () => {
    const cwd = project();
    const text = await command(["read", "pdf", "references/a.md"], { cwd });
    assert.deepEqual([text.code, text.out], [0, "A\n"]);
    const logo = await command(["read", "pdf", "logo.png"], { cwd });
    assert.deepEqual([...logo.bytes], [0x89, 0x50, 0, 0xff, 0xfe]);
    const skill = await command(["read", "pdf", "SKILL.md"], { cwd });
    assert.equal(skill.out, pdf);
  });
  test("files of a skill that only the user may load, and long ones", async () => {
    const cwd = project();
    const own = await command(["read", "own", "notes.txt"], { cwd });
    assert.deepEqual([own.code, own.out], [0, "notes"]);
    const long = "é".repeat(600_000);
    write(cwd, "skills/pdf/long.txt", long);
    assert.equal((await command(["read", "pdf", "long.txt"], { cwd })).out, long);
  });
  test("nothing outside of the skill", async () => {
    const cwd = project();
    link(cwd, "skills/pdf/secret.txt", path.join(cwd, "more/git/SKILL.md"));
    for (const file of ["../own/notes.txt", "/etc/passwd", "secret.txt", "referenced/a.md"]) {
      const { code, out, err } = await command(["read", "pdf", file], { cwd });
      assert.deepEqual([code, out], [1, ""], file);
      assert.match(err, /^skillshelf: /);
    }
  });
  test("JSON", async () => {
    const cwd = project();
    const text = await command(["read", "--json", "pdf", "references/a.md"], { cwd });
    assert.deepEqual(JSON.parse(text.out), { skill: "pdf", path: "references/a.md", text: "A\n" });
    const { base64, mediaType } = JSON.parse(
      (await command(["read", "--json", "pdf", "logo.png"], { cwd })).out,
    );
    assert.deepEqual([base64, mediaType], ["iVAA//4=", "image/png"]);
  });
});

describe("the command line", () => {
  test("help of the command and of each verb", async () => {
    const { code, out } = await command([]);
    assert.equal(code, 0);
    assert.equal((await command(["--help"])).out, out);
    const verbs = [...out.matchAll(/^ {2}([a-z-]+) /gm)].map(([, verb = ""]) => verb);
    assert.ok(verbs.length >= 10, out);
    for (const verb of verbs) {
      const help = await command([verb, "--help"]);
      assert.equal(help.code, 0);
      assert.match(help.out, new RegExp(`^skillshelf ${verb}.*: .+\n`));
      assert.match(help.out, /^ {2}-h, --help/m);
      assert.equal((await command(["help", verb])).out, help.out);
    }
  });
  test("the version is the package's", async () => {
    const manifest = readFileSync(path.join(path.dirname(COMMAND), "../package.json"), "utf8");
    assert.equal((await command(["--version"])).out, `${JSON.parse(manifest).version}\n`);
  });
  for (const [args, message] of [
    [
      ["lst"],
      /^skillshelf: skillshelf has no command lst\. Did you mean list\?\nTry: skillshelf --help$/m,
    ],
    [["xyzzy"], /no command xyzzy\. There are list, /],
    [["--jsn"], /no option --jsn\./],
    [["list", "--rot", "x"], /^skillshelf: list has no option --rot\. Did you mean --root\?$/m],
    [["list", "-x"], /no option -x/],
    [["list", "--root"], /--root takes a value: --root DIR/],
    [["list", "--json=yes"], /--json takes no value/],
    [
      ["prompt", "--style", "xlm"],
      /--style takes one of markdown, plain, xml, json, not "xlm"\. Did you mean xml\?/,
    ],
    [["show"], /show needs NAME\.\nTry: skillshelf show --help$/m],
    [["show", "a", "b"], /show takes NAME; "b" is too much\./],
    [["read", "a"], /read needs NAME PATH\./],
    [["help", "shw"], /Did you mean show\?/],
    [["search"], /search needs WORDS…\./],
    [["search", "--limit", "few", "a"], /--limit takes a whole number, not "few"\./],
    [["prompt", "--tokens", "9", "--characters", "9"], /Say either --characters or --tokens\./],
    [["list", "\u001b[2J"], /There is no folder \\u\{1b\}\[2J/],
  ] as const) {
    test(`${JSON.stringify(args)} is misused`, async () => {
      const { code, out, err } = await command(args);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, message);
    });
  }
  test("what the system refuses says of which path, why, and what helps", async () => {
    const cwd = folder({ file: "", "skills/a/SKILL.md": validSkill("a") });
    for (const [args, path] of [
      [["new", "tea", "--root", "file"], "file/tea"],
      [["bundle", "skills", "--out", "file/a.js"], "file"],
      [["publish", "skills", "--out", "file"], "file/.well-known/agent-skills/a"],
    ] as const) {
      const { code, err } = await command(args, { cwd });
      assert.equal(code, 1);
      assert.match(
        err,
        /^skillshelf: file.*: .+; name another place \(E[A-Z]+\)\.\n$/,
        args.join(" "),
      );
      assert.ok(err.includes(`skillshelf: ${path}: `), err);
    }
  });
  test("whoever reads may stop", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3000 }, (_, n) => [`skills/s${n}/SKILL.md`, validSkill(`s${n}`)]),
    );
    const child = start(["list", "--json"], { cwd: folder(files) });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [code] = await once(child, "close");
    assert.deepEqual([code, err], [0, ""]);
  });
});

test("the package has the command, and npm a link to it", () => {
  assert.match(readFileSync(COMMAND, "utf8"), /^#!\/usr\/bin\/env node\n/);
  const links = readdirSync(path.join(import.meta.dirname, "node_modules/.bin"));
  assert.ok(links.includes("skillshelf"));
});

/**
 * Every public function, by what it can grow by: `prepare(n)` gives the work at that size, and each
 * run of the work does the same again.
 */
import {
  defineSkill,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  parseSkill,
  stringifySkill,
  validateSkill,
} from "skillshelf";
import { systemPrompt } from "skillshelf/prompt";

const quiet = { onDiagnostic() {} };
const range = (count) => Array.from({ length: count }, (_, index) => index);
const front = (lines, body = "Body.") => `---\n${lines}\n---\n${body}\n`;
const skill = (name, description = `Does ${name}.`, body = `The body of ${name}.`) =>
  front(`name: ${name}\ndescription: ${description}`, body);
const skillNames = (count) => range(count).map((index) => `skill-${index}`);
const folder = (count, text = skill) =>
  Object.fromEntries(skillNames(count).map((name) => [`${name}/SKILL.md`, text(name)]));
const load = (files, options) =>
  loadSkillsSync({ host: memoryHost(files) }, { ...quiet, ...options });
const shelf = (count) => load(folder(count));
const beside = (count) => ({
  "a/SKILL.md": skill("a"),
  ...Object.fromEntries(range(count).map((index) => [`a/f${index}.md`, "x"])),
});
const call = (catalog, tool, args) => {
  const result = catalog.call(tool, args);
  if (result.isError && result.code !== "SKILL_NOT_FOUND" && result.code !== "FILE_NOT_FOUND") {
    throw new Error(result.content);
  }
};
/** Of a text of that many bytes, one long line or what `piece` says. */
const parsing = (size, piece) => ({
  size,
  prepare: (n) => {
    const text = piece(n);
    return () => parseSkill(text);
  },
});
/** Of a catalog of that many skills. */
const over = (size, use, make = shelf) => ({
  size,
  prepare: (n) => {
    const catalog = make(n);
    return () => use(catalog, n);
  },
});

export const GROWTH = {
  "parseSkill: bytes of the body": parsing(400_000, (n) => skill("a", "d", "word ".repeat(n / 5))),
  "parseSkill: wrapper tags in the body": parsing(50_000, (n) =>
    skill("a", "d", "<skill_content>".repeat(n / 15)),
  ),
  "parseSkill: hidden characters": parsing(40_000, (n) => skill("a", "d", "a\u200b".repeat(n))),
  "parseSkill: keys": parsing(1_000, (n) =>
    front(
      `name: a\ndescription: d\n${range(n)
        .map((i) => `k${i}: v`)
        .join("\n")}`,
    ),
  ),
  "parseSkill: keys with a repair": parsing(1_000, (n) =>
    front(
      `name: a\ndescription: d\n${range(n)
        .map((i) => `k${i}: a: b`)
        .join("\n")}`,
    ),
  ),
  "parseSkill: one key many times": parsing(1_000, (n) =>
    front(
      `name: a\ndescription: d\n${range(n)
        .map(() => "k: v")
        .join("\n")}`,
    ),
  ),
  "parseSkill: items of a flow list": parsing(1_500, (n) =>
    front(`name: a\ndescription: d\nk: [${range(n).join(", ")}]`),
  ),
  "parseSkill: open brackets": parsing(10_000, (n) =>
    front(`name: a\ndescription: d\nk: ${"[".repeat(n)}`),
  ),
  "parseSkill: quotes that do not close": parsing(5_000, (n) =>
    front(`name: a\ndescription: d\n${'k: "a\n'.repeat(n / 2)}`),
  ),
  "parseSkill: indented lines": parsing(4_000, (n) =>
    front(`name: a\ndescription: >\n${"  word\n".repeat(n)}`),
  ),
  "parseSkill: a scalar of words": parsing(20_000, (n) => skill("a", "word ".repeat(n / 5))),
  "parseSkill: dashes": parsing(20_000, (n) =>
    front(`name: a\ndescription: d\nk: ${"-".repeat(n)}`),
  ),
  "parseSkill: without a closing fence": parsing(200_000, (n) => `---\n${"a: b\n".repeat(n / 5)}`),
  "parseSkill: allowed-tools": parsing(5_000, (n) =>
    front(`name: a\ndescription: d\nallowed-tools: ${"A(b c) ".repeat(n / 2)}`),
  ),
  "stringifySkill: metadata": {
    size: 1_000,
    prepare: (n) => {
      const metadata = Object.fromEntries(range(n).map((i) => [`k${i}`, "v: w"]));
      const spec = { name: "a", description: "d", content: "c", metadata };
      return () => stringifySkill(spec);
    },
  },
  "defineSkill: files": {
    size: 2_000,
    prepare: (n) => {
      const files = Object.fromEntries(range(n).map((i) => [`d/f${i}`, "x"]));
      return () => defineSkill({ name: "a", description: "d", content: "c", files });
    },
  },
  "validateSkill: files": {
    size: 1_000,
    prepare: (n) => {
      const files = Object.fromEntries(range(n).map((i) => [`references/f${i}.md`, "x"]));
      const all = { "SKILL.md": skill("a"), ...files };
      return () => validateSkill(all);
    },
  },
  "validateSkill: paths in the body": {
    size: 2_000,
    prepare: (n) => {
      const text = skill(
        "a",
        "d",
        range(n)
          .map((i) => `[x](references/f${i}.md)`)
          .join("\n"),
      );
      return () => validateSkill({ "SKILL.md": text });
    },
  },
  "loadSkillsSync: skills": {
    size: 1_000,
    prepare: (n) => {
      const host = memoryHost(folder(n));
      return () => loadSkillsSync({ host }, quiet).dispose();
    },
  },
  "loadSkills: skills": {
    size: 1_000,
    prepare: (n) => {
      const host = memoryHost(folder(n));
      return async () => (await loadSkills({ host }, quiet)).dispose();
    },
  },
  "loadSkillsSync: skills of one name": {
    size: 1_000,
    prepare: (n) => {
      const host = memoryHost(folder(n, () => skill("same")));
      return () => loadSkillsSync({ host }, quiet).dispose();
    },
  },
  "loadSkillsSync: skills that fail": {
    size: 1_000,
    prepare: (n) => {
      const host = memoryHost(folder(n, () => "---\nname: a\n"));
      return () => loadSkillsSync({ host }, quiet).dispose();
    },
  },
  "loadSkillsSync: names that look alike": {
    size: 1_000,
    prepare: (n) => {
      const name = (i) => i.toString(2).replaceAll("1", "l").replaceAll("0", "o");
      const files = range(n).map((i) => [`${name(i)}/SKILL.md`, skill(name(i))]);
      const host = memoryHost(Object.fromEntries(files));
      return () => loadSkillsSync({ host }, quiet).dispose();
    },
  },
  "loadSkillsSync: sources": {
    size: 200,
    prepare: (n) => {
      const sources = skillNames(n).map((name) => ({
        host: memoryHost({ [`${name}/SKILL.md`]: skill(name) }),
      }));
      return () => loadSkillsSync(sources, quiet).dispose();
    },
  },
  "loadSkillsSync: skills as sources": {
    size: 500,
    prepare: (n) => {
      const skills = [...shelf(n)];
      return () => loadSkillsSync(skills, quiet).dispose();
    },
  },
  "loadSkillsSync: nested skills": {
    size: 1_000,
    prepare: (n) => {
      const files = { "SKILL.md": skill("top"), ...folder(n) };
      const host = memoryHost(files);
      return () => loadSkillsSync({ host }, { ...quiet, nested: true }).dispose();
    },
  },
  "only: patterns": over(1_000, (catalog, n) => catalog.only(skillNames(n)).dispose()),
  "names, iteration, diagnostics": over(1_000, (catalog) => [
    catalog.names,
    [...catalog],
    catalog.diagnostics,
  ]),
  "get, each": over(1_000, (catalog, n) => skillNames(n).map((name) => catalog.get(name))),
  "refresh: skills": over(1_000, (catalog) => catalog.refresh()),
  "refresh: one file among skills": over(1_000, (catalog) =>
    catalog.refresh({ files: ["skill-7/SKILL.md"] }),
  ),
  "prompt: skills": over(2_000, (catalog) => catalog.prompt()),
  "prompt: skills, with a budget": over(1_000, (catalog, n) =>
    catalog.prompt({ budget: { characters: n * 20 } }),
  ),
  "prompt: skills, with tokens counted": over(1_000, (catalog, n) =>
    catalog.prompt({ budget: { tokens: n * 4, count: (text) => text.length / 4 } }),
  ),
  "prompt: groups": over(1_000, (catalog) =>
    catalog.prompt({ group: ({ name }) => name, budget: { characters: 3_000 } }),
  ),
  "systemPrompt: skills": over(1_000, (catalog) => systemPrompt({ catalog, tools: [] })),
  "tools: skills": over(1_000, (catalog) => catalog.tools({ set: "full" })),
  "load_skill: bytes of the body": over(
    100_000,
    (catalog) => call(catalog, "load_skill", { name: "a" }),
    (n) => load({ "a/SKILL.md": skill("a", "d", "word <skill_content> ".repeat(n / 21)) }),
  ),
  "load_skill: files beside it": over(
    500,
    (catalog) => call(catalog, "load_skill", { name: "a" }),
    (n) => load(beside(n)),
  ),
  "load_skill: an unknown name": over(1_000, (catalog) =>
    call(catalog, "load_skill", { name: "skil-1x" }),
  ),
  "load_skill: the length of a name": over(
    50_000,
    (catalog, n) => call(catalog, "load_skill", { name: "s".repeat(n) }),
    () => shelf(10),
  ),
  "read_skill_file: segments of a path": over(
    500,
    (catalog, n) => call(catalog, "read_skill_file", { skill: "a", path: `${"b/../".repeat(n)}x` }),
    () => load(beside(10)),
  ),
  "read_skill_file: a file that is not there": over(
    500,
    (catalog) => call(catalog, "read_skill_file", { skill: "a", path: "f1x.md" }),
    (n) => load(beside(n)),
  ),
  "read_skill_file: bytes": over(
    100_000,
    (catalog) => call(catalog, "read_skill_file", { skill: "a", path: "t" }),
    (n) => load({ "a/SKILL.md": skill("a"), "a/t": "é".repeat(n / 2) }),
  ),
  list_skills: over(1_000, (catalog) => call(catalog, "list_skills", { limit: 100 })),
  list_skill_resources: over(
    500,
    (catalog) => call(catalog, "list_skill_resources", { skill: "a" }),
    (n) => load(beside(n)),
  ),
  "search: skills": over(1_000, (catalog) => catalog.search("does skill-7", { bodies: true })),
  "search: words of the query": over(
    10_000,
    (catalog, n) => catalog.search("word does ".repeat(n / 10)),
    () => shelf(100),
  ),
  "expand: the text behind": over(
    100_000,
    (catalog, n) => catalog.expand(`/skill-1 ${"x ".repeat(n)}`),
    () => shelf(10),
  ),
  "expand: arguments in a body": over(
    5_000,
    (catalog) => catalog.expand("/a one two", { arguments: true }),
    (n) => load({ "a/SKILL.md": skill("a", "d", "$1 $ARGUMENTS ".repeat(n)) }),
  ),
  complete: over(1_000, (catalog) => catalog.complete("/sk")),
  "session: loads, state, compact": {
    size: 200,
    prepare: (n) => {
      const catalog = shelf(n);
      return () => {
        const session = catalog.session();
        for (const name of skillNames(n)) session.load(name);
        session.compact({ budget: { characters: n * 10 } });
        session.forget(skillNames(n));
        catalog.session({ state: session.toJSON() });
      };
    },
  },
};

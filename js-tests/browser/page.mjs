// Runs in the browser: what the package comes to there, as data for `chromium.mjs` to judge.

import {
  defineSkill,
  loadSkills,
  loadSkillsSync,
  memoryHost,
  parseSkill,
  SkillError,
  stringifySkill,
  validateSkill,
} from "skillshelf";

const TEXT = "---\nname: pdf\ndescription: 'Fills in forms: é😀'\n---\n\nRead references/a.md.\n";

function codeOf(work) {
  try {
    work();
    return null;
  } catch (error) {
    return SkillError.isInstance(error) ? error.code : String(error);
  }
}

/** What each part of the package answers. */
export async function results() {
  const files = {
    "pdf/SKILL.md": TEXT,
    "pdf/references/a.md": "Aé日😀",
    "pdf/logo.png": new Uint8Array([0x89, 0x50, 0, 0xff]),
    "bad/SKILL.md": "---\nname: bad\n---\n",
  };
  const host = memoryHost(files);
  const promised = {
    list: async (directory) => host.list(directory),
    read: async (file) => host.read(file),
  };
  const found = [];
  const catalog = await loadSkills([{ host: promised }, defineSkill(specification())], {
    onDiagnostic: ({ code }) => found.push(code),
  });
  const [load, read] = catalog.tools();
  const image = await catalog.call("read_skill_file", { skill: "pdf", path: "logo.png" });
  files["pdf/SKILL.md"] = TEXT.replace("Read", "Edited: read");
  const sync = loadSkillsSync({ host });
  return {
    found,
    names: catalog.names,
    prompt: catalog.prompt(),
    body: await catalog.body("pdf"),
    tools: [load.name, read.name],
    loaded: await load.execute({ name: "in-code" }),
    file: await read.execute({ skill: "pdf", path: "references/a.md" }),
    image: [image.mediaType, image.bytes === undefined ? null : [...image.bytes]],
    unknown: await catalog.call("load_skill", { name: "pfd" }),
    sync: sync.call("load_skill", { name: "pdf" }).content.includes("Edited: read"),
    changed: (await catalog.refresh()).changed,
    parsed: parseSkill(TEXT).skill?.description,
    invalid: validateSkill({ "SKILL.md": TEXT }, { directory: "other" }).map(({ code }) => code),
    text: parseSkill(stringifySkill(specification())).body,
    disk: codeOf(() => loadSkillsSync("./skills")),
  };
}

function specification() {
  return { name: "in-code", description: "From code.", content: "In code." };
}

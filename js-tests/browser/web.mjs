// Runs in the browser: hosts over what a person hands to a page, as data for the tests to judge.

import { loadSkills } from "skillshelf";
import { hostConformance } from "skillshelf/testing";
import { directoryHandleHost, droppedFilesHost, fileListHost } from "skillshelf/web";

let made = 0;

/** A fresh directory of the page's own storage with these files. */
async function directoryOf(files) {
  const root = await navigator.storage.getDirectory();
  made += 1;
  const name = `d${made}`;
  await root.removeEntry(name, { recursive: true }).catch(() => {});
  const directory = await root.getDirectoryHandle(name, { create: true });
  for (const [path, content] of Object.entries(files)) await write(directory, path, content);
  return directory;
}

async function write(directory, path, content) {
  const names = path.split("/");
  const last = names.pop();
  let at = directory;
  for (const name of names) at = await at.getDirectoryHandle(name, { create: true });
  const stream = await (await at.getFileHandle(last, { create: true })).createWritable();
  await stream.write(content);
  await stream.close();
}

/** Files as an `<input webkitdirectory>` gives them. */
function chosen(files) {
  return Object.entries(files).map(([path, content]) => {
    const file = new File([content], path.split("/").pop(), { lastModified: 1 });
    Object.defineProperty(file, "webkitRelativePath", { value: path });
    return file;
  });
}

/** What a conformance check came to, by its name. */
async function conformance(makeHost) {
  const outcomes = {};
  for (const { name, run } of hostConformance(makeHost)) {
    outcomes[name] = await run().then(
      () => "passed",
      (error) => String(error),
    );
  }
  return outcomes;
}

export const handles = () =>
  conformance(async (files) => directoryHandleHost(await directoryOf(files)));
export const lists = () => conformance((files) => fileListHost(chosen(files)));

const SKILL = "---\nname: tea\ndescription: How to brew tea\n---\nWarm the pot.";

async function outcome(work) {
  try {
    return await work();
  } catch (error) {
    return `${error.name} ${error.code ?? ""}`.trim();
  }
}

/** What edits of a directory come to. */
export async function edits() {
  const directory = await directoryOf({ "tea/SKILL.md": SKILL });
  const catalog = await loadSkills({ host: directoryHandleHost(directory), label: "picked" });
  const before = await catalog.body("tea");
  await write(directory, "tea/SKILL.md", SKILL.replace("Warm", "Warm up"));
  await write(directory, "mate/SKILL.md", SKILL.replace("tea", "mate"));
  const after = await catalog.body("tea");
  const { added, changed } = await catalog.refresh();
  await directory.removeEntry("tea", { recursive: true });
  const { removed } = await catalog.refresh();
  await write(directory, "tea/SKILL.md", SKILL);
  const again = await catalog.refresh();
  return { before, after, added, changed, removed, again: again.added, names: catalog.names };
}

/** What is told of a directory that the page may no longer read. */
export async function forbidden() {
  const refuse = async () => {
    throw new DOMException("The request is not allowed.", "NotAllowedError");
  };
  const handle = {
    kind: "directory",
    name: "x",
    entries: refuse,
    getDirectoryHandle: refuse,
    getFileHandle: refuse,
  };
  const host = directoryHandleHost({
    ...handle,
    entries: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
  });
  const catalog = await loadSkills({ host, label: "picked" }, { onDiagnostic: () => {} });
  return catalog.diagnostics.map(({ code, message, path }) => ({ code, message, path }));
}

/** What cannot be used. */
export async function mistakes() {
  const told = [];
  for (const work of [
    () => directoryHandleHost(null),
    () => directoryHandleHost({ kind: "file" }),
    () => fileListHost(null),
    () => fileListHost([new File([], "..")]),
    () => droppedFilesHost(null),
    () => droppedFilesHost({}),
  ]) {
    told.push(await outcome(work));
  }
  return told;
}

/** Files of one path, and a file where others have a folder. */
export async function collisions() {
  const files = chosen({ "tea/SKILL.md": SKILL, x: "file", "x/y": "below" });
  const host = fileListHost([...files, ...chosen({ "tea/SKILL.md": "again" })]);
  const names = async (directory) => (await host.list(directory)).map(({ name }) => name);
  return { root: await names(""), tea: await names("tea"), x: await names("x") };
}

/** An input for folders and a place to drop on; what is handed over becomes `window.given`. */
export function place() {
  document.body.innerHTML = `<input id="input" type="file" webkitdirectory>
    <div id="zone" style="position:fixed;inset:60px 0 0 0">drop here</div>`;
  const zone = document.querySelector("#zone");
  const input = document.querySelector("#input");
  window.given = new Promise((give) => {
    input.addEventListener("change", () => give(fileListHost(input.files)));
    zone.addEventListener("dragover", (event) => event.preventDefault());
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      give(droppedFilesHost(event.dataTransfer));
    });
  });
}

/** What a catalog makes of the host that was given, and what the host makes of awkward paths. */
export async function given() {
  const host = await window.given;
  const catalog = await loadSkills({ host, label: "given" }, { onDiagnostic: () => {} });
  const read = await catalog.call("read_skill_file", { skill: "tea", path: "references/a.md" });
  return {
    root: (await host.list("")).map(({ name, kind }) => `${kind} ${name}`).sort(),
    names: catalog.names,
    body: await catalog.body("tea"),
    file: read.content,
    many: (await host.list("skills/tea/many")).length,
    missing: await outcome(() => host.read("skills/none")),
    directory: await outcome(() => host.read("skills/tea")),
    file_as_directory: await outcome(() => host.list("skills/tea/SKILL.md")),
    below_file: await outcome(() => host.read("skills/tea/SKILL.md/x")),
    escaping: await outcome(() => host.read("skills/../skills/tea/SKILL.md")),
    stats: await Promise.all(
      ["skills", "skills/tea/SKILL.md", "skills/none", "none"].map(
        async (path) => (await host.stat(path))?.kind ?? null,
      ),
    ),
  };
}

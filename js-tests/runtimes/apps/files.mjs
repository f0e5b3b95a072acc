// A page: what the hosts of skillshelf/web come to in this browser goes back to the server.

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

const handles = () => conformance(async (files) => directoryHandleHost(await directoryOf(files)));
const lists = () => conformance((files) => fileListHost(chosen(files)));

const SKILL = "---\nname: tea\ndescription: How to brew tea\n---\nWarm the pot.";

async function outcome(work) {
  try {
    return await work();
  } catch (error) {
    return `${error.name} ${error.code ?? ""}`.trim();
  }
}

/** What edits of a directory come to. */
async function edits() {
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
async function forbidden() {
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
async function mistakes() {
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
async function collisions() {
  const files = chosen({ "tea/SKILL.md": SKILL, x: "file", "x/y": "below" });
  const host = fileListHost([...files, ...chosen({ "tea/SKILL.md": "again" })]);
  const names = async (directory) => (await host.list(directory)).map(({ name }) => name);
  return { root: await names(""), tea: await names("tea"), x: await names("x") };
}

/** Edits of one length, one after the other, each of which is seen. */
async function quickEdits() {
  const directory = await directoryOf({ "tea/SKILL.md": SKILL });
  const catalog = await loadSkills({ host: directoryHandleHost(directory) });
  let seen = 0;
  for (const drink of ["Tea", "TEa", "TEA", "tEA"]) {
    await write(directory, "tea/SKILL.md", SKILL.replace("brew tea", `brew ${drink}`));
    seen += (await catalog.refresh()).changed.length;
  }
  return seen;
}

const found = {};
for (const part of [handles, lists, edits, quickEdits, forbidden, mistakes, collisions]) {
  found[part.name] = await part();
}
await fetch("/answer", { method: "POST", body: JSON.stringify(found) });

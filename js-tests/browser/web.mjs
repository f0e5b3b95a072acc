// Runs in the browser: what a person hands to a page, by an input or by dropping it.

import { loadSkills } from "skillshelf";
import { hostConformance } from "skillshelf/testing";
import { droppedFilesHost, fileListHost } from "skillshelf/web";

async function outcome(work) {
  try {
    return await work();
  } catch (error) {
    return `${error.name} ${error.code ?? ""}`.trim();
  }
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

/** What the checks of hosts come to for the host that was given, by their names. */
export async function conformance() {
  const host = await window.given;
  const outcomes = {};
  for (const { name, run } of hostConformance(() => host)) {
    outcomes[name] = await run().then(
      () => "passed",
      (error) => String(error),
    );
  }
  return outcomes;
}

import { timed } from "../clock.mjs";
import { watchWebAssembly } from "../probe.mjs";

/** What a catalog keeps: growth over one load, with the garbage collected before and after. */
export async function run({ directory }) {
  const seen = watchWebAssembly();
  const { loadSkillsSync, parseSkill } = await import("skillshelf");
  // The module is compiled and its memory there before the first look.
  parseSkill("---\nname: first\ndescription: First.\n---\nFirst.\n");

  const before = memory(seen);
  const { value: catalog, ms, cpu } = await timed(() => loadSkillsSync(directory));
  const loaded = memory(seen);
  const skills = [...catalog];
  const held = memory(seen);
  if (skills.length !== catalog.size || skills.length === 0)
    throw new Error("the catalog is empty");

  return {
    skills: skills.length,
    ms,
    cpu,
    kept: loaded.kept - before.kept,
    wasm: loaded.wasm - before.wasm,
    resident: loaded.resident - before.resident,
    keptWithObjects: held.kept - before.kept,
  };
}

function memory({ memory: wasmMemory }) {
  if (wasmMemory === undefined) throw new Error("no WebAssembly memory was made");
  globalThis.gc();
  globalThis.gc();
  // What V8 counts as external has the WebAssembly memory in it.
  const { rss, heapUsed, external } = process.memoryUsage();
  return { wasm: wasmMemory.buffer.byteLength, resident: rss, kept: heapUsed + external };
}

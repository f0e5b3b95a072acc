import { timed } from "../clock.mjs";
import * as bare from "../subjects/bare-loop-sync.mjs";
import { run as memory } from "./memory.mjs";

/** What a first load of a folder takes and keeps, beside a loop that only reads the same files. */
export async function run({ directory }) {
  const files = bare.prepare(directory);
  const loop = await timed(() => bare.load(directory, files));
  const { skills, ms, cpu, kept, resident } = await memory({ directory });
  return { skills, ms, cpu, kept, resident, bareMs: loop.ms, bareCpu: loop.cpu };
}

import { GROWTH } from "../subjects/growth.mjs";

/** The least time of some runs at two sizes, in turns, so that what disturbs one disturbs both. */
const RUNS = 7;

export async function run({ name }) {
  const { size, prepare } = GROWTH[name];
  const small = await prepare(size);
  const large = await prepare(size * 2);
  // Once for the compilers.
  await small();
  await large();
  const least = [Infinity, Infinity];
  for (let round = 0; round < RUNS; round += 1) {
    for (const [index, work] of [small, large].entries()) {
      const start = performance.now();
      const pending = work();
      if (pending instanceof Promise) await pending;
      least[index] = Math.min(least[index], performance.now() - start);
    }
  }
  return { smallMs: least[0], largeMs: least[1], size };
}

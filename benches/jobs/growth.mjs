import { GROWTH } from "../subjects/growth.mjs";

/** Milliseconds of the processor that a sample of the smaller size takes at least. */
const SAMPLE = 8;
/** Samples of each size. */
const SAMPLES = 7;
/** Of work that is too quick to be seen, this is often enough. */
const MOST = 2_000;

/**
 * Processor time of the work at two sizes, in turns, so that what disturbs one disturbs both. The median:
 * the least would leave the collector of garbage out.
 */
export async function run({ name }) {
  const { size, prepare } = GROWTH[name];
  const works = [await prepare(size), await prepare(size * 2)];
  // Once for the compilers.
  for (const work of works) await work();
  const times = await enough(works[0]);
  const samples = works.map(() => []);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (const [index, work] of works.entries()) samples[index].push(await each(work, times));
  }
  const [smallMs, largeMs] = samples.map(median);
  return { smallMs, largeMs, size };
}

/** How often work is done for a sample. */
async function enough(work) {
  for (let times = 1; ; times *= 2) {
    if (times >= MOST || (await each(work, times)) * times >= SAMPLE) return times;
  }
}

/** Milliseconds of the processor that the work takes each time. */
async function each(work, times) {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) {
    const pending = work();
    if (pending instanceof Promise) await pending;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

import { timed } from "../clock.mjs";

/** Loads a folder twice with one subject: as a fresh process does, and as one that is warm. */
export async function run({ subject, directory }) {
  const { load, prepare } = await import(new URL(subject, import.meta.url).href);
  const prepared = prepare?.(directory);
  const first = await timed(() => load(directory, prepared));
  first.value.dispose?.();
  const second = await timed(() => load(directory, prepared));
  second.value.dispose?.();
  if (first.value.accepted !== second.value.accepted) {
    throw new Error(`accepted ${first.value.accepted}, then ${second.value.accepted}`);
  }
  return { ms: first.ms, cpu: first.cpu, warmMs: second.ms, accepted: first.value.accepted };
}

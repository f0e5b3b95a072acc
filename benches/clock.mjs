/** Runs `work` and tells how long it took, and how much processor time on all threads. */
export async function timed(work) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const pending = work();
  // A synchronous answer is not made to wait for a turn of the loop.
  const value = pending instanceof Promise ? await pending : pending;
  const ms = performance.now() - start;
  const used = process.cpuUsage(cpu);
  return { value, ms, cpu: (used.user + used.system) / 1000 };
}

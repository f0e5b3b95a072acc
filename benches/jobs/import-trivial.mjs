/** What importing costs when there is nothing in the module. */
export async function run() {
  const start = performance.now();
  await import("../subjects/trivial.mjs");
  const imported = performance.now();
  return { ms: imported - start, importMs: imported - start };
}

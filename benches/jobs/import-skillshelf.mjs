/** From the import to the first answer, in a process that has done nothing else. */
export async function run({ text }) {
  const start = performance.now();
  const { parseSkill } = await import("skillshelf");
  const imported = performance.now();
  const { skill } = parseSkill(text);
  const answered = performance.now();
  if (skill === undefined) throw new Error("the example skill does not parse");
  return { ms: answered - start, importMs: imported - start };
}

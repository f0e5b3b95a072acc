// What a catalog has of the skills that `skillshelf bundle` is tried with, as text.

const FILES = ["notes/steeping.md", "leaf.bin"];

export async function told(catalog) {
  const bodies = await Promise.all(catalog.names.map((name) => catalog.body(name)));
  const results = await Promise.all(
    FILES.map((path) => catalog.call("read_skill_file", { skill: "tea", path })),
  );
  const files = results.map(({ content, bytes = [] }) => ({ content, bytes: Array.from(bytes) }));
  return JSON.stringify([catalog.prompt(), bodies, files]);
}

// Serves a directory of skills over standard input and output, as the command does; with a port,
// over HTTP, and says where.

import { loadSkills } from "skillshelf";

// What the command is made of is no export.
const { serveSkills } = await import(
  new URL("dist/mcp/serve/serve-skills.js", import.meta.resolve("skillshelf/package.json")).href
);

const [directory, port] = process.argv.slice(2);
const catalog = await loadSkills(directory, { onDiagnostic: () => {} });
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const served = await serveSkills(catalog, {
  signal: stop.signal,
  watch: { debounce: 20 },
  ...(port !== undefined && { http: { port: Number(port) } }),
});
if (served.url !== undefined) console.log(served.url);
await served.closed;
// Nothing is left that would keep the process alive.
process.stderr.write("closed\n");

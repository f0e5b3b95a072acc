/** Which version of the package this is. */
import { readFileSync } from "node:fs";

/** The version in its `package.json`, beside whose `dist` the command stands. */
export function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

#!/usr/bin/env node
/**
 * The command `skillshelf`. The package bundles it apart, with what it needs inside.
 *
 * @module
 */
import { compiledModule } from "#module";
import { provideModule } from "../engine.js";
import { run } from "./command.js";
import { Screen } from "./screen.js";

provideModule(compiledModule);

/** Whoever reads may stop, as `head` does. Then there is nobody to write to. */
function onceUnread(stream: NodeJS.WriteStream, then: () => void): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    then();
  });
}

onceUnread(process.stdout, () => process.exit());
// What is asked for may still be read.
onceUnread(process.stderr, () => {});

process.exitCode = await run(process.argv.slice(2), new Screen(process.stdout, process.stderr));

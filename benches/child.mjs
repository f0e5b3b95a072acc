/**
 * The process that runs one job: `node child.mjs <job> <parameters as JSON>`. What the job returns
 * goes to descriptor 3, away from anything that a library prints. Nothing else is imported here,
 * so that a job which measures an import starts from an empty process.
 */
import { writeSync } from "node:fs";

const RESULT = 3;
const [job, parameters] = process.argv.slice(2);

// Several loaders warn for each file: the terminal is not what is measured.
console.warn = () => {};

const { run } = await import(job);
writeSync(RESULT, JSON.stringify(await run(JSON.parse(parameters))));
process.exit(0);

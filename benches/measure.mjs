import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("./child.mjs", import.meta.url));
const running = new Set();

/** Ends every process that is still measuring. */
export function stopChildren() {
  for (const child of running) child.kill("SIGKILL");
}

/**
 * Runs every subject in each round, in a new order each time and in a process of its own: no
 * subject profits from another's compiled code or pays for its garbage, and a disturbance from
 * outside meets all alike.
 *
 * A subject is `{ name, job, parameters, flags?, repeat? }`: `repeat` is how often it runs in each
 * round, for one that is quick and matters. The answer maps names to `{ samples, error? }`, each
 * sample with its `round`; a subject that failed once is not run again.
 */
export async function measureRounds(subjects, rounds, progress) {
  const outcomes = new Map(subjects.map(({ name }) => [name, { samples: [] }]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const subject of shuffled(subjects.flatMap(repeated))) {
      const outcome = outcomes.get(subject.name);
      if (outcome.error !== undefined) continue;
      progress(`round ${round} of ${rounds}: ${subject.name}`);
      try {
        outcome.samples.push({ round, ...(await runJob(subject)) });
      } catch (error) {
        outcome.error = error.message;
      }
    }
  }
  progress("");
  return outcomes;
}

/** Runs one job in a fresh process and returns its result. */
export function runJob({ job, parameters, flags = [] }) {
  return new Promise((resolve, reject) => {
    const url = new URL(job, import.meta.url).href;
    const child = spawn(process.execPath, [...flags, CHILD, url, JSON.stringify(parameters)], {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    running.add(child);
    let errors = "";
    let result = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    child.stdio[3].on("data", (chunk) => (result += chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      running.delete(child);
      if (code === 0) resolve(JSON.parse(result));
      else reject(new Error(reason(errors) ?? `ended with ${signal ?? code}`));
    });
  });
}

/** The line of an uncaught error's report that says what happened. */
function reason(errors) {
  return errors
    .split("\n")
    .find((line) => /^\w*Error\b/.test(line.trim()))
    ?.trim();
}

function repeated(subject) {
  return Array.from({ length: subject.repeat ?? 1 }, () => subject);
}

function shuffled(items) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

import { measureRounds } from "../measure.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { failures, integer, milliseconds, ratioWithRange } from "../table.mjs";

/** Above this a function is worse than linear, whatever the noise. */
const BOUND = 3;

/**
 * What each public function takes of the processor at `n` and at `2n`: 2 is linear, 4 is quadratic. What is
 * above the bound without a reason fails the run, and so does a public function that is not here.
 */
export async function run({ rounds, progress }) {
  const { GROWTH, MORE_THAN_LINEAR, NOT_MEASURED } = await import("../subjects/growth.mjs");
  const { publicNames } = await import("../subjects/public-api.mjs");
  const faults = missing(await publicNames(), GROWTH, NOT_MEASURED);
  const subjects = Object.keys(GROWTH).map((name) => ({
    name,
    job: "./jobs/growth.mjs",
    parameters: { name },
  }));
  const outcomes = await measureRounds(subjects, rounds, progress);
  const series = seriesOf(outcomes);
  const rows = subjects.map(({ name }) => {
    const small = series(name, (sample) => sample.smallMs);
    const large = series(name, (sample) => sample.largeMs);
    const ratio = ratioByRound(large, small);
    if (ratio === undefined) return [name, "failed"];
    const reason = MORE_THAN_LINEAR[name];
    const isAbove = ratio.median > BOUND;
    if (isAbove && reason === undefined) {
      faults.push(`${name} takes ${ratio.median.toFixed(2)} times as long for twice as much`);
    }
    return [
      name,
      integer(GROWTH[name].size),
      milliseconds(spread(small).median),
      milliseconds(spread(large).median),
      ratioWithRange(ratio),
      reason ?? (isAbove ? "more than linear" : ""),
    ];
  });
  return {
    tables: [
      {
        title: "Time at 2n ÷ time at n",
        columns: ["", "n", "at n", "at 2n", "ratio", ""],
        rows,
        notes: [...failures(outcomes), ...faults.map((fault) => `FAILED: ${fault}`)],
      },
    ],
    figures: [],
    outcomes: [outcomes],
    faults,
  };
}

/** Of the public names those that are neither measured nor left out for a reason, and the other way around. */
function missing(names, measured, reasons) {
  const known = new Set(Object.keys(measured).flatMap((name) => name.split(":")[0].split(", ")));
  const left = Object.keys(reasons);
  return [
    ...names
      .filter((name) => !known.has(name) && !left.includes(name))
      .map((n) => `${n} is not measured`),
    ...left.filter((name) => !names.includes(name)).map((name) => `nothing is called ${name}`),
    ...left.filter((name) => known.has(name)).map((name) => `${name} is measured after all`),
  ];
}

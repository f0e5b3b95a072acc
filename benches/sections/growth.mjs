import { measureRounds } from "../measure.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { failures, integer, milliseconds, ratioWithRange } from "../table.mjs";

/** Above this a function is worse than linear, whatever the noise. */
const SUSPECT = 3;

/** What each public function takes at `n` and at `2n`: 2 is linear, 4 is quadratic. */
export async function run({ rounds, progress }) {
  const { GROWTH } = await import("../subjects/growth.mjs");
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
    return [
      name,
      integer(GROWTH[name].size),
      milliseconds(spread(small).median),
      milliseconds(spread(large).median),
      ratioWithRange(ratio),
      ratio.median > SUSPECT ? "more than linear" : "",
    ];
  });
  return {
    tables: [
      {
        title: "Time at 2n ÷ time at n",
        columns: ["", "n", "at n", "at 2n", "ratio", ""],
        rows,
        notes: failures(outcomes),
      },
    ],
    figures: [],
    outcomes: [outcomes],
  };
}

import { budget } from "../budgets.mjs";
import { measureRounds } from "../measure.mjs";
import { seriesOf, spread } from "../statistics.mjs";
import { failures, integer } from "../table.mjs";

const NAME = "module";

/** The WebAssembly module that the installed package compiles. A KB is 1,000 bytes. */
export async function run({ progress }) {
  const outcomes = await measureRounds(
    [{ name: NAME, job: "./jobs/size.mjs", parameters: {} }],
    1,
    progress,
  );
  const [size] = outcomes.get(NAME).samples;
  return {
    tables: [
      {
        title: "Size of the WebAssembly module",
        columns: ["", "bytes"],
        rows: size
          ? [
              ["as it is", integer(size.raw)],
              ["gzip -9", integer(size.gzip)],
            ]
          : [],
        notes: failures(outcomes),
      },
    ],
    figures: [
      budget("module, gzip", spread(seriesOf(outcomes)(NAME, ({ gzip }) => gzip / 1000)), {
        most: 100,
        unit: "KB",
      }),
    ],
    outcomes: [outcomes],
  };
}

import { budget } from "../budgets.mjs";
import { measureRounds } from "../measure.mjs";
import { seriesOf, spread } from "../statistics.mjs";
import { failures, integer } from "../table.mjs";

const NAME = "module";

/** The WebAssembly module, as it is downloaded and as Node has it. A KB is 1,000 bytes. */
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
        columns: ["", "as it is", "gzip -9"],
        rows: size
          ? [
              ["for browsers and Workers", size.downloaded],
              ["for Node, compiled for speed", size.compiled],
            ].map(([name, { raw, gzip }]) => [name, integer(raw), integer(gzip)])
          : [],
        notes: failures(outcomes),
      },
    ],
    figures: [
      budget(
        "module, gzip",
        spread(seriesOf(outcomes)(NAME, ({ downloaded }) => downloaded.gzip / 1000)),
        {
          most: 100,
          unit: "KB",
        },
      ),
    ],
    outcomes: [outcomes],
  };
}

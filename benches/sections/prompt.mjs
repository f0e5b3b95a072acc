import { budget } from "../budgets.mjs";
import { measureRounds } from "../measure.mjs";
import { seriesOf, spread } from "../statistics.mjs";
import { failures, integer, milliseconds, range } from "../table.mjs";

const STYLES = ["markdown", "plain", "xml", "json"];

/** Rendering the index of a whole folder, in every style. */
export async function run({ corpus, count, rounds, progress }) {
  const directory = await corpus.skills(count);
  const subjects = STYLES.map((style) => ({
    name: style,
    job: "./jobs/prompt.mjs",
    parameters: { directory, style },
  }));
  const outcomes = await measureRounds(subjects, rounds, progress);
  const series = seriesOf(outcomes);
  const of = (style, field) => series(style, (sample) => sample[field]);

  const rows = STYLES.map((style) => {
    const { samples } = outcomes.get(style);
    if (samples.length === 0) return [style, "failed"];
    const first = spread(of(style, "ms"));
    return [
      style,
      integer(samples[0].listed),
      integer(samples[0].characters),
      milliseconds(first.median),
      range(first),
      milliseconds(spread(of(style, "warmMs")).median),
    ];
  });
  return {
    tables: [
      {
        title: `prompt() of ${integer(count)} skills`,
        columns: ["", "listed", "characters", "first call", "least–greatest", "second call"],
        rows,
        notes: failures(outcomes),
      },
    ],
    figures: [
      budget(`prompt() of ${integer(count)}`, spread(of("markdown", "ms")), {
        most: 20,
        unit: "ms",
      }),
    ],
    outcomes: [outcomes],
  };
}

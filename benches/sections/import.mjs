import { budget } from "../budgets.mjs";
import { measureRounds } from "../measure.mjs";
import { seriesOf, spread } from "../statistics.mjs";
import { failures, milliseconds, range } from "../table.mjs";

const OURS = "skillshelf, to parseSkill's answer";
const TRIVIAL = "an empty module";
const TEXT =
  "---\nname: first-look\ndescription: Shows that the module answers.\n---\nNothing to do.\n";

/** From `import("skillshelf")` to the first answer. Short, hence more rounds than elsewhere. */
export async function run({ rounds, progress }) {
  const subjects = [
    { name: TRIVIAL, job: "./jobs/import-trivial.mjs", parameters: {} },
    { name: OURS, job: "./jobs/import-skillshelf.mjs", parameters: { text: TEXT } },
  ];
  const outcomes = await measureRounds(subjects, rounds * 3, progress);
  const series = seriesOf(outcomes);
  const of = (name, field) => series(name, (sample) => sample[field]);

  const rows = [TRIVIAL, OURS].map((name) => {
    const ms = spread(of(name, "ms"));
    if (ms === undefined) return [name, "failed"];
    return [
      name,
      milliseconds(spread(of(name, "importMs")).median),
      milliseconds(ms.median),
      range(ms),
    ];
  });
  return {
    tables: [
      {
        title: "Import to first result, an empty process each time",
        columns: ["", "import alone", "to first result", "least–greatest"],
        rows,
        notes: failures(outcomes),
      },
    ],
    figures: [budget("import to first result", spread(of(OURS, "ms")), { most: 10, unit: "ms" })],
    outcomes: [outcomes],
  };
}

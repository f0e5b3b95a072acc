import { measureRounds } from "../measure.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { failures, integer, milliseconds, range, ratioWithRange } from "../table.mjs";

const JOBS = [
  { name: "stats", job: "./jobs/load.mjs", parameters: { subject: "../subjects/stats-sync.mjs" } },
  {
    name: "stats, async",
    job: "./jobs/load.mjs",
    parameters: { subject: "../subjects/stats-async.mjs" },
  },
  { name: "refresh", job: "./jobs/refresh.mjs", parameters: { asynchronous: false } },
  { name: "refresh, async", job: "./jobs/refresh.mjs", parameters: { asynchronous: true } },
];

const ROWS = [
  { label: "stat of each file, sync", job: "stats", field: "ms" },
  {
    label: "refresh of SyncCatalog, nothing changed",
    job: "refresh",
    field: "unchangedMs",
    base: "stats",
  },
  {
    label: "refresh of SyncCatalog, one file changed",
    job: "refresh",
    field: "editedMs",
    base: "stats",
  },
  { label: "stat of each file, async", job: "stats, async", field: "ms" },
  {
    label: "refresh of Catalog, nothing changed",
    job: "refresh, async",
    field: "unchangedMs",
    base: "stats, async",
  },
  {
    label: "refresh of Catalog, one file changed",
    job: "refresh, async",
    field: "editedMs",
    base: "stats, async",
  },
];

/** Bringing a catalog up to date, against asking the system about each file and nothing more. */
export async function run({ corpus, count, rounds, progress }) {
  const directory = await corpus.skills(count);
  const subjects = JOBS.map((job) => ({ ...job, parameters: { ...job.parameters, directory } }));
  const outcomes = await measureRounds(subjects, rounds, progress);
  const series = seriesOf(outcomes);
  const of = (job, field) => series(job, (sample) => sample[field]);

  const rows = ROWS.map(({ label, job, field, base }) => {
    const ms = spread(of(job, field));
    if (ms === undefined) return [label, "failed"];
    const ratio = base && ratioByRound(of(job, field), of(base, "ms"));
    return [label, milliseconds(ms.median), range(ms), ratio ? ratioWithRange(ratio) : ""];
  });
  return {
    tables: [
      {
        title: `Refresh of ${integer(count)} skills`,
        columns: ["", "median", "least–greatest", "÷ stats"],
        rows,
        notes: failures(outcomes),
      },
    ],
    figures: [],
    outcomes: [outcomes],
  };
}

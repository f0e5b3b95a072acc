import { budget } from "../budgets.mjs";
import { measureRounds } from "../measure.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { failures, integer, milliseconds, range, ratioWithRange, times } from "../table.mjs";

const BARE = "bare loop, sync";
const BARE_ASYNC = "bare loop, async";
const OURS = "skillshelf loadSkillsSync";
const OURS_ASYNC = "skillshelf loadSkills";
const OURS_OBJECTS = "skillshelf, and every skill as an object";

const SUBJECTS = [
  { name: BARE, subject: "../subjects/bare-loop-sync.mjs" },
  { name: BARE_ASYNC, subject: "../subjects/bare-loop-async.mjs" },
  { name: OURS, subject: "../subjects/skillshelf-sync.mjs", base: BARE },
  { name: OURS_ASYNC, subject: "../subjects/skillshelf-async.mjs", base: BARE_ASYNC },
  { name: OURS_OBJECTS, subject: "../subjects/skillshelf-objects.mjs", base: BARE },
  { name: "gray-matter", subject: "../peers/gray-matter.mjs", peer: true },
  { name: "skills-ref", subject: "../peers/skills-ref.mjs", peer: true },
  { name: "bash-tool", subject: "../peers/bash-tool.mjs", peer: true },
  { name: "deepagents listSkills", subject: "../peers/deepagents.mjs", peer: true },
  { name: "deepagents middleware", subject: "../peers/deepagents-middleware.mjs", peer: true },
];

/** A peer that accepts less than this share of the files has not done the work. */
const PEER_SHARE = 0.8;

/** The index of a whole folder, against the least that reading it takes, and against the peers. */
export async function run({ corpus, count, rounds, progress }) {
  const directory = await corpus.skills(count);
  const subjects = SUBJECTS.map(({ name, subject, peer }) => ({
    name,
    repeat: peer ? 1 : 3,
    job: "./jobs/load.mjs",
    parameters: { subject, directory },
  }));
  const outcomes = await measureRounds(subjects, rounds, progress);
  const series = seriesOf(outcomes);
  const of = (name, field) => series(name, (sample) => sample[field]);
  const ratio = (name, base, field = "ms") => ratioByRound(of(name, field), of(base, field));

  const fastest = fastestPeer(outcomes, of, count);
  const rows = SUBJECTS.map(({ name, base, peer }) => {
    const { samples } = outcomes.get(name);
    if (samples.length === 0) return [name, "failed"];
    const ms = spread(of(name, "ms"));
    const relation = base ?? (peer ? OURS : undefined);
    const compared = relation !== undefined && outcomes.get(relation).samples.length > 0;
    return [
      name,
      integer(samples[0].accepted),
      milliseconds(ms.median),
      range(ms),
      milliseconds(spread(of(name, "warmMs")).median),
      milliseconds(spread(of(name, "cpu")).median),
      compared ? times(ratio(name, relation, "warmMs").median) : "",
      compared ? `${ratioWithRange(ratio(name, relation))} ${relation}` : "",
    ];
  });

  return {
    tables: [
      {
        title: `Index of ${integer(count)} skills from disk, a fresh process each time`,
        columns: [
          "",
          "accepted",
          "first load",
          "least–greatest",
          "second load",
          "processor",
          "second ÷",
          "first load ÷",
        ],
        rows,
        notes: [
          "accepted: skills with name and description; the bare loops count files.",
          ...noise(of(BARE, "ms")),
          "gray-matter answers a second load from its cache, by content.",
          fastest ? `fastest peer: ${fastest}.` : "no peer was measured.",
          ...failures(outcomes),
        ],
      },
    ],
    figures: [
      budget("index, sync ÷ bare loop", ratio(OURS, BARE), { most: 1.5 }),
      budget("index, async ÷ bare loop, async", ratio(OURS_ASYNC, BARE_ASYNC), { most: 1.5 }),
      budget("fastest peer ÷ index, sync", fastest && ratio(fastest, OURS), { least: 6 }),
      budget("fastest peer ÷ index, async", fastest && ratio(fastest, OURS_ASYNC), { least: 6 }),
    ],
    outcomes: [outcomes],
  };
}

/** How much the same work varied on this machine: differences below that mean nothing. */
function noise(samples) {
  const ms = spread(samples);
  if (ms === undefined) return [];
  return [
    `noise: the slowest run of the bare loop took ${(ms.greatest / ms.least).toFixed(2)} × its fastest.`,
  ];
}

function fastestPeer(outcomes, of, count) {
  const medians = SUBJECTS.filter(({ peer }) => peer)
    .map(({ name }) => ({ name, samples: outcomes.get(name).samples }))
    .filter(({ samples }) => samples.length > 0 && samples[0].accepted >= PEER_SHARE * count)
    .map(({ name }) => ({ name, ms: spread(of(name, "ms")).median }));
  medians.sort((a, b) => a.ms - b.ms);
  return medians[0]?.name;
}

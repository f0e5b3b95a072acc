import { readFileSync } from "node:fs";

import { loadSkillsSync, memoryHost } from "skillshelf";

import { plainSearch } from "../search/plain.mjs";
import { integer, milliseconds } from "../table.mjs";

/**
 * What requests are for: choosing weights and endings; showing what came of it; and showing what words
 * alone cannot do, where the user has others than the skill.
 */
const SETS = ["development", "final", "distant"];
/** How far down a skill is looked for. */
const DEEPEST = 100;

/** Whether searches find what people would look for, and how long they take. */
export async function run({ corpus, progress }) {
  if (!corpus.real) {
    return {
      tables: [
        { title: "search: SKIPPED, its requests are for the corpus", columns: [], rows: [] },
      ],
      figures: [],
      outcomes: [],
    };
  }
  const { catalog, ms: loadMs } = timed(() => {
    const files = corpus.skillFiles().map((text, index) => [`${index}/SKILL.md`, text]);
    const host = memoryHost(Object.fromEntries(files));
    return { catalog: loadSkillsSync({ host }, { onDiagnostic: () => {} }) };
  });
  progress("first searches");
  const first = timed(() => ({ hits: catalog.search("pdf") })).ms;
  const firstOfBodies = timed(() => ({ hits: catalog.search("pdf", { bodies: true }) })).ms;

  const skills = [...catalog];
  const plain = plainSearch(skills);
  const ranked = (options) => (query) =>
    catalog.search(query, { ...options, limit: DEEPEST }).map(({ skill }) => skill.name);
  const ways = {
    "plain BM25": (query) =>
      plain(query)
        .slice(0, DEEPEST)
        .map((place) => skills[place].name),
    "search()": ranked({}),
    "search() with bodies": ranked({ bodies: true }),
  };
  const requests = labelledRequests();
  const samples = [];
  for (const set of SETS) {
    const ofSet = requests.filter((request) => request.set === set);
    for (const [way, search] of Object.entries(ways)) {
      progress(`${set}, ${way}`);
      const { figures, ms } = timed(() => ({ figures: quality(ofSet, search) }));
      samples.push({
        set,
        way,
        requests: ofSet.length,
        ...figures,
        msEach: ms / ofSet.length,
      });
    }
  }
  const long = timed(() => ({ hits: catalog.search("a long query of words ".repeat(455)) })).ms;
  progress("");
  return {
    tables: [
      ...SETS.map((set) => qualityTable(set, samples)),
      {
        title: `Times of search, over ${integer(catalog.size)} skills of the corpus in memory`,
        columns: ["", "time"],
        rows: [
          ["load", milliseconds(loadMs)],
          ["first search", milliseconds(first)],
          ["first search with bodies", milliseconds(firstOfBodies)],
          ["10,000 characters", milliseconds(long)],
        ],
      },
    ],
    figures: [],
    outcomes: [
      new Map([["search", { samples: [...samples, { loadMs, first, firstOfBodies, long }] }]]),
    ],
  };
}

/**
 * Requests that were written from bodies and never from descriptions, as somebody would word a task.
 * Nothing is tuned with those of `final` and `distant`.
 */
function labelledRequests() {
  const text = readFileSync(new URL("../search/requests.jsonl", import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function quality(requests, search) {
  const ranks = requests.map(({ request, skill }) => search(request).indexOf(skill));
  const share = (most) => ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length;
  const reciprocals = ranks.map((rank) => (rank < 0 ? 0 : 1 / (rank + 1)));
  return {
    recallAt1: share(1),
    recallAt3: share(3),
    recallAt10: share(10),
    meanReciprocalRank: reciprocals.reduce((sum, value) => sum + value, 0) / ranks.length,
  };
}

function qualityTable(set, samples) {
  const ofSet = samples.filter((sample) => sample.set === set);
  return {
    title: `What is found: ${ofSet[0].requests} requests, "${set}"`,
    columns: ["", "recall@1", "recall@3", "recall@10", "MRR", "each"],
    rows: ofSet.map(({ way, recallAt1, recallAt3, recallAt10, meanReciprocalRank, msEach }) => [
      way,
      ...[recallAt1, recallAt3, recallAt10, meanReciprocalRank].map((value) => value.toFixed(3)),
      milliseconds(msEach),
    ]),
  };
}

function timed(work) {
  const start = performance.now();
  const result = work();
  return { ...result, ms: performance.now() - start };
}

import { writeFileSync } from "node:fs";

import { budget } from "../budgets.mjs";
import { measureRounds } from "../measure.mjs";
import { plot } from "../plot.mjs";
import { ratioByRound, seriesOf, spread } from "../statistics.mjs";
import { failures, integer, microseconds } from "../table.mjs";

const SIZES = [1000, 3000, 10_000, 30_000, 100_000];

/** Beside each skill file. */
const FILES = 10;

/** How much more a skill may take in the largest folder than in the smallest. */
const LINEAR = 1.25;

/**
 * Time and memory for each skill while one folder grows to 100,000 skills with 1,000,000 files beside
 * them. Processor time is what counts: so large a folder takes long to measure, and the machine does
 * other things meanwhile.
 */
export async function run({ corpus, rounds, progress, plot: file, about }) {
  const measured = [];
  for (const size of SIZES) {
    progress(`writing ${integer(size)} skills`);
    const directory = await corpus.grown(size, FILES);
    const subject = {
      name: `load, ${size} skills`,
      job: "./jobs/growth-of-catalog.mjs",
      parameters: { directory },
      flags: ["--expose-gc"],
    };
    const outcomes = await measureRounds([subject], rounds, progress);
    measured.push({ size, name: subject.name, outcomes });
  }
  const outcomes = measured.map((each) => each.outcomes);
  const failed = outcomes.flatMap(failures);
  if (failed.length > 0) return { tables: [titled([], failed)], figures: [], outcomes };

  const points = measured.map(({ size, name, outcomes }) => {
    const each = (field) => seriesOf(outcomes)(name, (sample) => sample[field] / sample.skills);
    return { size, each, of: (field) => spread(each(field)).median };
  });
  if (file !== undefined) writeFileSync(file, drawn(points, about));
  const [first] = points;
  const last = points[points.length - 1];
  return {
    tables: [titled(points.map(row), [])],
    figures: [
      budget(`memory a skill, of ${integer(last.size)}`, spread(last.each("kept")), {
        most: 2000,
        unit: "B",
      }),
      budget(
        `processor time a skill, ${integer(last.size)} ÷ ${integer(first.size)}`,
        ratioByRound(last.each("cpu"), first.each("cpu")),
        { most: LINEAR },
      ),
    ],
    outcomes,
  };
}

function titled(rows, notes) {
  return {
    title: `Time and memory for each skill, ${FILES} files beside it`,
    columns: ["skills", "files", "load", "load, processor", "bare loop, processor", "kept"],
    rows,
    notes,
  };
}

function row({ size, of }) {
  return [
    integer(size),
    integer(size * FILES),
    microseconds(of("ms") * 1000),
    microseconds(of("cpu") * 1000),
    microseconds(of("bareCpu") * 1000),
    `${integer(of("kept"))} B`,
  ];
}

function drawn(points, about) {
  const line = (name, value) => ({
    name,
    points: points.map((point) => [point.size, value(point)]),
  });
  return plot({
    title: `A catalog that grows to ${integer(SIZES[SIZES.length - 1])} skills with ${FILES} files beside each`,
    about,
    across: "skills",
    panels: [
      {
        title: "processor time of the first load, µs a skill",
        lines: [
          line("loadSkillsSync", ({ of }) => of("cpu") * 1000),
          line("bare loop", ({ of }) => of("bareCpu") * 1000),
        ],
      },
      {
        title: "memory that the catalog keeps, bytes a skill",
        lines: [line("loadSkillsSync", ({ of }) => of("kept")), line("budget", () => 2000)],
      },
    ],
  });
}

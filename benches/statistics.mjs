/**
 * A reader of outcomes: `(name, pick)` gives what `pick` takes from each sample of a subject, as
 * `{ round, value }`. The round stays with the value, because ratios are taken within one.
 */
export function seriesOf(outcomes) {
  return (name, pick) =>
    outcomes.get(name).samples.map((sample) => ({ round: sample.round, value: pick(sample) }));
}

/** Median, least and greatest of a series; undefined when it is empty. */
export function spread(series) {
  if (series.length === 0) return undefined;
  const values = series.map(({ value }) => value);
  return { median: median(values), least: Math.min(...values), greatest: Math.max(...values) };
}

/**
 * How many times `series` is `base`, round by round: both were measured in the same minute, so
 * what disturbed one has disturbed the other.
 */
export function ratioByRound(series, base) {
  const bases = byRound(base);
  const ratios = [...byRound(series)]
    .filter(([round]) => bases.has(round))
    .map(([round, value]) => ({ round, value: value / bases.get(round) }));
  return spread(ratios);
}

/** The median of each round. */
function byRound(series) {
  const rounds = new Map();
  for (const { round, value } of series) rounds.set(round, [...(rounds.get(round) ?? []), value]);
  return new Map([...rounds].map(([round, values]) => [round, median(values)]));
}

/** The middle of the values; of two middles, their mean. */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

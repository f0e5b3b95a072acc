/**
 * Plain BM25 over names and descriptions, for comparison: words in small letters, no field counts more,
 * no forms of words meet.
 */
const SATURATION = 1.2;
const OF_LENGTH = 0.75;

/** A function that ranks `skills`, by their places, for a query. */
export function plainSearch(skills) {
  const texts = skills.map(({ name, description }) => countsOf(wordsOf(`${name} ${description}`)));
  const lengths = texts.map((counts) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  );
  const average = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  const having = new Map();
  for (const [place, counts] of texts.entries()) {
    for (const [word, count] of counts) {
      if (!having.has(word)) having.set(word, []);
      having.get(word).push([place, count]);
    }
  }
  return (query) => {
    const scores = new Map();
    for (const word of new Set(wordsOf(query))) {
      const places = having.get(word) ?? [];
      const rarity = Math.log(1 + (texts.length - places.length + 0.5) / (places.length + 0.5));
      for (const [place, count] of places) {
        const length = 1 - OF_LENGTH + (OF_LENGTH * lengths[place]) / average;
        const score = (rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
        scores.set(place, (scores.get(place) ?? 0) + score);
      }
    }
    return [...scores].sort(([, a], [, b]) => b - a).map(([place]) => place);
  };
}

function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function countsOf(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

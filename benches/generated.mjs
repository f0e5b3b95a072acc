const COUNT = 1000;

/**
 * Stand-ins for real skills, for a machine without the corpus: as long as real ones are in the
 * middle, valid all of them, and therefore kinder to every loader than real files.
 */
export function generatedSkills() {
  return Array.from({ length: COUNT }, (_, index) => {
    const slug = `generated-${TOPICS[index % TOPICS.length]}`;
    return { slug, text: skillText(slug, index), files: filesOf(index) };
  });
}

const TOPICS = ["review", "release", "tables", "charts", "queries", "letters", "layouts", "audits"];
const SENTENCE =
  "Look at the input first, name what is missing, and ask before anything is overwritten. ";

function skillText(slug, index) {
  const description = `Handles ${slug} number ${index}. ${SENTENCE.repeat(1 + (index % 4))}`.trim();
  const body = Array.from(
    { length: 10 },
    (_, section) => `## Step ${section + 1}\n\n${SENTENCE.repeat(2 + ((index + section) % 10))}\n`,
  );
  return [
    "---",
    `name: ${slug}`,
    `description: ${JSON.stringify(description)}`,
    "license: MIT",
    "metadata:",
    `  version: "1.${index % 10}"`,
    "---",
    "",
    `# ${slug}`,
    "",
    ...body,
  ].join("\n");
}

function filesOf(index) {
  return Array.from({ length: 1 + (index % 5) }, (_, file) => ({
    path: `references/part-${file}.md`,
    bytes: Buffer.from(SENTENCE.repeat(10)),
  }));
}

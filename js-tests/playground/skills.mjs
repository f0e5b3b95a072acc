// Skills for the tests: sound ones, hostile ones, many; and zips of them.

import { strToU8, zipSync } from "fflate";

export function skillText(name, description, body = "Do it well.") {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}

/** A place that skills name, and that nobody may ask. */
export const LEAK = "leak.example";

/** What would run, or be fetched, if it were markup anywhere. */
const MARKUP =
  `<img src="http://${LEAK}/a.png" onerror="window.hacked=1"><script>window.hacked=1</script>` +
  `<link rel="stylesheet" href="http://${LEAK}/a.css"><script src="http://${LEAK}/a.js"></script>`;

/** Names, descriptions, paths and texts that want to be more than text. */
export const HOSTILE = {
  "sound/SKILL.md": skillText("sound", "A sound one among the others"),
  "markup/SKILL.md": skillText(
    "markup",
    JSON.stringify(`Look: ${MARKUP}`),
    `# ${MARKUP}\n\n[x](javascript:window.hacked=1)\n![x](http://${LEAK}/b.png)\n`,
  ),
  "bold/SKILL.md": skillText(
    JSON.stringify(`<b onclick="window.hacked=1">bold</b>${MARKUP}`),
    "Its name is markup",
  ),
  "huge/SKILL.md": skillText("huge", "long ".repeat(60_000)),
  "closing/SKILL.md": skillText(
    "closing",
    JSON.stringify("</textarea></pre></dialog>]]>-->\u202e reversed"),
  ),
  "broken/SKILL.md": `---\nname: broken\ndescription: [${MARKUP}\n---\n${MARKUP}\n`,
  "deep/SKILL.md": skillText("deep", `${"[".repeat(5_000)}`),
  "../outside/SKILL.md": skillText("outside", "Its path leads out"),
};

export function many(count) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `skill-${String(index).padStart(5, "0")}`;
      const description = `Does task ${index} of a great many tasks. Use when the user asks for task ${index}.`;
      return [
        `group-${index % 20}/${name}/SKILL.md`,
        skillText(name, description, `# Task ${index}\n\nStep by step.`),
      ];
    }),
  );
}

/** A zip of these files, as base64. */
export function zipped(files) {
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)]);
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 0 })).toString("base64");
}

// What a person sees of a run. Skill text is other people's: it is never printed as it is.

import { styleText } from "node:util";

const LINES_OF_INDEX = 24;
const LINES_OF_RESULT = 4;
const PROGRESS_AFTER = 1000;

/**
 * The run as text for a terminal.
 *
 * @param {NodeJS.WriteStream} stream
 */
export function screen(stream) {
  const colored = stream.isTTY === true && !process.env.NO_COLOR;
  const width = Math.max(40, stream.isTTY ? (stream.columns ?? 100) : 100);

  /** @param {string} text */
  const print = (text) => stream.write(`${text}\n`);
  /** @param {Parameters<typeof styleText>[0]} format @param {string} text */
  const paint = (format, text) =>
    colored ? styleText(format, text, { validateStream: false }) : text;
  /** @param {string} text @param {number} lines */
  const quote = (text, lines) => {
    const all = text.split(/\r?\n/);
    for (const line of all.slice(0, lines)) print(paint("dim", `    │ ${cut(line, width - 6)}`));
    if (all.length > lines)
      print(paint("dim", `    │ … ${count(all.length - lines, "more line")}`));
  };

  return {
    /** @param {import("./report.mjs").Report} report */
    opening(report) {
      print(
        paint(
          "bold",
          `skillshelf agent: ${count(report.skills, "skill")} from ${cut(report.folder, width)}, ${report.model}`,
        ),
      );
      print("");
      print(`  system prompt, ${count(report.system.characters, "character")}:`);
      quote(report.system.text, LINES_OF_INDEX);
    },

    /** @param {string} text */
    prompt(text) {
      print("");
      print(paint("bold", `> ${text}`));
    },

    /** @param {string} text */
    text(text) {
      for (const line of text.split("\n")) print(`  ${cut(line, 4 * width)}`);
    },

    /** @param {import("./report.mjs").CallRecord} call @param {string} content */
    call(call, content) {
      print(
        paint(
          "cyan",
          `  → ${call.tool} ${cut(JSON.stringify(call.arguments), width - 6 - call.tool.length)}`,
        ),
      );
      const size = count(call.characters, "character");
      print(
        call.isError
          ? paint("yellow", `  ← error ${call.code}, ${size}`)
          : paint("green", `  ← ${size}`),
      );
      quote(content, LINES_OF_RESULT);
    },

    /** A slash command. @param {{ skill: string, text: string, extra: string }} expansion */
    slashCommand({ skill, text, extra }) {
      const rest = extra === "" ? "" : `, then "${cut(extra, 60)}"`;
      print(paint("cyan", `  / the skill ${cut(skill, 60)}${rest}`));
      quote(text, LINES_OF_RESULT);
    },

    /** @param {import("./report.mjs").CompactionRecord} compaction */
    compaction({ before, after, kept, dropped }) {
      const names = (/** @type {string[]} */ list) => cut(list.join(", ") || "none", width);
      print(paint("cyan", `  ↓ summarized: ${number(before)} characters became ${number(after)}`));
      print(`    skills put back word for word: ${names(kept)}`);
      print(`    skills of which a line remains, to be loaded again: ${names(dropped)}`);
    },

    /** @param {string} prompt */
    endless(prompt) {
      print(paint("yellow", `  The turn limit ended "${cut(prompt, 60)}".`));
    },

    /** @param {import("./report.mjs").Report} report */
    closing(report) {
      const { skipped, noted, bodies } = report;
      print("");
      print(
        paint(
          "bold",
          `${count(report.skills, "skill")}, ${number(skipped.count)} skipped${tally(skipped.byCode)}; ` +
            `index ${count(report.index.characters, "character")}; ` +
            `bodies ${number(bodies.characters)}, of which ${number(bodies.neverSentCharacters)} never sent.`,
        ),
      );
      print(
        `${count(report.hidden, "skill")} hidden from the model; ${count(bodies.loaded.length, "body", "bodies")} loaded, ` +
          `${count(bodies.loadedCharacters, "character")}; loading took ${number(report.milliseconds)} ms.`,
      );
      if (noted.count > 0) print(`${count(noted.count, "further finding")}${tally(noted.byCode)}.`);
      if (bodies.unreadable.length > 0)
        print(`${count(bodies.unreadable.length, "body", "bodies")} could not be read.`);
    },
  };
}

/**
 * Says how far something is, once it has taken more than a second.
 *
 * @param {NodeJS.WriteStream} stream
 * @param {string} what
 */
export function progressLine(stream, what) {
  const start = performance.now();
  let lastShown = 0;
  return {
    /** @param {string} how */
    show(how) {
      const now = performance.now();
      if (now - start < PROGRESS_AFTER || now - lastShown < 100) return;
      // Without a terminal one line is enough: it cannot be replaced.
      if (!stream.isTTY && lastShown > 0) return;
      lastShown = now;
      stream.write(stream.isTTY ? `\r\x1b[K${what}: ${how}` : `${what}: ${how} …\n`);
    },
    end() {
      if (stream.isTTY && lastShown > 0) stream.write("\r\x1b[K");
    },
  };
}

/** One line, short enough, without anything that a terminal would act on. @param {string} text @param {number} length */
function cut(text, length) {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  const letters = [...plain];
  return letters.length > length ? `${letters.slice(0, Math.max(1, length - 1)).join("")}…` : plain;
}

/** @param {number} amount @param {string} one @param {string} [many] */
function count(amount, one, many = `${one}s`) {
  return `${number(amount)} ${amount === 1 ? one : many}`;
}

/** @param {number} amount */
function number(amount) {
  return Math.round(amount).toLocaleString("en-US");
}

/** @param {Record<string, number>} byCode */
function tally(byCode) {
  const parts = Object.entries(byCode).map(([code, amount]) => `${number(amount)} ${code}`);
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}

// What a run came to, in numbers: the closing lines and `--json` say the same.

/**
 * @typedef {object} Report
 * @property {string} folder
 * @property {string} model
 * @property {number} milliseconds  that loading took
 * @property {number} skills        all, the hidden ones too
 * @property {number} hidden        from the model
 * @property {Tally} skipped        findings that kept a skill out
 * @property {Tally} noted          findings that did not
 * @property {{ form: string, characters: number, tokens: number }} index
 * @property {{ characters: number, text: string }} system
 * @property {PromptRecord[]} prompts
 * @property {{ type: string, name: string }[]} events  of the session: what came into the conversation, and left it
 * @property {Bodies} bodies
 *
 * @typedef {{ count: number, byCode: Record<string, number> }} Tally
 *
 * @typedef {object} PromptRecord
 * @property {string} prompt
 * @property {string} [skill]  that a slash command stands for
 * @property {"done" | "turn limit"} end
 * @property {string[]} texts
 * @property {CallRecord[]} calls
 * @property {CompactionRecord} [compaction]
 *
 * @typedef {object} CompactionRecord
 * @property {number} before  characters of the conversation
 * @property {number} after
 * @property {string[]} kept     skills whose texts were put back
 * @property {string[]} dropped  skills of which a line remains
 *
 * @typedef {object} CallRecord
 * @property {string} tool
 * @property {unknown} arguments
 * @property {boolean} isError
 * @property {string} [code]
 * @property {boolean} [truncated]
 * @property {number} characters  of the result
 *
 * @typedef {object} Bodies
 * @property {number} characters           of all skills
 * @property {string[]} loaded
 * @property {number} loadedCharacters
 * @property {number} neverSentCharacters
 * @property {string[]} unreadable         too large, not text, or gone since they were indexed
 */

const BODIES_AT_ONCE = 64;

/**
 * The report at the beginning of a run.
 *
 * @param {{ catalog: import("skillshelf").Catalog, system: string, folder: string, modelName: string, milliseconds: number }} run
 * @returns {Report}
 */
export function openReport({ catalog, system, folder, modelName, milliseconds }) {
  const { form, characters, tokens } = catalog.index();
  const skills = [...catalog];
  return {
    folder,
    model: modelName,
    milliseconds: Math.round(milliseconds),
    skills: skills.length,
    hidden: skills.filter((skill) => !skill.modelInvocable).length,
    skipped: tally(catalog.diagnostics.filter(({ severity }) => severity === "error")),
    noted: tally(catalog.diagnostics.filter(({ severity }) => severity !== "error")),
    index: { form, characters, tokens },
    system: { characters: count(system), text: system },
    prompts: [],
    events: [],
    bodies: {
      characters: 0,
      loaded: [],
      loadedCharacters: 0,
      neverSentCharacters: 0,
      unreadable: [],
    },
  };
}

/**
 * @param {import("./loop.mjs").ToolCall} call
 * @param {import("skillshelf").ToolResult} result
 * @returns {CallRecord}
 */
export function callRecord(call, { content, isError, code, truncated }) {
  return {
    tool: call.name,
    arguments: call.arguments,
    isError,
    ...(code && { code }),
    ...(truncated && { truncated }),
    characters: count(content),
  };
}

/**
 * How large the bodies are, and how much of that was loaded.
 *
 * @param {import("skillshelf").Catalog} catalog
 * @param {Set<string>} loaded
 * @param {(done: number) => void} onProgress
 * @returns {Promise<Bodies>}
 */
export async function measureBodies(catalog, loaded, onProgress) {
  let [all, sent] = [0, 0];
  /** @type {string[]} */
  const unreadable = [];
  /** @param {string} name */
  const measure = async (name) => {
    try {
      const size = count(await catalog.body(name));
      all += size;
      if (loaded.has(name)) sent += size;
    } catch {
      unreadable.push(name);
    }
  };

  const names = [...catalog.names];
  for (let done = 0; done < names.length; done += BODIES_AT_ONCE) {
    onProgress(done);
    await Promise.all(names.slice(done, done + BODIES_AT_ONCE).map(measure));
  }
  return {
    characters: all,
    loaded: [...loaded].sort(),
    loadedCharacters: sent,
    neverSentCharacters: all - sent,
    unreadable: unreadable.sort(),
  };
}

/**
 * How often each code occurs, the most frequent first.
 *
 * @param {readonly import("skillshelf").Diagnostic[]} diagnostics
 * @returns {Tally}
 */
function tally(diagnostics) {
  /** @type {Map<string, number>} */
  const byCode = new Map();
  for (const { code } of diagnostics) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  const sorted = [...byCode].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { count: diagnostics.length, byCode: Object.fromEntries(sorted) };
}

/** Characters as people count them: code points. @param {string} text */
function count(text) {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return text.length - pairs;
}

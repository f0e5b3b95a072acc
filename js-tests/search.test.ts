// Searching a catalog, and the tool that lets a model do it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  defineSkill,
  loadSkillsSync,
  memoryHost,
  type SearchHit,
  type SearchOptions,
} from "skillshelf";
import { thrown } from "./support/errors.ts";
import { type Files, MAKES } from "./support/hosts.ts";
import { shelf, shelfOf, shelfWithPromises } from "./support/load.ts";
import { skillFile, validSkill } from "./support/text.ts";

const files: Files = {
  "pdf/SKILL.md": skillFile("name: pdf\ndescription: Fills in forms.", "# Merging\n\nWith qpdf."),
  "mail/SKILL.md": skillFile("name: mail\ndescription: Writes letters.", "By carrier pigeon."),
  "secret/SKILL.md": skillFile(
    "name: secret\ndescription: Opens forms.\ndisable-model-invocation: true",
    "Of a pigeon.",
  ),
};
const named = (hits: readonly SearchHit[]): string[] => hits.map(({ skill }) => skill.name);

describe("catalog.search", () => {
  test("gives skills with a score and the words that matched", () => {
    const catalog = shelf(files);
    const [first, second, ...others] = catalog.search("Fill in a FORM");
    assert.deepEqual(others, []);
    assert.equal(first?.skill, catalog.get("pdf"), "the very skill of the catalog");
    assert.deepEqual(first?.matched, ["Fill", "FORM"]);
    assert.equal(second?.skill.name, "secret", "those hidden from the model too");
    assert.ok(first !== undefined && second !== undefined && first.score > second.score);
    assert.deepEqual(Object.keys(first), ["skill", "score", "matched"]);
  });
  test("is the same with promises", async () => {
    for (const options of [undefined, { bodies: true }, { limit: 1 }] as const) {
      const catalog = await shelfWithPromises(memoryHost(files));
      const told = (hits: readonly SearchHit[]): unknown =>
        hits.map(({ skill, ...rest }) => [skill.name, rest]);
      assert.deepEqual(
        told(await catalog.search("forms pigeon", options)),
        told(shelf(files).search("forms pigeon", options)),
      );
    }
  });
  for (const [make, hostOf] of Object.entries(MAKES)) {
    test(`looks at bodies where it is asked to: ${make}`, () => {
      const catalog = shelfOf(hostOf(files));
      assert.deepEqual(named(catalog.search("pigeons")), []);
      assert.deepEqual(named(catalog.search("pigeons", { bodies: true })), ["secret", "mail"]);
      assert.deepEqual(named(catalog.search("merge", { bodies: true })), ["pdf"]);
    });
  }
  test("looks at the bodies of skills from code", () => {
    const tea = defineSkill({ name: "tea", description: "Brews.", content: "With a samovar." });
    const catalog = loadSkillsSync([tea]);
    assert.deepEqual(named(catalog.search("samovar", { bodies: true })), ["tea"]);
  });
  test("sees a refresh", () => {
    const edited = { ...files };
    const catalog = shelf(edited);
    assert.deepEqual(named(catalog.search("kayak", { bodies: true })), []);
    edited["kayak/SKILL.md"] = validSkill("kayak");
    edited["pdf/SKILL.md"] = skillFile("name: pdf\ndescription: Fills in forms.", "A kayak.");
    catalog.refresh();
    assert.deepEqual(named(catalog.search("kayak", { bodies: true })), ["kayak", "pdf"]);
  });
  test("of a view finds only what it shows", () => {
    const view = shelf(files).only(["!mail"]);
    assert.deepEqual(named(view.search("letters")), []);
    assert.deepEqual(named(view.search("pigeon", { bodies: true })), ["secret"]);
  });
  test("takes any text, and answers a long one at once", () => {
    const catalog = shelf(files);
    for (const query of ["", " ", "\ud800", "\u0000", "?".repeat(10_000)]) {
      assert.deepEqual(catalog.search(query), []);
    }
    const long = "forms and other words ".repeat(500);
    assert.deepEqual(named(catalog.search(long)), ["pdf", "secret"]);
  });
  test("takes nothing for no words, and keeps no room of a text that is longer than is read", async () => {
    const catalog = shelf({
      "null/SKILL.md": validSkill("null"),
      "pdf/SKILL.md": validSkill("pdf"),
    });
    for (const nothing of [null, undefined] as unknown as string[]) {
      assert.deepEqual(catalog.search(nothing), []);
    }
    const long = `pdf ${"x".repeat(30_000_000)}`;
    const before = process.memoryUsage().external;
    assert.equal(catalog.search(long)[0]?.skill.name, "pdf");
    const { isError } = catalog.call("search_skills", { query: long });
    assert.ok(isError);
    // The memory of a module never gets smaller.
    assert.ok(process.memoryUsage().external - before < 16 * 1024 * 1024);
  });
  test("finds a text by itself, in whatever form either is written", () => {
    const letters = ["é", "ế", "ﾃ", "ﾞ", "ガ", "한", "й", "क़", "أ", "ﬁ", "①", "Ω", "豈", "a", " "];
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 20 }),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    );
    const form = fc.constantFrom("NFC", "NFD", "NFKC", "NFKD");
    fc.assert(
      fc.property(text, form, form, fc.boolean(), (text, written, asked, bodies) => {
        const found = (of: string, query: string): unknown => {
          const description = bodies ? "Does it." : `Does ${of}.`;
          const tea = defineSkill({
            name: "tea",
            description,
            content: `Do ${bodies ? of : "it"}.`,
          });
          return loadSkillsSync([tea])
            .search(query, { bodies })
            .map(({ skill, ...hit }) => hit);
        };
        assert.deepEqual(
          found(text.normalize(written), text.normalize(asked)),
          found(text.normalize("NFKC"), text.normalize("NFKC")),
        );
      }),
    );
    for (const text of [
      "ﾃｽﾄ",
      "한국어 문서".normalize("NFD"),
      "тайный".normalize("NFD"),
      "tiếng",
    ]) {
      const catalog = shelf({ "tea/SKILL.md": validSkill("tea", `${text} etc.`) });
      for (const query of [text, text.normalize("NFC"), text.normalize("NFKC")]) {
        assert.deepEqual(named(catalog.search(query)), ["tea"], query);
      }
    }
  });
  test("refuses options that are none", async () => {
    const wrong = { limits: 3 } as SearchOptions;
    assert.match(thrown(() => shelf(files).search("a", wrong)).message, /limits/);
    const catalog = await shelfWithPromises(memoryHost(files));
    await assert.rejects(catalog.search("a", { limit: -1 }), { code: "SOURCE_UNSUPPORTED" });
    catalog.dispose();
    await assert.rejects(catalog.search("a"), { code: "NOT_INITIALIZED" });
  });
});

describe("search_skills", () => {
  const found = (hostOf: (files: Files) => ReturnType<typeof memoryHost>, query: string): string =>
    shelfOf(hostOf(files)).call("search_skills", { query }).content;
  test("gives lines, of bodies no text", () => {
    assert.equal(
      found(memoryHost, "pigeon or form"),
      '2 of 2 skills, those that fit "pigeon or form" best first:\n\n' +
        "- pdf: Fills in forms.\n- mail: Writes letters.",
    );
  });
  test("looks at bodies where these cost little to read", () => {
    const looks = Object.entries(MAKES).map(([make, hostOf]) => [
      make,
      !found(hostOf, "pigeon").startsWith("There is no skill"),
    ]);
    assert.deepEqual(Object.fromEntries(looks), {
      memoryHost: true,
      "list and read": false,
      "list, read and ranges": false,
      "list, read and stat": false,
      "realPath without open": false,
      open: true,
    });
  });
  test("says what to do where nothing fits", () => {
    const catalog = shelf(files);
    const [tool] = catalog.tools({ set: ["search_skills", "list_skills"] }).slice(-1);
    assert.equal(tool?.name, "search_skills");
    assert.equal(
      tool?.execute({ query: "xyzzy", limit: null }).content,
      'There is no skill that fits "xyzzy", of 2 in all. ' +
        "Try other words for the task, or list them with list_skills.",
    );
  });
});

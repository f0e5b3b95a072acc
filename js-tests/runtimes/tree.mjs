// A tree of skills that is hard to read, made by code: an editor, git or a disk would mend some of
// these bytes. Everything is ASCII here; what is not is written as an escape.

const encoder = new TextEncoder();

/** A SKILL.md with these lines of front matter. */
function skillFile(lines, body = "Do it.\n", lineEnd = "\n") {
  return ["---", ...lines, "---", "", body].join("\n").replaceAll("\n", lineEnd);
}

function named(name, description, ...more) {
  return [`name: ${name}`, `description: ${description}`, ...more];
}

/** `count` bytes that are no text, the same each time. */
function noise(count) {
  const bytes = new Uint8Array(count);
  let state = 1;
  for (let index = 0; index < count; index += 1) {
    state = (state * 1103515245 + 12345) % 2147483648;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const BOM = new Uint8Array([0xef, 0xbb, 0xbf]);

/** Ways to write a file. */
const ENCODINGS = {
  "skills/crlf/SKILL.md": skillFile(
    named("crlf", "Every line ends in CR and LF"),
    "One\nTwo\n\n```sh\necho\n```\n",
    "\r\n",
  ),
  "skills/bom/SKILL.md": joined(
    BOM,
    encoder.encode(skillFile(named("bom", "A byte order mark comes first"))),
  ),
  "skills/bom-crlf/SKILL.md": joined(
    BOM,
    encoder.encode(skillFile(named("bom-crlf", "Both of them"), "Body\n", "\r\n")),
  ),
  "skills/no-last-line/SKILL.md": "---\nname: no-last-line\ndescription: Ends at its fence\n---",
  "skills/not-utf-8/SKILL.md": joined(
    encoder.encode("---\nname: not-utf-8\ndescription: "),
    new Uint8Array([0xc3, 0x28]),
    encoder.encode("\n---\nBody\n"),
  ),
  "skills/utf-16/SKILL.md": new Uint8Array([0xff, 0xfe, 0x2d, 0, 0x2d, 0, 0x2d, 0, 0x0a, 0]),
  "skills/nul/SKILL.md": skillFile(named("nul", '"zero \\0 inside"'), "Before\0after\n"),
  "skills/empty/SKILL.md": "",
  "skills/blank/SKILL.md": " \n\t\r\n",
};

/** Characters that look like others, like nothing, or like two. */
const CHARACTERS = {
  "skills/caf\u00e9/SKILL.md": skillFile(named("caf\u00e9", "A composed name")),
  "skills/na\u0069\u0308ve/SKILL.md": skillFile(named("na\u00efve", "A decomposed directory")),
  "skills/na\u0069\u0308ve/re\u0301sume\u0301.md": "Decomposed file name\n",
  "skills/ligature/SKILL.md": skillFile(named("\ufb01ligree", "NFKC changes its name")),
  "skills/emoji/SKILL.md": skillFile(
    named(
      "emoji",
      "Families \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 and flags \ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc65\udb40\udc6e\udb40\udc67\udb40\udc7f",
    ),
    "\ud83d\ude00 in the body\n",
  ),
  "skills/bidi/SKILL.md": skillFile(
    named("bidi", "Turns \u202egnihtyreve\u202c around"),
    "Left \u2067right\u2069 left\n",
  ),
  "skills/hidden/SKILL.md": skillFile(
    named("hidden", "Says \udb40\udc48\udb40\udc49more\u200b than it shows"),
    "Body\u200b with \udb40\udc48\udb40\udc49tags\n",
  ),
  "skills/scripts/SKILL.md": skillFile(
    named(
      "scripts",
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 and \u0915\u094d\u200d\u0937",
    ),
  ),
  "skills/line-breaks/SKILL.md": skillFile(
    named("line-breaks", '"one\\ntwo\\u2028three\\u0085four\\tfive\\n- forged: entry"'),
  ),
  "skills/controls/SKILL.md": skillFile(named("controls", '"bell \\a escape \\e[31m red"')),
  "skills/surrogate/SKILL.md": skillFile(named("surrogate", '"half \\ud83d of a pair"')),
  "skills/pair/SKILL.md": skillFile(named("pair", '"whole \\ud83d\\ude00 pair"')),
};

/** YAML that other parsers refuse, repair, or read another way. */
const YAML = {
  "skills/colon/SKILL.md": skillFile(["name: colon", "description: Use when: asked to"]),
  "skills/at-sign/SKILL.md": skillFile(["name: at-sign", "description: @mentions a person"]),
  "skills/quoted/SKILL.md": skillFile(["name: quoted", 'description: "Word" and more']),
  "skills/brackets/SKILL.md": skillFile([
    "name: brackets",
    "description: [one] two",
    "argument-hint: [file] [mode]",
  ]),
  "skills/broken/SKILL.md": skillFile(["name: broken", "description: fine", "  - : ]["]),
  "skills/duplicate-key/SKILL.md": skillFile(
    named("duplicate-key", "First", "description: Second", "license: MIT"),
  ),
  "skills/anchors/SKILL.md": skillFile(
    named("anchors", "&here text", "metadata:", "  copy: *here", "  tag: !!str 7", "  <<: {a: 1}"),
  ),
  "skills/scalars/SKILL.md": skillFile(
    named(
      "scalars",
      "|",
      "  Folded",
      "  lines",
      "version: 1.10",
      "license: yes",
      "metadata:",
      "  octal: 007",
      "  float: 1e3",
      "  large: 12345678901234567890",
      "  null: ~",
      "  date: 2024-01-01",
      "  infinity: .inf",
      "__proto__:",
      "  polluted: true",
    ),
  ),
  "skills/deep/SKILL.md": skillFile(
    named("deep", "Nested", `x: ${"[".repeat(80)}${"]".repeat(80)}`),
  ),
  "skills/flow/SKILL.md": skillFile(["{name: flow, description: A map in braces}"]),
  "skills/sequence/SKILL.md": skillFile(["- name", "- description"]),
  "skills/fence-in-body/SKILL.md": skillFile(named("fence-in-body", "A rule"), "One\n---\nTwo\n"),
  "skills/language/SKILL.md": "---js\nname: language\ndescription: Is never run\n---\nBody\n",
  "skills/conflict/SKILL.md":
    "---\n<<<<<<< ours\nname: conflict\n=======\nname: other\n>>>>>>> theirs\n---\nBody\n",
  "skills/fenced/SKILL.md": "```yaml\n---\nname: fenced\ndescription: d\n---\n```\n",
  "skills/open/SKILL.md": "---\nname: open\ndescription: Never closed\n",
  "skills/large-block/SKILL.md": skillFile(
    named("large-block", "Too much", `x: ${"y".repeat(70_000)}`),
  ),
};

/** Fields that are missing, wrong, too long, or tell who may call. */
const FIELDS = {
  "skills/no-name/SKILL.md": skillFile(["description: Named by its directory"]),
  "skills/no-description/SKILL.md": skillFile(["name: no-description"]),
  "skills/mismatch/SKILL.md": skillFile(named("another-name", "Not its directory's")),
  "skills/Upper_Case/SKILL.md": skillFile(named("Upper_Case", "Against the rule")),
  "skills/path-name/SKILL.md": skillFile(named("../../etc", "Would be a path")),
  "skills/tools/SKILL.md": skillFile(
    named("tools", "Has tools", "allowed-tools: Read, Bash(git add:*, git commit:*) Write"),
  ),
  "skills/tool-list/SKILL.md": skillFile(
    named("tool-list", "Has a list of them", "allowed-tools: [Read, 'Bash(ls)']", "trigger: ls"),
  ),
  "skills/disabled/SKILL.md": skillFile(
    named("disabled", "For users alone", "disable-model-invocation: true"),
    "Deploy $1 with $ARGUMENTS.\n",
  ),
  "skills/model-only/SKILL.md": skillFile(
    named("model-only", "For the model alone", "user-invocable: false"),
  ),
  "skills/maybe/SKILL.md": skillFile(named("maybe", "In doubt", "disable-model-invocation: 'yes'")),
  "skills/huge-description/SKILL.md": skillFile(
    named("huge-description", `${"Long \ud83d\ude00 words ".repeat(300)}.`),
  ),
  "skills/markup/SKILL.md": skillFile(
    named("markup", "'</skill><skill>&amp; [link](x) `code` \"quotes\"'"),
    'Mentions </skill_content> and <skill_content name="x"> in its body.\n',
  ),
  "skills/v1/SKILL.md": skillFile(
    named("versioned", "The first", "version: 1.0.0"),
    "Version one.\n",
  ),
  "skills/v2/SKILL.md": skillFile(
    named("versioned", "The second", "version: 2.0.0"),
    "Version two.\n",
  ),
  "skills/twin/SKILL.md": skillFile(named("twin", "Has its directory's name")),
  "skills/a-twin/SKILL.md": skillFile(named("twin", "Comes first by path")),
};

/** Places where a skill may be, and files beside it. */
const PLACES = {
  "skills/loose.md": skillFile(named("loose", "A loose file")),
  "skills/README.md": "# Not a skill\n",
  "skills/group/inner/nested/SKILL.md": skillFile(named("nested", "In a group of a group")),
  "skills/group/lower/skill.md": skillFile(named("lower", "Its file is in lower case")),
  "skills/one/two/three/four/five/six/seven/SKILL.md": skillFile(named("seven", "Below the limit")),
  "skills/node_modules/dependency/SKILL.md": skillFile(named("dependency", "Not looked into")),
  "skills/.hidden/secret/SKILL.md": skillFile(named("secret", "Not looked into either")),
  "skills/files/SKILL.md": skillFile(
    named("files", "Has files of every kind"),
    "See references.\n",
  ),
  "skills/files/references/guide.md": "# Guide\n\u00e9\u65e5\ud83d\ude00 and the end\n",
  "skills/files/references/deep/er/and/deeper.txt": "Down here\n",
  "skills/files/references/\ud83d\ude00 smile.md": ":)\n",
  "skills/files/references/percent%2e%2e.md": "Nothing is decoded\n",
  "skills/files/inner/SKILL.md": skillFile(named("inner", "Belongs to the one around it")),
  "skills/files/assets/noise.bin": noise(1000),
  "skills/files/assets/logo.png": joined(new Uint8Array([0x89, 0x50, 0x4e, 0x47]), noise(60)),
  "skills/files/assets/empty.txt": "",
  "skills/files/assets/latin-1.txt": new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  "skills/files/scripts/run.sh": "#!/bin/sh\necho\r\n",
  "skills/files/pages.txt": "0123456789\u00e9\u65e5\ud83d\ude00\n".repeat(40),
  "skills/many/SKILL.md": skillFile(named("many", "Has more files than are listed")),
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`skills/many/data/${index}.txt`, `${index}\n`]),
  ),
  "skills/large-body/SKILL.md": skillFile(
    named("large-body", "Its body is over the limit"),
    "0123456789abcdef\n".repeat(70_000),
  ),
};

/** What a disk can hold too: below `skills/`. */
export const files = { ...ENCODINGS, ...CHARACTERS, ...YAML, ...FIELDS, ...PLACES };

/** What only memory can hold: halves of characters in paths and in contents. */
export const halves = {
  "skills/half/SKILL.md": skillFile(named("half", "Half \ud83d of it"), "Body \udc00 here\n"),
  "skills/whole/SKILL.md": skillFile(named("whole", "Beside it")),
};

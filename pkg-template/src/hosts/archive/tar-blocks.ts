/**
 * Where the entries of a tar are, by its headers alone. Readers of tars differ in what they make of
 * headers that are not in order, and a library believes most of them: so these refuse the archive
 * before one sees it, and so do more attributes than real archives have.
 */
import { type ArchiveRules, TarTally } from "./rules.js";

/** An entry, as its header has it. */
export interface TarBlock {
  type: string;
  /** Where its content begins. */
  start: number;
  size: number;
}

const BLOCK = 512;
const utf8 = /* @__PURE__ */ new TextDecoder();

/** Types of what belongs to the entry that follows: attributes, and long names of GNU. */
const PREFACES = "xLK";
/** Attributes of all entries that follow. */
const GLOBAL = "g";
/** Links, devices, directories and pipes, which have no content. */
const BODYLESS = "123456";

/** What was said of the next entry before its header. */
interface Preface {
  types: string;
  attributes: number;
  size?: number | undefined;
}

/** The entries, in their order. Throws what is wrong with the headers. */
export function blocksOf(bytes: Uint8Array, rules: ArchiveRules): TarBlock[] {
  const tally = new TarTally(rules);
  const blocks: TarBlock[] = [];
  let preface: Preface = { types: "", attributes: 0 };
  let globals = 0;
  for (let at = 0; !isEnd(bytes, at); ) {
    const type = String.fromCharCode(bytes[at + 156] ?? 0);
    const start = at + BLOCK;
    const declared = sizeAt(bytes, at);
    const isPreface = PREFACES.includes(type) || type === GLOBAL;
    const size = isPreface ? declared : (preface.size ?? declared);
    if (start + size > bytes.length) throw new Error("it ends before its entries do");
    if (type === GLOBAL) {
      tally.addBytes(size);
      globals += globalAttributes(bytes.subarray(start, start + size), tally.most);
    } else if (isPreface) {
      tally.addBytes(size);
      preface = withPreface(preface, type, bytes.subarray(start, start + size), tally.most);
    } else {
      if (BODYLESS.includes(type) && size > 0) throw new Error(`a "${type}" has a content`);
      tally.addAttributes(globals + preface.attributes);
      blocks.push({ type, start, size });
      preface = { types: "", attributes: 0 };
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return blocks;
}

/** A block of zeros is the end; what comes after it is the library's to judge. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  const block = bytes.subarray(at, at + BLOCK);
  if (block.length < BLOCK) throw new Error("it has no end");
  return block.every((byte) => byte === 0);
}

/** Two that say the same thing twice leave it to the reader which one counts. */
function withPreface(before: Preface, type: string, content: Uint8Array, most: number): Preface {
  const types = before.types + type;
  if (before.types.includes(type) || (types.includes("x") && types.length > 1)) {
    throw new Error("an entry has more than one header of a kind before it");
  }
  if (type !== "x") return { ...before, types };
  const { count, known } = attributesOf(content, most);
  const size = known.get("size");
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new Error("a size is no number");
  return { types, attributes: count, size: size === undefined ? undefined : Number(size) };
}

function globalAttributes(content: Uint8Array, most: number): number {
  const { count, known } = attributesOf(content, most);
  if (known.size > 0) throw new Error("all entries are said to be the same one");
  return count;
}

/** Attributes that say what an entry is, by their keys. */
const KNOWN = ["path", "linkpath", "size"];

/** What a header for attributes has. */
interface Attributes {
  count: number;
  known: ReadonlyMap<string, string>;
}

/**
 * The records of a header for attributes: `length key=value` and the end of a line. Those after
 * `most` are not looked at: one more is too many.
 */
function attributesOf(content: Uint8Array, most: number): Attributes {
  const known = new Map<string, string>();
  let count = 0;
  for (let at = 0; at < content.length && count <= most; count += 1) {
    const blank = content.indexOf(0x20, at);
    const digits = utf8.decode(content.subarray(at, Math.max(at, Math.min(blank, at + 10))));
    const end = at + (/^[1-9]\d*$/.test(digits) ? Number(digits) : 0);
    const equals = content.indexOf(0x3d, blank);
    const isWhole = blank < equals && equals < end && content[end - 1] === 0x0a;
    if (!isWhole || end > content.length) throw new Error("its attributes are not in order");
    const key = equals - blank > 16 ? "" : utf8.decode(content.subarray(blank + 1, equals));
    if (KNOWN.includes(key)) {
      if (known.has(key)) throw new Error("an entry has an attribute twice");
      known.set(key, utf8.decode(content.subarray(equals + 1, end - 1)));
    }
    at = end;
  }
  return { count, known };
}

/** The size that a header has, as octal digits or, where it is larger, in binary. */
function sizeAt(bytes: Uint8Array, at: number): number {
  const field = bytes.subarray(at + 124, at + 136);
  if ((field[0] ?? 0) & 0x80) {
    return field.reduce((size, byte, index) => size * 256 + (index === 0 ? byte & 0x7f : byte), 0);
  }
  const digits = /^ *([0-7]*) *(?:\0.*)?$/s.exec(String.fromCharCode(...field))?.[1];
  if (digits === undefined) throw new Error("a size is no number");
  return Number.parseInt(digits || "0", 8);
}

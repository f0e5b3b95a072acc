import type { ByteRange } from "../types.js";
import { checkRange } from "./arguments.js";

/** How much is read at a time from a file that tells no size, such as those below /proc. */
const CHUNK = 65_536;
/** What one call of the operating system reads at most. */
const MOST = 2 ** 30;

/** The bytes of a range while they are read; who reads asks where to go on and tells how far it came. */
export class Fill {
  /** Only for the bytes read: the array has their exact size in the end, and is nobody else's. */
  bytes: Uint8Array;
  filled = 0;
  done: boolean;
  readonly #range: ByteRange;
  readonly #sized: boolean;

  /** `size` is the file's size when it was opened. */
  constructor(range: ByteRange, size: number) {
    checkRange(range);
    this.#range = range;
    this.#sized = size > 0;
    const there = this.#sized ? Math.max(size - range.offset, 0) : CHUNK;
    const length = Math.min(range.length, there);
    this.bytes = new Uint8Array(length);
    this.done = length === 0;
  }

  /** Where in the file to read next. */
  get position(): number {
    return this.#range.offset + this.filled;
  }

  /** How much to read next, at most. */
  get missing(): number {
    return Math.min(this.bytes.length - this.filled, MOST);
  }

  /** Takes note of `count` more bytes; none is the end of the file. Throws for what is no count. */
  advance(count: number): void {
    if (!Number.isInteger(count) || count < 0 || count > this.missing) {
      const problem = `EIO: a read of at most ${this.missing} bytes is said to have given ${count}`;
      throw Object.assign(new Error(problem), { code: "EIO" });
    }
    this.filled += count;
    if (count === 0) {
      this.done = true;
    } else if (this.filled === this.bytes.length) {
      this.#grow();
    }
  }

  result(): Uint8Array {
    return this.filled === this.bytes.length ? this.bytes : this.bytes.slice(0, this.filled);
  }

  #grow(): void {
    const length = this.#sized ? this.filled : Math.min(this.filled * 2, this.#range.length);
    if (length === this.filled) {
      this.done = true;
      return;
    }
    const larger = new Uint8Array(length);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Bytes that come in pieces, from whoever gives them. */
import { turn } from "./turn.js";

/** So many pieces are taken before everything else has its turn: timers that limit a wait, too. */
const AT_A_TIME = 64;
/** So many empty pieces in a row are no stream of bytes. */
const MOST_EMPTY = 1000;

/** Collects pieces into one growing place, so that many small ones take no more than their bytes. */
export class Collector {
  #bytes = new Uint8Array(0);
  #size = 0;
  #pieces = 0;
  #empty = 0;

  /** How many bytes have come. */
  get size(): number {
    return this.#size;
  }

  /** Takes a piece; throws where nothing but empty ones come. */
  async add(piece: Uint8Array): Promise<void> {
    this.#pieces += 1;
    this.#empty = piece.length === 0 ? this.#empty + 1 : 0;
    if (this.#empty > MOST_EMPTY) throw new Error("nothing but empty pieces come");
    this.#reserve(piece.length);
    this.#bytes.set(piece, this.#size);
    this.#size += piece.length;
    if (this.#pieces % AT_A_TIME === 0) await turn();
  }

  /** All of it. */
  end(): Uint8Array<ArrayBuffer> {
    const isTight = this.#size === this.#bytes.length;
    return isTight ? this.#bytes : this.#bytes.slice(0, this.#size);
  }

  #reserve(length: number): void {
    const needed = this.#size + length;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
  }
}

/** A set of small whole numbers that knows the nearest member on either side: a tree of bits, 32 to a word. */

const BITS = 5;
const WORD = 31;

/** Position of the highest set bit; `word` is not 0. */
const highest = (word: number): number => WORD - Math.clz32(word);
/** Position of the lowest set bit; `word` is not 0. */
const lowest = (word: number): number => WORD - Math.clz32(word & -word);

export class RankSet {
  /** Level 0 has a bit for each number, each level above one for each word below that is not 0. */
  readonly #levels: Int32Array[] = [];

  /** For numbers from 0 to `size` - 1. */
  constructor(size: number) {
    let words = size;
    do {
      words = Math.max(1, (words + WORD) >>> BITS);
      this.#levels.push(new Int32Array(words));
    } while (words > 1);
  }

  add(rank: number): void {
    let at = rank;
    for (const level of this.#levels) {
      const word = at >>> BITS;
      const before = level[word]!;
      level[word] = before | (1 << (at & WORD));
      if (before !== 0) return;
      at = word;
    }
  }

  remove(rank: number): void {
    let at = rank;
    for (const level of this.#levels) {
      const word = at >>> BITS;
      level[word] = level[word]! & ~(1 << (at & WORD));
      if (level[word] !== 0) return;
      at = word;
    }
  }

  /** The largest member below `rank`, or -1. */
  before(rank: number): number {
    let at = rank;
    for (let height = 0; height < this.#levels.length; height++) {
      const below = this.#levels[height]![at >>> BITS]! & ((1 << (at & WORD)) - 1);
      if (below !== 0) return this.#down(height, (at & ~WORD) | highest(below), highest);
      at >>>= BITS;
    }
    return -1;
  }

  /** The smallest member above `rank`, or -1. */
  after(rank: number): number {
    let at = rank;
    for (let height = 0; height < this.#levels.length; height++) {
      const bit = at & WORD;
      const above = bit === WORD ? 0 : this.#levels[height]![at >>> BITS]! & (-1 << (bit + 1));
      if (above !== 0) return this.#down(height, (at & ~WORD) | lowest(above), lowest);
      at >>>= BITS;
    }
    return -1;
  }

  #down(height: number, from: number, pick: (word: number) => number): number {
    let at = from;
    for (let below = height - 1; below >= 0; below--) at = (at << BITS) | pick(this.#levels[below]![at]!);
    return at;
  }
}

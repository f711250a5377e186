/**
 * PyTorch's random numbers of the CPU: mt19937 and the distributions over it (ATen/core/MT19937RNGEngine.h, DistributionsHelper.h,
 * native/cpu/DistributionTemplates.h). Numbers are made when somebody looks at them.
 */

import { FLOAT64 } from "./dtype.ts";
import { LaterValues } from "./contents.ts";
import type { DType } from "./dtype.ts";

const WORDS = 624;
const MIDDLE = 397;
/** So many words are made in about a quarter of a second; beyond that the numbers are others than PyTorch's. */
const FARTHEST = 128_000_000;
/** After so many words the state is kept, so that who looks back does not begin at the seed again: 2.5 kB for each 2 MB of numbers. */
const KEPT_EVERY = 800 * WORDS;
/** Elements from which `normal_` fills its tensor with uniform numbers first. */
const FILLED_NORMAL = 16;
/** Ranges from which an integer takes two words. */
const WIDE_RANGE = 2 ** 28;

/**
 * The generator's words by their number, counted from the seed. A view of bytes holds them: where the language's prototypes are frozen, as
 * they are around a program, V8 stores elements of typed arrays twenty times slower.
 */
class Words {
  private readonly state = new DataView(new ArrayBuffer(4 * WORDS));
  /** Number of the first word of the block in `state`; the seed's own state comes before all, and is made when the first word is asked for. */
  private block = Infinity;
  private readonly seed: number;
  /** States at multiples of `KEPT_EVERY`, from the first one on. */
  private readonly kept: ArrayBuffer[] = [];

  constructor(seed: number) {
    this.seed = seed;
  }

  at(number: number): number {
    if (number < this.block || number >= this.block + KEPT_EVERY) this.near(number);
    while (number >= this.block + WORDS) this.twist();
    let y = this.state.getUint32(4 * (number - this.block), true);
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** Goes to the last state kept before that word, unless the present one is nearer. */
  private near(number: number): void {
    const place = Math.min(Math.floor(number / KEPT_EVERY), this.kept.length - 1);
    if (place >= 0 && (number < this.block || place * KEPT_EVERY > this.block)) {
      new Uint8Array(this.state.buffer).set(new Uint8Array(this.kept[place]!));
      this.block = place * KEPT_EVERY;
    } else if (number < this.block) {
      this.restart();
    }
  }

  private restart(): void {
    const { state } = this;
    let word = this.seed % 2 ** 32;
    state.setUint32(0, word, true);
    for (let i = 1; i < WORDS; i++) {
      word = (Math.imul(word ^ (word >>> 30), 1812433253) + i) >>> 0;
      state.setUint32(4 * i, word, true);
    }
    this.block = -WORDS;
  }

  private twist(): void {
    const { state } = this;
    const end = 4 * WORDS;
    const middle = 4 * MIDDLE;
    for (let at = 0; at < end; at += 4) {
      const other = at < end - middle ? at + middle : at + middle - end;
      const next = at + 4 < end ? at + 4 : 0;
      const mix = mixed(state.getUint32(at, true), state.getUint32(next, true));
      state.setUint32(at, state.getUint32(other, true) ^ mix, true);
    }
    this.block += WORDS;
    if (this.block === this.kept.length * KEPT_EVERY) this.kept.push(state.buffer.slice(0) as ArrayBuffer);
  }
}

const mixed = (high: number, low: number): number =>
  (((high & 0x80000000) | (low & 0x7fffffff)) >>> 1) ^ (-(low & 1) & 0x9908b0df);

export class HostRandom {
  static readonly FILLED_NORMAL = FILLED_NORMAL;
  /** Whether the program gave the seed: only then a GPU machine draws the same. */
  seeded = false;
  /** Words handed out. */
  drawn = 0;
  private words: Words;
  private nextNormal: number | null = null;

  constructor(seed = 0) {
    this.words = new Words(seed);
  }

  seed(seed: number): void {
    this.words = new Words(seed);
    this.drawn = 0;
    this.nextNormal = null;
    this.seeded = true;
  }

  /** Hands out numbers that are made when somebody looks at them: `make` draws `words` words from a generator of its own. */
  later(words: number, make: (random: HostRandom) => number[]): LaterValues {
    const own = new HostRandom();
    const isFar = this.drawn > FARTHEST;
    own.words = isFar ? new Words(this.drawn) : this.words;
    own.drawn = isFar ? 0 : this.drawn;
    this.skip(words);
    return new LaterValues(() => make(own), isFar || !this.seeded);
  }

  /** Numbers that are drawn and nobody looks at. */
  skip(words: number): void {
    this.drawn += words;
  }

  /** The next 32 bits. */
  word(): number {
    // so many words are not made to see a few numbers: those of another seed stand in
    if (this.drawn > FARTHEST) {
      this.seed(this.drawn);
      this.seeded = false;
    }
    return this.words.at(this.drawn++);
  }

  /** From 0 up to 1, as `uniform_` makes it of a dtype. */
  uniform(dtype: DType): number {
    return dtype === FLOAT64 ? this.uniformDouble() : (this.word() % 2 ** 24) / 2 ** 24;
  }

  uniformDouble(): number {
    const high = this.word() % 2 ** 21;
    return (high * 2 ** 32 + this.word()) / 2 ** 53;
  }

  static wordsOf(dtype: DType): number {
    return dtype === FLOAT64 ? 2 : 1;
  }

  /** A whole number from 0 up to `range`. */
  below(range: number): number {
    if (range < WIDE_RANGE) return this.word() % range;
    const high = this.word();
    return Number(((BigInt(high) << 32n) + BigInt(this.word())) % BigInt(range));
  }

  static wordsBelow(range: number): number {
    return range < WIDE_RANGE ? 1 : 2;
  }

  /** `n` numbers of the standard normal distribution, as `normal_` fills a tensor of a dtype. */
  normals(n: number, dtype: DType): number[] {
    if (n < FILLED_NORMAL) return Array.from({ length: n }, () => this.normal());
    const found = Array.from({ length: n }, () => this.uniform(dtype));
    for (let i = 0; i + FILLED_NORMAL <= n; i += FILLED_NORMAL) boxMuller(found, i);
    if (n % FILLED_NORMAL !== 0) {
      for (let i = n - FILLED_NORMAL; i < n; i++) found[i] = this.uniform(dtype);
      boxMuller(found, n - FILLED_NORMAL);
    }
    return found;
  }

  /** Words that so many normal numbers take, from sixteen on: fewer leave one over for the next call, or take what was left over. */
  static wordsOfNormals(n: number, dtype: DType): number {
    return (n + (n % FILLED_NORMAL === 0 ? 0 : FILLED_NORMAL)) * HostRandom.wordsOf(dtype);
  }

  /** One number of the standard normal distribution; they come in pairs. */
  private normal(): number {
    const kept = this.nextNormal;
    if (kept !== null) {
      this.nextNormal = null;
      return kept;
    }
    const angle = 2 * Math.PI * this.uniformDouble();
    const radius = Math.sqrt(-2 * Math.log1p(-this.uniformDouble()));
    this.nextNormal = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }
}

/** Sixteen uniform numbers become normal ones: the first eight with the last eight. */
function boxMuller(values: number[], start: number): void {
  for (let i = start; i < start + FILLED_NORMAL / 2; i++) {
    const radius = Math.sqrt(-2 * Math.log(1 - values[i]!));
    const angle = 2 * Math.PI * values[i + FILLED_NORMAL / 2]!;
    values[i] = radius * Math.cos(angle);
    values[i + FILLED_NORMAL / 2] = radius * Math.sin(angle);
  }
}

/**
 * PyTorch's random numbers of the CPU: mt19937 and the distributions over it (ATen/core/MT19937RNGEngine.h, DistributionsHelper.h,
 * native/cpu/DistributionTemplates.h). What nobody looks at is only counted, and skipped when somebody does.
 */

import type { DType } from "./dtype.ts";

const WORDS = 624;
const MIDDLE = 397;
/** So many numbers are skipped in about a second; beyond that the numbers are others than PyTorch's. */
const MOST_SKIPPED = 8_000_000;
/** Elements from which `normal_` fills its tensor with uniform numbers first. */
const FILLED_NORMAL = 16;
/** Ranges from which an integer takes two words. */
const WIDE_RANGE = 2 ** 28;

export class HostRandom {
  /** Whether the program gave the seed: only then a GPU machine draws the same. */
  seeded = false;
  /** Words handed out and looked at. */
  drawn = 0;
  private readonly state = new Uint32Array(WORDS);
  private at = WORDS;
  private pending = 0;
  private nextNormal: number | null = null;

  constructor(seed = 0) {
    this.seed(seed);
    this.seeded = false;
  }

  seed(seed: number): void {
    const { state } = this;
    state[0] = seed % 2 ** 32;
    for (let i = 1; i < WORDS; i++) {
      const before = state[i - 1]! ^ (state[i - 1]! >>> 30);
      state[i] = Math.imul(before, 1812433253) + i;
    }
    this.at = WORDS;
    this.pending = 0;
    this.nextNormal = null;
    this.seeded = true;
  }

  /** Numbers that were drawn and nobody looks at. */
  skip(words: number): void {
    this.pending += words;
  }

  /** The next 32 bits. */
  word(): number {
    if (this.pending > 0) this.catchUp();
    if (this.at === WORDS) this.twist();
    this.drawn++;
    let y = this.state[this.at++]!;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** From 0 up to 1, as `uniform_` makes it of a dtype. */
  uniform(dtype: DType): number {
    return dtype.name === "float64" ? this.uniformDouble() : (this.word() % 2 ** 24) / 2 ** 24;
  }

  uniformDouble(): number {
    const high = this.word() % 2 ** 21;
    return (high * 2 ** 32 + this.word()) / 2 ** 53;
  }

  static wordsOf(dtype: DType): number {
    return dtype.name === "float64" ? 2 : 1;
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

  skipNormals(n: number, dtype: DType): void {
    if (n >= FILLED_NORMAL) this.skip((n + (n % FILLED_NORMAL === 0 ? 0 : FILLED_NORMAL)) * HostRandom.wordsOf(dtype));
    else for (let i = 0; i < n; i++) this.normal();
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

  private catchUp(): void {
    let left = this.pending;
    this.pending = 0;
    if (left > MOST_SKIPPED) {
      this.seeded = false;
      return;
    }
    const here = Math.min(left, WORDS - this.at);
    this.at += here;
    left -= here;
    while (left > 0) {
      this.twist();
      this.at = Math.min(left, WORDS);
      left -= this.at;
    }
  }

  private twist(): void {
    const { state } = this;
    for (let i = 0; i < WORDS; i++) {
      const y = (state[i]! & 0x80000000) | (state[(i + 1) % WORDS]! & 0x7fffffff);
      state[i] = state[(i + MIDDLE) % WORDS]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
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

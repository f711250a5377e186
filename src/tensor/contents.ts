/**
 * What is known of a storage's elements. Memory hardly ever depends on values; where it does (lengths of sequences,
 * offsets that a program draws, masks that select), the tensors are small or hold one number throughout.
 */

import type { DType } from "./dtype.ts";

/** Elements up to which values are kept one by one. */
export const MOST_VALUES = 4096;
/** So many for whole numbers and truths: labels and indices decide what a program picks, and an epoch's may be many. */
const MOST_WHOLE_VALUES = 65_536;
const KIND_WHOLE = 1;

/** How many elements of a dtype are kept one by one. */
export const mostValues = (dtype: DType): number => (dtype.kind <= KIND_WHOLE ? MOST_WHOLE_VALUES : MOST_VALUES);

/** Row-major values of a tensor. */
export type KnownValues = readonly number[];

/** Values one by one, or one number for all elements. */
export type Known = KnownValues | number;

/** Elements of one dtype by their place in the storage; a hole is an element that nobody knows. */
export interface Contents {
  readonly dtype: DType;
  /** One number, `fill`, is in all of the storage; `elements` is null then. */
  readonly isFilled: boolean;
  readonly elements: (number | undefined)[] | null;
  readonly fill: number;
  /** Some of it comes from a random number generator. */
  readonly drawn: boolean;
}

/** So many values that are found later may wait for each other: longer rows would take memory for as long as nobody looks. */
const MOST_WAITING = 8;

/** Values that are found when somebody looks at them, one after another as a whole tensor holds them. */
export class LaterValues {
  /** Whether a GPU machine would draw others. */
  readonly drawn: boolean;
  /** How many others they wait for, one behind the other. */
  private readonly waitsFor: number;
  private readonly find: () => KnownValues;
  private found: KnownValues | null = null;

  constructor(find: () => KnownValues, drawn: boolean, waitsFor = 0) {
    this.find = find;
    this.drawn = drawn;
    this.waitsFor = waitsFor;
  }

  /** The same each time: what was drawn once is kept. */
  get(): KnownValues {
    return (this.found ??= this.find());
  }

  /** What follows from each of them; null where too many wait already. */
  each(of: (value: number) => number): LaterValues | null {
    if (this.waitsFor >= MOST_WAITING) return null;
    return new LaterValues(() => this.get().map(of), this.drawn, this.waitsFor + 1);
  }
}

/** What a storage holds whose values are found later. */
export class LaterContents implements Contents {
  readonly dtype: DType;
  readonly isFilled = false;
  readonly fill = 0;
  private readonly later: LaterValues;
  private found: number[] | null = null;

  constructor(dtype: DType, later: LaterValues) {
    this.dtype = dtype;
    this.later = later;
  }
  get drawn(): boolean {
    return this.later.drawn;
  }
  get elements(): number[] {
    return (this.found ??= this.later.get().map(roundingOf(this.dtype)));
  }
  /** The elements for who does not look now either; null once somebody looked, and may have written. */
  get unseen(): LaterValues | null {
    return this.found === null ? this.later.each(roundingOf(this.dtype)) : null;
  }
}

const rounding: Record<string, (v: number) => number> = {
  bool: (v) => (v !== 0 ? 1 : 0),
  float32: Math.fround,
  float64: (v) => v,
  float16: toFloat16,
  bfloat16: toBfloat16,
};

const itself = (v: number): number => v;

/** How a number becomes an element of that dtype; NaN-free callers only get finite or infinite floats back. */
export const roundingOf = (dtype: DType): ((v: number) => number) =>
  rounding[dtype.name] ?? (dtype.kind === 1 ? Math.trunc : itself);

/** A number as an element of that dtype holds it. */
export const asElement = (v: number, dtype: DType): number => roundingOf(dtype)(v);

const word = new Float32Array(1);
const bits = new Uint32Array(word.buffer);

/** Rounds to nearest, ties to even. */
function toBfloat16(v: number): number {
  word[0] = v;
  if (!Number.isFinite(word[0])) return v;
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >>> 16) & 1)) & 0xffff0000;
  return word[0];
}

/** Eleven binary digits, fewer below 2^-14; ties to even. PyTorch goes by way of a float (c10/util/Half.h). */
function toFloat16(v: number): number {
  const float = Math.fround(v);
  if (float === 0 || !Number.isFinite(float)) return float;
  const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(float))), -14) - 10);
  const whole = Math.round(float / step);
  const tied = Math.abs(float / step - whole) === 0.5 && whole % 2 !== 0;
  const rounded = (tied ? whole - 1 : whole) * step;
  return Math.abs(rounded) > 65504 ? Math.sign(rounded) * Infinity : rounded;
}

/** Places in the storage of a tensor's elements, in row-major order. */
export function elementOffsets(sizes: readonly number[], strides: readonly number[], offset: number): number[] {
  let found = [offset];
  for (let dim = 0; dim < sizes.length; dim++) {
    const next: number[] = [];
    for (const at of found) for (let i = 0; i < sizes[dim]; i++) next.push(at + i * strides[dim]);
    found = next;
  }
  return found;
}

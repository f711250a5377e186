/** The closed forms of a program's memory in the sizes that its user named: what there is to say, as data. */

import type { Category } from "../trace/model.ts";
import type { Polynomial, SymbolValues } from "./polynomial.ts";

/** How many bytes, and of them how many elements of each dtype; scratch memory of kernels has bytes only. */
export interface Formula {
  readonly bytes: Polynomial;
  readonly elements: Readonly<Record<string, Polynomial>>;
}

/** Memory that follows no closed form in the symbols: what it is, where it is taken, and how much at the program's own sizes. */
export interface Apart {
  /**
   * `rounding` to 512 bytes, `remainder` that the allocator did not split off, `scratch` and workspaces that do not depend on the
   * sizes or follow no closed form, `irregular`: tensors without one.
   */
  readonly kind: "rounding" | "remainder" | "scratch" | "irregular";
  /** Of scratch memory: what it is. */
  readonly note: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly bytes: number;
}

/** The highest point of the allocated bytes, at some sizes. */
export interface Moment {
  readonly file: string | null;
  readonly line: number;
  readonly op: string | null;
  readonly module: string | null;
  readonly formula: Formula;
  readonly apart: readonly Apart[];
  readonly categories: readonly { readonly category: Category; readonly formula: Formula }[];
  /** Sizes of the runs in which this moment was the highest. */
  readonly highestAt: readonly SymbolValues[];
}

/** Formulas of what one line, or one module with its submodules, made. */
export interface PartFormulas {
  /** Of what is alive at the peak. */
  readonly peak: Formula;
  /** Of what the graph keeps for backward, without parameters and buffers. */
  readonly saved: Formula;
  /** Of everything that it allocated in the run. */
  readonly made: Formula;
}

export interface LinePart extends PartFormulas {
  readonly file: string;
  readonly line: number;
}

export interface ModulePart extends PartFormulas {
  /** Numbers are `*`: `layers.*.mlp` stands for all layers. */
  readonly module: string;
}

/** One run that checked the formulas. */
export interface Check {
  readonly sizes: SymbolValues;
  /** Peak of allocated bytes in the run. */
  readonly peakBytes: number;
  /** What the closed form says, and what is listed apart there. They sum to {@link peakBytes}. */
  readonly formulaBytes: number;
  readonly apartBytes: number;
  readonly apart: readonly Apart[];
}

/** A symbol and the numbers in the program that were changed for it. */
export interface NamedSize {
  readonly name: string;
  readonly value: number;
  readonly places: readonly { readonly file: string; readonly line: number; readonly text: string }[];
}

export interface Formulas {
  readonly symbols: readonly NamedSize[];
  /** The first is the peak at the program's own sizes; others were it at other sizes. Empty when nothing was allocated. */
  readonly peak: readonly Moment[];
  readonly saved: { readonly formula: Formula; readonly apart: readonly Apart[] };
  readonly lines: readonly LinePart[];
  readonly modules: readonly ModulePart[];
  /** Runs at sizes that no formula was fitted to. */
  readonly checks: readonly Check[];
  /** How many runs it took. */
  readonly runs: number;
}

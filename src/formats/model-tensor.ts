/** A tensor as a model's file describes it, and bounds that hold for every format. */

import { ModelFileError, shown } from "./model-file-error.ts";

export interface ModelTensor {
  readonly name: string;
  /** Element or quantization type as the format calls it: `BF16`, `F8_E4M3`, `Q4_K`. */
  readonly dtype: string;
  /** Outermost dimension first, as PyTorch writes shapes. */
  readonly shape: readonly number[];
  /** Values; for packed integers those of the file, not of the weights that they hold. */
  readonly elements: number;
  readonly bytes: number;
}

/** Mixture models with one tensor per expert have about 100,000. */
export const MAX_TENSORS = 1_000_000;
export const MAX_DIMENSIONS = 8;
export const MAX_NAME_BYTES = 1024;

/** The product of a shape; throws where it is no size that a number holds exactly. */
export function elementsOf(shape: readonly number[], name: string): number {
  let elements = 1;
  for (const size of shape) {
    elements *= size;
    if (!Number.isSafeInteger(elements)) throw new ModelFileError("model-file-bad-tensor", { name: shown(name) });
  }
  return elements;
}

export interface DtypeShare {
  readonly dtype: string;
  readonly tensors: number;
  readonly elements: number;
  readonly bytes: number;
}

/** Tensors, values and bytes by type, most bytes first. */
export function byDtype(tensors: readonly ModelTensor[]): readonly DtypeShare[] {
  const shares = new Map<string, { tensors: number; elements: number; bytes: number }>();
  for (const tensor of tensors) {
    let share = shares.get(tensor.dtype);
    if (share === undefined) shares.set(tensor.dtype, (share = { tensors: 0, elements: 0, bytes: 0 }));
    share.tensors++;
    share.elements += tensor.elements;
    share.bytes += tensor.bytes;
  }
  return [...shares].map(([dtype, share]) => ({ dtype, ...share })).sort((a, b) => b.bytes - a.bytes);
}

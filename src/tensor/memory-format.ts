/** The memory format that a tensor's strides suggest (c10/core/MemoryFormat.h). */

import { channelsLastStrides, contiguousStrides, isContiguous, sameShape, type Shape } from "./shape.ts";

export interface Layout {
  readonly sizes: Shape;
  readonly strides: Shape;
}

/** True for 4-D and 5-D tensors whose strides fall from batch over space to channels; doubtful cases count as contiguous. */
export function looksChannelsLast({ sizes, strides }: Layout): boolean {
  const rank = sizes.length;
  if ((rank !== 4 && rank !== 5) || strides[1] === 0) return false;
  let least = 0;
  for (let i = 0; i < rank; i++) {
    // channels, then the spatial dimensions from the last, then the batch
    const dim = i === 0 ? 1 : i === rank - 1 ? 0 : rank - i;
    if (sizes[dim] === 0 || strides[dim] < least) return false;
    if (dim === 0 && least === strides[1]) return false;
    least = strides[dim] * Math.max(sizes[dim], 1);
  }
  return true;
}

/** Strides of a result that takes the suggested format of `like`. */
export function suggestedStrides(sizes: Shape, like: Layout): number[] {
  return looksChannelsLast(like) && sizes.length === like.sizes.length
    ? channelsLastStrides(sizes)
    : contiguousStrides(sizes);
}

/** Strides of tensors put one after another: the format that all of them suggest (TensorShape.cpp: cat_compute_output_memory_format). */
export function joinedStrides(sizes: Shape, parts: readonly Layout[]): number[] {
  return parts.every(looksChannelsLast) ? suggestedStrides(sizes, parts[0]!) : contiguousStrides(sizes);
}

/** Strides of tensors stacked in a new dimension: joined in the one that lies there, which a view then splits (TensorShape.cpp: stack). */
export function stackedStrides(sizes: Shape, at: number, parts: readonly Layout[]): number[] {
  const [first] = parts;
  if (at === first!.sizes.length) {
    const lifted = parts.map((part) => ({ sizes: [...part.sizes, 1], strides: [...part.strides, 1] }));
    return joinedStrides(sizes, lifted);
  }
  const joined = first!.sizes.map((size, i) => (i === at ? size * parts.length : size));
  const strides = joinedStrides(joined, parts);
  return [...strides.slice(0, at), strides[at]! * first!.sizes[at]!, ...strides.slice(at)];
}

/** True when the elements lie as `channels_last` or the plain order asks, so that no copy is needed. */
export function liesAs({ sizes, strides }: Layout, channelsLast: boolean): boolean {
  if (!channelsLast) return isContiguous(sizes, strides);
  const want = channelsLastStrides(sizes);
  return sameShape(strides, want) || sizes.every((s, i) => s === 1 || strides[i] === want[i]);
}

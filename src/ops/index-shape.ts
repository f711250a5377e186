/** What a list of index tensors selects: shape and strides of the result, and how many elements each index has. */

import { BOOL, INT32, INT64, UINT8 } from "../tensor/dtype.ts";
import { outputStrides } from "../tensor/iterator.ts";
import { broadcast, type Shape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Kernel } from "./row.ts";

interface Geometry {
  readonly sizes: Shape;
  readonly strides: Shape;
}

export interface IndexPlan {
  readonly sizes: Shape;
  readonly strides: Shape;
  /** Shape that the indices have together. */
  readonly common: Shape;
  /** Places that the broadcast indices name. */
  readonly indexNumel: number;
  /** Masks among the indices and how many of their elements were taken to be true. */
  readonly masks: readonly { readonly mask: Tensor; readonly hits: number; readonly known: boolean }[];
}

const isMask = (t: Tensor): boolean => t.dtype === BOOL || t.dtype === UINT8;
const indexTypes = new Set([INT64, INT32, UINT8, BOOL]);

/** What reads numbers back from the device. */
type Reader = Pick<Kernel, "readBack">;

/** How many elements of a mask are true, as the host reads it: counted where its values are known, else all of them. */
export function maskHits(mask: Tensor, host: Reader): { hits: number; known: boolean } {
  const counted = mask.values ? mask.values.filter((v) => v !== 0).length : mask.numel;
  return { hits: host.readBack(counted, mask), known: mask.values !== null };
}

/** A mask over k dimensions stands for k index tensors, one per dimension (expandTensors in IndexingUtils.h). */
function expandMasks(self: Geometry, indices: readonly (Tensor | null)[], host: Reader) {
  const shapes: (Shape | null)[] = [];
  const masks: { mask: Tensor; hits: number; known: boolean }[] = [];
  indices.forEach((index, at) => {
    if (index === null) {
      shapes.push(null);
      return;
    }
    if (!indexTypes.has(index.dtype))
      throw new TorchError("tensors used as indices must be long, int, byte or bool tensors", "IndexError");
    if (!isMask(index)) {
      shapes.push(index.sizes);
      return;
    }
    const from = shapes.length;
    index.sizes.forEach((size, j) => {
      if (size !== self.sizes[from + j])
        throw new TorchError(
          `The shape of the mask [${index.sizes.join(", ")}] at index ${at} does not match the shape of the indexed tensor [${self.sizes.join(", ")}] at index ${from + j}`,
          "IndexError",
        );
    });
    const found = maskHits(index, host);
    masks.push({ mask: index, ...found });
    for (let j = 0; j < index.rank; j++) shapes.push([found.hits]);
  });
  if (shapes.length > self.sizes.length)
    throw new TorchError(
      `too many indices for tensor of dimension ${self.sizes.length} (got ${shapes.length})`,
      "IndexError",
    );
  while (shapes.length < self.sizes.length) shapes.push(null);
  return { shapes, masks };
}

/** Mirrors make_info and AdvancedIndex in aten/src/ATen/native/TensorAdvancedIndexing.cpp. */
export function planIndex(self: Geometry, indices: readonly (Tensor | null)[], host: Reader): IndexPlan {
  const { shapes, masks } = expandMasks(self, indices, host);
  const shownShapes = shapes.filter((s): s is Shape => s !== null);
  let common: Shape = shownShapes[0] ?? [];
  for (const shape of shownShapes.slice(1)) {
    try {
      common = broadcast(common, shape);
    } catch {
      throw new TorchError(
        `shape mismatch: indexing tensors could not be broadcast together with shapes ${shownShapes.map((s) => `[${s.join(", ")}]`).join(", ")}`,
        "IndexError",
      );
    }
  }
  const indexed = shapes.flatMap((s, i) => (s ? [i] : []));
  const adjacent = indexed.every((at, i) => i === 0 || at === indexed[i - 1] + 1);
  const others = shapes.flatMap((s, i) => (s ? [] : [i]));
  const first = adjacent && indexed.length ? indexed[0] : 0;
  const before = others.slice(0, adjacent ? first : 0);
  const after = others.slice(before.length);
  const sizes = [...before.map((i) => self.sizes[i]), ...common, ...after.map((i) => self.sizes[i])];
  const zeros = common.map(() => 0);
  const source = {
    sizes,
    isContiguous: false,
    strides: [...before.map((i) => self.strides[i]), ...zeros, ...after.map((i) => self.strides[i])],
  };
  const indexNumel = common.reduce((n, s) => n * s, 1);
  const operands = [source, ...indices.filter((t) => t !== null && !isMask(t)).map((t) => spreadIndex(t as Tensor))];
  return { sizes, strides: outputStrides(sizes, operands as unknown as Tensor[]), common, indexNumel, masks };

  /** An index as an operand of the kernel: size one outside the indexed dimensions. */
  function spreadIndex(index: Tensor): Geometry & { isContiguous: boolean } {
    const pad = common.length - index.rank;
    const strides = common.map((s, i) =>
      i < pad || (index.sizes[i - pad] === 1 && s !== 1) ? 0 : index.strides[i - pad],
    );
    return {
      sizes: [...before.map(() => 1), ...common, ...after.map(() => 1)],
      strides: [...before.map(() => 0), ...strides, ...after.map(() => 0)],
      isContiguous: false,
    };
  }
}

/** What PyTorch checks about positions before it gathers, scatters, adds or copies along a dimension (ScatterGatherChecks.h). */

import { INT32, INT64 } from "../tensor/dtype.ts";
import type { TorchRules } from "../torch/changes.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";

const shown = (sizes: readonly number[]): string => `[${sizes.join(", ")}]`;
const rankOf = (t: Tensor): number => Math.max(t.rank, 1);
const sizeOf = (t: Tensor, dim: number): number => (t.rank ? t.sizes[dim] : 1);

type Rules = Pick<TorchRules, "gatherTakesInt32">;

function checkPositions(
  rules: Rules,
  method: string,
  self: Tensor,
  dim: number,
  index: Tensor,
  selfName: string,
): number {
  const at = wrapDim(dim, self.rank);
  if (index.numel === 0) return at;
  if (index.dtype !== INT64 && !(rules.gatherTakesInt32 && index.dtype === INT32))
    throw new TorchError(`${method}(): Expected dtype ${rules.gatherTakesInt32 ? "int32/int64" : "int64"} for index`);
  if (rankOf(index) !== rankOf(self))
    throw new TorchError(`Index tensor must have the same number of dimensions as ${selfName} tensor`);
  return at;
}

export function checkGather(rules: Rules, self: Tensor, dim: number, index: Tensor): void {
  const at = checkPositions(rules, "gather", self, dim, index, "input");
  if (index.numel === 0) return;
  for (let i = 0; i < rankOf(self); i++)
    if (i !== at && sizeOf(index, i) > sizeOf(self, i))
      throw new TorchError(
        `Size does not match at dimension ${i} expected index ${shown(index.sizes)} to be no larger than self ${shown(self.sizes)} apart from dimension ${dim}`,
      );
}

/** `src` is null for a number. */
export function checkScatter(rules: Rules, self: Tensor, dim: number, index: Tensor, src: Tensor | null): void {
  if (src && src.dtype !== self.dtype) throw new TorchError("scatter(): Expected self.dtype to be equal to src.dtype");
  const at = checkPositions(rules, "scatter", self, dim, index, "self");
  if (index.numel === 0) return;
  if (src && rankOf(src) !== rankOf(index))
    throw new TorchError("Index tensor must have the same number of dimensions as src tensor");
  for (let i = 0; i < rankOf(self); i++) {
    const beyondSelf = i !== at && sizeOf(index, i) > sizeOf(self, i);
    const beyondSource = src !== null && sizeOf(index, i) > sizeOf(src, i);
    if (!beyondSelf && !beyondSource) continue;
    const own = `Expected index ${shown(index.sizes)} to be no larger than self ${shown(self.sizes)} apart from dimension ${dim}`;
    throw new TorchError(src ? `${own} and to be no larger size than src ${shown(src.sizes)}` : own);
  }
}

const without = (sizes: readonly number[], at: number): string => sizes.filter((_, i) => i !== at).join();

export function checkIndexAdd(self: Tensor, dim: number, index: Tensor, source: Tensor): void {
  const at = wrapDim(dim, self.rank);
  if (index.rank > 1)
    throw new TorchError("index_add_(): Index is supposed to be a vector, but got dim: " + index.rank);
  if (self.dtype !== source.dtype) throw new TorchError("index_add_(): self and source must have the same scalar type");
  if (index.numel !== sizeOf(source, at))
    throw new TorchError(
      `index_add_(): Number of indices (${index.numel}) should be equal to source.size(dim): (${sizeOf(source, at)}), for dim: ${at}`,
    );
  if (self.rank && source.rank && without(self.sizes, at) !== without(source.sizes, at))
    throw new TorchError(
      `source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ${shown(self.sizes)} source.shape = ${shown(source.sizes)}`,
    );
}

export function checkIndexCopy(self: Tensor, dim: number, index: Tensor, source: Tensor): void {
  const at = wrapDim(dim, self.rank);
  const fail = (text: string, kind?: string): never => {
    throw new TorchError(`index_copy_(): ${text}`, kind);
  };
  if (index.rank >= 2) fail(`Index should have dimension 1 or 0 (got ${index.rank})`, "IndexError");
  if (index.dtype !== INT64) fail("Expected a long tensor for index, but got " + index.dtype.name, "IndexError");
  if (self.dtype !== source.dtype) fail("self and source expected to have the same dtype");
  if (source.rank && self.rank && without(self.sizes, at) !== without(source.sizes, at))
    fail(
      `Source/destination tensor must have same slice shapes. Destination slice shape: ${without(self.sizes, at).replaceAll(",", " ")} at dimension ${at} and source slice shape: ${without(source.sizes, at).replaceAll(",", " ")} at dimension 0.`,
    );
  if (source.rank && index.numel !== sizeOf(source, at))
    fail(
      `Number of indices (${index.numel}) should be equal to source.size(dim) (${sizeOf(source, at)})`,
      "IndexError",
    );
}

/** Shape arithmetic: strides, broadcasting, views and density, as c10 and ATen define them. */

export type Shape = readonly number[];

/** A mistake of the program that PyTorch reports as an exception; `kind` is the Python exception class. */
export class TorchError extends Error {
  override readonly name = "TorchError";
  readonly kind: string;
  constructor(message: string, kind = "RuntimeError") {
    super(message);
    this.kind = kind;
  }
}

/** Number of elements. */
export function numel(sizes: Shape): number {
  let n = 1;
  for (let i = 0; i < sizes.length; i++) n *= sizes[i];
  return n;
}

/** Row-major strides; dimensions of size 0 count as 1, as in c10::contiguous_strides. */
export function contiguousStrides(sizes: Shape): number[] {
  const strides = new Array<number>(sizes.length);
  let step = 1;
  for (let i = sizes.length - 1; i >= 0; i--) {
    strides[i] = step;
    step *= Math.max(sizes[i], 1);
  }
  return strides;
}

/** Strides of a dense tensor whose dimensions from slowest to fastest are `order`. */
export function stridesInOrder(sizes: Shape, order: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length);
  let step = 1;
  for (let i = order.length - 1; i >= 0; i--) {
    strides[order[i]] = step;
    step *= Math.max(sizes[order[i]], 1);
  }
  return strides;
}

/** Strides of a channels-last tensor (NHWC for 4-D, NDHWC for 5-D). */
export function channelsLastStrides(sizes: Shape): number[] {
  const order = [0];
  for (let i = 2; i < sizes.length; i++) order.push(i);
  order.push(1);
  return stridesInOrder(sizes, order);
}

export function isContiguous(sizes: Shape, strides: Shape): boolean {
  if (numel(sizes) === 0) return true;
  let step = 1;
  for (let i = sizes.length - 1; i >= 0; i--) {
    if (sizes[i] === 1) continue;
    if (strides[i] !== step) return false;
    step *= sizes[i];
  }
  return true;
}

/** c10 is_channels_last_contiguous for 4-D and 5-D. */
export function isChannelsLast(sizes: Shape, strides: Shape): boolean {
  if (sizes.length !== 4 && sizes.length !== 5) return false;
  const order = [1];
  for (let i = sizes.length - 1; i >= 2; i--) order.push(i);
  order.push(0);
  let step = 1;
  for (const d of order) {
    if (sizes[d] === 1) continue;
    if (strides[d] !== step) return false;
    step *= sizes[d];
  }
  return true;
}

/** True when the elements fill one range of memory without gap or overlap, in any order. */
export function isNonOverlappingAndDense(sizes: Shape, strides: Shape): boolean {
  const n = sizes.length;
  if (n === 0) return true;
  if (n === 1) return sizes[0] < 2 || strides[0] === 1;
  if (isContiguous(sizes, strides)) return true;
  const order = sizes.map((_, i) => i);
  order.sort((a, b) => {
    if (sizes[a] < 2) return sizes[b] < 2 ? 0 : 1;
    if (sizes[b] < 2) return -1;
    return strides[a] - strides[b];
  });
  let step = 1;
  for (const d of order) {
    if (sizes[d] < 2) return true;
    if (strides[d] !== step) return false;
    step *= sizes[d];
  }
  return true;
}

/** Bytes that a storage needs for this geometry (at::detail::computeStorageNbytes). */
export function storageBytes(sizes: Shape, strides: Shape, itemBytes: number, offset = 0): number {
  let last = offset + 1;
  for (let i = 0; i < sizes.length; i++) {
    if (sizes[i] === 0) return 0;
    last += strides[i] * (sizes[i] - 1);
  }
  return last * itemBytes;
}

/** The broadcast shape of two; throws PyTorch's error when they do not match. */
export function broadcast(a: Shape, b: Shape): number[] {
  const n = Math.max(a.length, b.length);
  const out = new Array<number>(n);
  for (let i = n - 1; i >= 0; i--) {
    const da = a[a.length - n + i] ?? 1;
    const db = b[b.length - n + i] ?? 1;
    if (da !== db && da !== 1 && db !== 1)
      throw new TorchError(
        `The size of tensor a (${da}) must match the size of tensor b (${db}) at non-singleton dimension ${i}`,
      );
    out[i] = da === 1 ? db : da;
  }
  return out;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A dimension index brought into 0..rank-1; throws IndexError outside. Scalars accept 0 and -1. */
export function wrapDim(dim: number, rank: number): number {
  const n = Math.max(rank, 1);
  if (dim < -n || dim >= n)
    throw new TorchError(
      `Dimension out of range (expected to be in range of [${-n}, ${n - 1}], but got ${dim})`,
      "IndexError",
    );
  return dim < 0 ? dim + n : dim;
}

/** Replaces one -1 of a requested shape by what the element count leaves (at::infer_size). */
export function inferSize(shape: Shape, count: number): number[] {
  let known = 1;
  let hole = -1;
  for (let i = 0; i < shape.length; i++) {
    if (shape[i] === -1) {
      if (hole >= 0) throw new TorchError("only one dimension can be inferred");
      hole = i;
    } else if (shape[i] < 0) throw new TorchError(`invalid shape dimension ${shape[i]}`);
    else known *= shape[i];
  }
  const out = [...shape];
  if (hole >= 0 && known > 0 && count % known === 0) {
    out[hole] = count / known;
    return out;
  }
  if (hole < 0 && known === count) return out;
  if (hole >= 0 && known === 0 && count === 0)
    throw new TorchError(
      `cannot reshape tensor of 0 elements into shape [${shape.join(", ")}] because the unspecified dimension size -1 can be any value and is ambiguous`,
    );
  throw new TorchError(`shape '[${shape.join(", ")}]' is invalid for input of size ${count}`);
}

/** Strides under which `sizes/strides` can be seen as `shape` without a copy, or null (at::detail::computeStride). */
export function viewStrides(sizes: Shape, strides: Shape, shape: Shape): number[] | null {
  if (sizes.length === 0) return shape.map(() => 1);
  const count = numel(sizes);
  if (count === 0) return sameShape(sizes, shape) ? [...strides] : contiguousStrides(shape);
  const out = new Array<number>(shape.length);
  let view = shape.length - 1;
  let chunkBase = strides[strides.length - 1];
  let chunkCount = 1;
  let viewCount = 1;
  for (let d = sizes.length - 1; d >= 0; d--) {
    chunkCount *= sizes[d];
    const ends = d === 0 || (sizes[d - 1] !== 1 && strides[d - 1] !== chunkCount * chunkBase);
    if (!ends) continue;
    while (view >= 0 && (viewCount < chunkCount || shape[view] === 1)) {
      out[view] = viewCount * chunkBase;
      viewCount *= shape[view];
      view--;
    }
    if (viewCount !== chunkCount) return null;
    if (d > 0) {
      chunkBase = strides[d - 1];
      chunkCount = 1;
      viewCount = 1;
    }
  }
  return view === -1 ? out : null;
}

/** Strides of a dense tensor that keeps the dimension order of possibly gapped strides (at::infer_dense_strides). */
export function inferDenseStrides(sizes: Shape, strides: Shape): number[] {
  const rank = sizes.length;
  const perm = Array.from({ length: rank }, (_, i) => rank - 1 - i);
  // 1: dim0 is outer and must come after dim1 in the fast-to-slow order; -1: before; 0: ambiguous
  const compare = (dim0: number, dim1: number): number => {
    const s0 = strides[dim0];
    const s1 = strides[dim1];
    if (s0 === 0 || s1 === 0) return 0;
    if (s0 < s1) return -1;
    if (s0 > s1) return 1;
    return sizes[dim0] > sizes[dim1] ? 1 : 0;
  };
  for (let i = 1; i < rank; i++) {
    let dim1 = i;
    for (let dim0 = i - 1; dim0 >= 0; dim0--) {
      const c = compare(perm[dim0], perm[dim1]);
      if (c > 0) {
        [perm[dim0], perm[dim1]] = [perm[dim1], perm[dim0]];
        dim1 = dim0;
      } else if (c < 0) break;
    }
  }
  const out = new Array<number>(rank);
  let step = 1;
  for (const d of perm) {
    out[d] = step;
    if (sizes[d] > 1) step *= sizes[d];
  }
  return out;
}

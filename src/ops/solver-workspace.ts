/**
 * What cuSOLVER and cuBLAS take for factorisations: status words, pivots and workspaces, as formulas in a matrix's sides. They fit what one card did in single
 * precision (test/record: H100, PyTorch 2.11, ops-linalg): those of QR, least squares and solves exactly, of eigenvalues and small singular values within 12 %.
 */

import { MIB } from "../base/bytes.ts";
import { INT32, INT64 } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { batchOf } from "./matrix-shape.ts";
import type { Kernel } from "./row.ts";

export const matricesOf = (a: Tensor): number => batchOf(a).reduce((all, size) => all * size, 1);
const single = (a: Tensor): boolean => a.rank === 2;

/** Takes and gives back. */
export const brief = (k: Kernel, bytes: number, what: string): void => k.scratch(bytes, what)();

/** Several pieces at once; the function gives them back. */
export function together(k: Kernel, bytes: readonly number[], what: string): () => void {
  const releases = bytes.map((each) => k.scratch(each, what));
  return () => releases.reverse().forEach((giveBack) => giveBack());
}

/** A status word for each matrix. */
export const status = (k: Kernel, a: Tensor): (() => void) =>
  k.scratch(INT32.itemBytes * matricesOf(a), "solver_status");

/** Whether a status went wrong, read on the host: one word is copied before it is looked at. */
export const looksAtStatus = (k: Kernel, a: Tensor): void => together(k, single(a) ? [1, 1] : [1], "solver_status")();

/** Pointers to the matrices of a batch. */
const pointerBytes = (a: Tensor): number => 8 * matricesOf(a);
/** Two lists of them, where there is a batch. */
export function pointsAtBatch(k: Kernel, a: Tensor): void {
  if (single(a)) return;
  const giveBack = together(k, [pointerBytes(a), pointerBytes(a)], "solver_pointers");
  if (k.temporaries) k.cublasWorkspace();
  giveBack();
}
const bytesOf = (a: Tensor, elements: number): number => elements * a.dtype.itemBytes;

export function factorsCholesky(k: Kernel, a: Tensor): void {
  const n = a.size(-1);
  const bytes = single(a) ? 128 + bytesOf(a, Math.max(8, n ** 2 / 1024)) : pointerBytes(a);
  brief(k, Math.ceil(bytes), "cholesky_workspace");
}

export function factorsLu(k: Kernel, a: Tensor): void {
  const n = a.size(-1);
  const bytes = single(a) ? 256 + bytesOf(a, Math.min(4 * n, 1024 + 2 * n)) : pointerBytes(a);
  brief(k, bytes, "lu_workspace");
}

/** Below it a library solves with the factors, above it PyTorch does by two triangular solves (lu_solve_kernel). */
const SMALL_SYSTEM = 64;

/** What a solution with LU factors takes; `b` is the right side, `adjoint` of the transposed system. */
export function solvesWithLu(k: Kernel, lu: Tensor, rightBytes: number, columns: number, adjoint: boolean): void {
  const n = lu.size(-1);
  const batch = matricesOf(lu);
  if (!single(lu) && n <= SMALL_SYSTEM && (columns !== n || n <= 16)) pointsAtBatch(k, lu);
  else if (n <= SMALL_SYSTEM && columns !== n) brief(k, INT32.itemBytes, "solver_status");
  else {
    const order = n * batch * INT64.itemBytes;
    together(k, [...(adjoint ? [order] : [order, order, order]), rightBytes], "lu_solve_order")();
  }
}

/** The sign of a permutation: which pivots moved, counted (lu_det_P). The function gives it back. */
export function permutationSign(k: Kernel, a: Tensor): () => void {
  const n = a.size(-1);
  const batch = matricesOf(a);
  const positions = k.scratch(n * INT32.itemBytes, "pivot_positions");
  const moved = k.scratch(batch * n, "pivots_moved");
  const sign = k.scratch(batch * INT64.itemBytes, "pivot_sign");
  brief(k, batch * n * INT64.itemBytes, "pivots_moved");
  moved();
  positions();
  return sign;
}

/** Householder reflections of a matrix, and the status. */
export function reflects(k: Kernel, a: Tensor): void {
  if (!single(a)) return pointsAtBatch(k, a);
  const done = status(k, a);
  brief(k, Math.max(3 * MIB, 2 * MIB + 4096 * a.size(-1)) + 128, "qr_workspace");
  done();
}

/** The orthogonal matrix from its reflections. */
export function makesQ(k: Kernel, a: Tensor): void {
  const [m, n] = [a.size(-2), a.size(-1)];
  const done = k.scratch(INT32.itemBytes, "solver_status");
  const elements = 16_640 + Math.max(16_640, Math.min(n, 128) * m + 256 * n);
  for (let i = 0; i < matricesOf(a); i++) brief(k, bytesOf(a, elements), "orthogonal_workspace");
  done();
}

/** The orthogonal matrix times another. */
export function multipliesByQ(k: Kernel, a: Tensor): void {
  const [m, n] = [a.size(-2), a.size(-1)];
  const done = k.scratch(INT32.itemBytes, "solver_status");
  brief(k, bytesOf(a, 66_336 + 256 * m + n * (m + n)), "orthogonal_workspace");
  done();
}

export function findsSingularValues(k: Kernel, a: Tensor): void {
  const [m, n] = [a.size(-2), a.size(-1)];
  const least = Math.min(m, n);
  if (!single(a)) return brief(k, bytesOf(a, matricesOf(a) * (2 * least - 1)), "svd_workspace");
  // twice as long as wide, or the other way round: by way of reflections; a wide one (128 x 256 under peft's OSF and TinyLoRA) is turned over first
  if (Math.max(m, n) >= 2 * least) {
    const turned = m < n ? m * n : 0;
    brief(k, Math.max(3 * MIB, 2 * MIB + 4096 * least) + 128 + bytesOf(a, least + turned), "svd_workspace");
    return;
  }
  brief(k, bytesOf(a, 2 * least ** 2 + 70 * least + 32), "svd_workspace");
}

/** Up to this side the iteration by Jacobi is taken, beyond it divide and conquer. */
const JACOBI_SIDE = 512;
const BATCHED_EIGEN_BYTES = 314_328;

export function findsEigenvalues(k: Kernel, a: Tensor): void {
  const n = a.size(-1);
  if (!single(a)) return brief(k, matricesOf(a) * BATCHED_EIGEN_BYTES, "eigen_workspace");
  brief(k, bytesOf(a, n <= JACOBI_SIDE ? n ** 2 + 37 * n + 16 : 4 * n ** 2 + 159 * n), "eigen_workspace");
}

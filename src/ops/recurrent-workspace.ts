/**
 * What cuDNN's recurrent kernel takes: what it keeps for backward, its workspace, and the state of its dropout. Sizes are those of one card (test/record:
 * H100, PyTorch 2.11, cuDNN 9.19; recurrent layers of ops-convolution and ops-matrix): the first and the last are exact there, the workspace is near.
 */

import { MIB } from "../base/bytes.ts";
import type { GpuRow } from "../gpus/catalogue.ts";
import type { Kernel } from "./row.ts";

export interface RecurrentShape {
  /** cuDNN's number of the kind. */
  readonly mode: number;
  /** Steps of all sequences together. */
  readonly rows: number;
  readonly hidden_size: number;
  readonly num_layers: number;
  readonly bidirectional: boolean;
  readonly dropout: number;
  /** Elements of all weights. */
  readonly weights: number;
  readonly itemBytes: number;
}

/** By cuDNN's number: gates that a cell computes, and numbers that backward needs of each hidden unit and step. */
const CELLS: readonly { readonly mode: number; readonly gates: number; readonly kept: number }[] = [
  { mode: 0, gates: 1, kept: 1 },
  { mode: 1, gates: 1, kept: 1 },
  { mode: 2, gates: 4, kept: 5 },
  { mode: 3, gates: 3, kept: 6 },
];
const cellOf = (mode: number) => CELLS.find((cell) => cell.mode === mode) ?? CELLS[0];
const directions = (s: RecurrentShape): number => (s.bidirectional ? 2 : 1);

const DESCRIPTOR_BYTES = 256;

/** What is kept for backward: each cell's numbers, what goes from layer to layer and, with dropout, a copy of it and one bit for each number. */
export function recurrentReserve(s: RecurrentShape): number {
  const wide = s.rows * s.hidden_size * directions(s);
  const between = s.num_layers - 1;
  const cells = wide * s.num_layers * cellOf(s.mode).kept * s.itemBytes;
  const mask = s.dropout > 0 ? Math.ceil(wide / 8) : 0;
  return cells + between * (wide * s.itemBytes + mask) + DESCRIPTOR_BYTES;
}

/** A stream of the matrix library for each layer and direction. */
const STREAM_BYTES = 8 * MIB;
/** Products are divided over the card for some shapes: no recorded workspace is above half as much again and this. */
const MOST_MORE_BYTES = 32 * MIB;

/** The workspace of forward, and of both calls of backward: gates of all steps, and the weights twice. */
export const recurrentWorkspace = (s: RecurrentShape): number =>
  STREAM_BYTES * s.num_layers * directions(s) +
  s.rows * s.hidden_size * directions(s) * s.num_layers * cellOf(s.mode).gates * s.itemBytes +
  2 * s.weights * s.itemBytes;

/** Takes the workspace; the function gives it back. */
export function takeRecurrentWorkspace(k: Kernel, s: RecurrentShape): () => void {
  if (!k.temporaries || k.gpu.otherAllocator !== null) return () => {};
  const bytes = recurrentWorkspace(s);
  k.assume("recurrent_workspace", {
    library: "cuDNN",
    lowBytes: 0,
    workspaceBytes: bytes,
    highBytes: Math.round(1.5 * bytes) + MOST_MORE_BYTES,
  });
  return k.scratch(bytes, "recurrent_workspace");
}

/** States of the generators: so many on each multiprocessor. */
export const dropoutState = (gpu: GpuRow): number => 49_152 * gpu.smCount;

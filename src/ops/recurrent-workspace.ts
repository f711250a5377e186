/**
 * What cuDNN's recurrent kernel takes: what it keeps for backward, its workspace, and the state of its dropout. Sizes are those of one card (test/record:
 * H100, PyTorch 2.11, cuDNN 9.19; recurrent layers of ops-convolution, ops-libraries and ops-matrix, and of two recipes): the first and the last are exact
 * there, the workspace to 0.001 % for 130 of 133 shapes and within 1 % for the others.
 */

import { MIB } from "../base/bytes.ts";
import type { GpuRow } from "../gpus/catalogue.ts";
import type { Kernel } from "./row.ts";

export interface RecurrentShape {
  /** cuDNN's number of the kind. */
  readonly mode: number;
  /** Steps of all sequences together. */
  readonly rows: number;
  /** Sequences. */
  readonly batch: number;
  readonly input_size: number;
  readonly hidden_size: number;
  readonly proj_size: number;
  readonly num_layers: number;
  readonly bidirectional: boolean;
  /** Sequences of different lengths, one after the other. */
  readonly packed: boolean;
  readonly dropout: number;
  /** Elements of all matrices; biases are not copied. */
  readonly matrices: number;
  /** The name of its numbers' type. */
  readonly dtype: string;
  readonly itemBytes: number;
}

interface Cell {
  /** cuDNN's number. */
  readonly mode: number;
  /** Numbers that backward needs of each hidden unit and step. */
  readonly kept: number;
  /** Numbers of each hidden unit while the steps are gone through, one way and both ways. */
  readonly steps: readonly [number, number];
  /** Numbers of each hidden unit for each sequence, meanwhile. */
  readonly states: readonly [number, number];
  /** The same in the kernels that keep a small state on the chip. Only known where they decide. */
  readonly staying?: { readonly steps: readonly [number, number]; readonly states: readonly [number, number] };
  /** What those kernels hold more of each hidden unit and step for the products over all steps. */
  readonly stayingProducts: number;
  /** For each sequence, for the products over all steps. */
  readonly productStates: number;
  /** Hidden units up to which PyTorch asks for those kernels, forward and backward. */
  readonly small: readonly [number, number];
}

const PLAIN = {
  kept: 1,
  steps: [4, 12],
  states: [5, 7],
  stayingProducts: 9,
  productStates: 5,
  small: [384, 256],
} as const;
const CELLS: readonly Cell[] = [
  { mode: 0, ...PLAIN },
  { mode: 1, ...PLAIN },
  {
    mode: 2,
    kept: 5,
    steps: [5, 14],
    states: [10, 12],
    staying: { steps: [21, 30], states: [8, 9] },
    stayingProducts: 12,
    productStates: 11,
    small: [192, 128],
  },
  { mode: 3, kept: 6, steps: [4, 12], states: [5, 7], stayingProducts: 14, productStates: 5, small: [192, 128] },
];
const cellOf = (mode: number): Cell => CELLS.find((cell) => cell.mode === mode) ?? CELLS[0]!;
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

/** Whether the card is one on which PyTorch asks for kernels of 16 bits that stay on the chip: cudnn/RNN.cpp, use_persist_device_heuristics. */
function staysInHalf(s: RecurrentShape, gpu: GpuRow): boolean {
  const { batch, mode, hidden_size: hidden } = s;
  if (gpu.sm < 80) {
    const steps = s.rows / batch;
    const most = steps >= 40 ? 128 : steps >= 20 ? 96 : steps >= 10 ? 32 : 0;
    return gpu.sm === 70 && ((batch % 16 === 0 && batch !== 80 && batch !== 112) || batch === 8) && batch <= most;
  }
  if (gpu.sm % 10 === 6 || gpu.smCount < 98 || mode === 3 || batch % 8 !== 0 || batch > 128) return false;
  return mode === 2 || batch < 96 || hidden < 896;
}

/** Whether the kernels keep their state on the chip: cudnn/RNN.cpp, get_algo. cuDNN has none for bfloat16 and takes the standard ones (as recorded). */
function stays(s: RecurrentShape, gpu: GpuRow, pass: "forward" | "backward"): boolean {
  if (s.proj_size !== 0 || s.packed || s.itemBytes > 4 || s.dtype === "bfloat16" || gpu.sm < 60) return false;
  const [forward, backward] = cellOf(s.mode).small;
  if (s.hidden_size <= (pass === "forward" ? forward : backward)) return true;
  const plain = s.num_layers === 1 && !s.bidirectional && s.hidden_size <= 1024;
  const round = s.hidden_size % 128 === 0 && s.input_size % 128 === 0;
  return s.itemBytes === 2 && plain && round && staysInHalf(s, gpu);
}

/** A stream of the matrix library for each layer and direction. */
const STREAM_BYTES = 8 * MIB;
/** Pointers to the states of each sequence. */
const POINTERS_BYTES = 8;

/**
 * Elements beside the matrices: what is larger of going through the steps and of the products over all of them. The first holds the input once,
 * the second two or three times, as one of its buffers holds what is wider, input or state.
 */
function recurrentElements(s: RecurrentShape, staying: boolean): number {
  const cell = cellOf(s.mode);
  const ways = directions(s);
  const deep = s.num_layers > 1;
  const wide = s.rows * s.hidden_size;
  const read = s.rows * s.input_size;
  const state = s.batch * s.hidden_size;
  if (s.packed) return 3 * ways * wide + 2 * read + 6 * s.num_layers * ways * state;
  const { steps, states } = (staying ? cell.staying : undefined) ?? cell;
  const going = steps[ways - 1]! * wide + read + states[ways - 1]! * s.num_layers * ways * state;
  const dropped = s.dropout > 0 && deep ? wide : 0;
  const linear = (3 * ways + (staying ? cell.stayingProducts : 0)) * wide;
  const wider = Math.max(wide, read);
  const sequence = cell.productStates + (s.bidirectional ? 2 : staying ? 1 : 0);
  const products = linear + sequence * s.num_layers * ways * state;
  let buffers = ways * (2 * read + wider);
  if (deep && s.bidirectional) buffers = 2 * wide + 2 * read + 4 * wider;
  else if (deep) buffers = staying ? wide + buffers : read + Math.max(wide, 2 * read);
  return Math.max(going + dropped, products + buffers);
}

/** The workspace of a call: of forward, or of one of the two of backward. */
export function recurrentWorkspace(s: RecurrentShape, gpu: GpuRow, pass: "forward" | "backward"): number {
  const elements = s.matrices + recurrentElements(s, stays(s, gpu, pass));
  const pointers = DESCRIPTOR_BYTES + (s.packed ? 0 : POINTERS_BYTES * s.batch);
  return STREAM_BYTES * s.num_layers * directions(s) + pointers + elements * s.itemBytes;
}

/** Other cards and releases may choose other kernels: no recorded workspace of another kernel is above half as much again and this. */
const MOST_MORE_BYTES = 32 * MIB;

/** Takes the workspace; the function gives it back. */
export function takeRecurrentWorkspace(k: Kernel, s: RecurrentShape, pass: "forward" | "backward"): () => void {
  if (!k.temporaries || k.gpu.otherAllocator !== null) return () => {};
  const bytes = recurrentWorkspace(s, k.gpu, pass);
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

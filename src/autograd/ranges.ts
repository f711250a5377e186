/** A record of what ran inside what, for profilers: ranges (operators, graph nodes, what the program names) with their memory. */

import type { Tensor } from "../tensor/tensor.ts";

export type RangeKind = "op" | "node" | "user" | "memory";

/** One range; what happened in inner ranges is theirs. */
export interface RangeRow {
  readonly name: string;
  readonly kind: RangeKind;
  /** Index of the range around it, or -1. */
  readonly parent: number;
  /** Index into the trace's frames, or -1. */
  readonly frame: number;
  /** Index into the trace's modules, or -1. */
  readonly module: number;
  /** Shape of each argument that is a tensor, in order; a list of tensors is a list. */
  readonly shapes: readonly unknown[];
  /** Numbers of the tensors that went in and came out. */
  readonly inputs: readonly number[];
  outputs: readonly number[];
  outputShapes: readonly (readonly number[])[];
  outputTypes: readonly string[];
  /** Counts what happened: beginnings, ends, and changes of memory. */
  readonly start: number;
  end: number;
  cpuBytes: number;
  cudaBytes: number;
}

/** A change of memory: when, where, how much, and how much is in use afterwards. */
export type MemoryRow = readonly [
  tick: number,
  device: "cpu" | "cuda",
  bytes: number,
  totalBytes: number,
  range: number,
];

const isTensor = (value: unknown): value is Tensor =>
  typeof value === "object" && value !== null && "storage" in value && "sizes" in value;

function shapesOf(args: readonly unknown[]): unknown[] {
  return args.map((value) => {
    if (isTensor(value)) return value.sizes;
    return Array.isArray(value) && value.some(isTensor) ? shapesOf(value) : [];
  });
}

const tensorsOf = (values: unknown): Tensor[] => [values].flat(2).filter(isTensor);

export class RangeRecorder {
  readonly rows: RangeRow[] = [];
  readonly memory: MemoryRow[] = [];
  private readonly open: number[] = [];
  private tick = 0;
  private cpuBytes = 0;

  begin(name: string, kind: RangeKind, frame: number, module: number, args: readonly unknown[] = []): void {
    const inputs = tensorsOf(args);
    this.open.push(
      this.rows.push({
        name,
        kind,
        parent: this.open.at(-1) ?? -1,
        frame,
        module,
        shapes: shapesOf(args),
        inputs: inputs.map((tensor) => tensor.id),
        outputs: [],
        outputShapes: [],
        outputTypes: [],
        start: this.tick++,
        end: -1,
        cpuBytes: 0,
        cudaBytes: 0,
      }) - 1,
    );
  }

  end(result: unknown = null): void {
    const index = this.open.pop();
    if (index === undefined) return;
    const row = this.rows[index]!;
    const outputs = tensorsOf(result);
    row.outputs = outputs.map((tensor) => tensor.id);
    row.outputShapes = outputs.map((tensor) => [...tensor.sizes]);
    row.outputTypes = outputs.map((tensor) => tensor.dtype.name);
    row.end = this.tick++;
  }

  /** Memory was taken (or given back: negative); outside of all ranges it is a row of its own. */
  changed(device: "cpu" | "cuda", bytes: number, deviceBytes: number, frame: number): void {
    let index = this.open.at(-1);
    if (index === undefined) {
      this.begin("[memory]", "memory", frame, -1);
      index = this.open.at(-1)!;
      this.end();
    }
    const row = this.rows[index]!;
    if (device === "cpu") {
      this.cpuBytes += bytes;
      row.cpuBytes += bytes;
    } else row.cudaBytes += bytes;
    this.memory.push([this.tick++, device, bytes, device === "cpu" ? this.cpuBytes : deviceBytes, index]);
  }
}

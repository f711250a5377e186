/** What recorded files say about the machine that they were recorded on: memory outside the allocator, and library workspaces. */

import { findGpu } from "../gpus/catalogue.ts";
import type { Measurement } from "../gpus/profile.ts";
import type { Trace } from "../trace/model.ts";
import type { ReadingFact, Readings } from "../trace/readings.ts";
import { figuresOfReadings, figuresOfTrace, type Figure } from "./figures.ts";
import type { Source } from "./readings.ts";

export interface Learned {
  readonly measurements: readonly Measurement[];
  readonly cublasWorkspaceBytes: number | null;
  /** GPU id, where the file names a GPU of the catalogue. */
  readonly gpu: string | null;
  readonly driver: string | null;
  readonly torch: string | null;
}

/** Names of facts that a recorder takes right after CUDA has started. */
const AT_START = { process: "process after the start of CUDA", reserved: "reserved at the start of CUDA" } as const;

const find = (figures: readonly Figure[], quantity: Figure["quantity"], peak: boolean) =>
  figures.find((figure) => figure.quantity === quantity && figure.peak === peak);

/** The file's own reserved bytes count; else those of the prediction, as the same program reserves as much. */
export function learnFrom(file: string, recorded: Source, predicted: Source | null): Learned {
  if ("trace" in recorded) {
    const { trace } = recorded;
    return {
      ...NOTHING,
      cublasWorkspaceBytes: workspaceIn(trace),
      gpu: gpuId(trace.gpu),
      torch: versionOf(trace.torch),
    };
  }
  const { readings } = recorded;
  const note = (name: string): string | null => {
    const value = readings.notes.find((entry) => entry.name === name)?.value;
    return value === undefined ? null : String(value);
  };
  const figures = figuresOfReadings(withoutStart(readings));
  const work =
    atWork(file, figures, figures) ?? (predicted === null ? null : atWork(file, figures, figuresOf(predicted)));
  const start = atStart(file, readings.facts);
  return {
    measurements: [...(start === null ? [] : [start]), ...(work === null ? [] : [work])],
    cublasWorkspaceBytes: null,
    gpu: gpuId(note("gpu") ?? ""),
    driver: note("driver"),
    torch: versionOf(note("torch") ?? ""),
  };
}

const NOTHING: Learned = { measurements: [], cublasWorkspaceBytes: null, gpu: null, driver: null, torch: null };

function figuresOf(source: Source): Figure[] {
  return "trace" in source ? figuresOfTrace(source.trace, null) : figuresOfReadings(source.readings);
}

/** What is true of the start says nothing about the program's work. */
function withoutStart(readings: Readings): Readings {
  return { ...readings, facts: readings.facts.filter(({ name }) => name !== AT_START.process) };
}

/** Both at the same moment where the files say so, else both at their highest: caches keep what was reserved. */
function atWork(file: string, recorded: readonly Figure[], reservedIn: readonly Figure[]): Measurement | null {
  for (const peak of [false, true]) {
    const process = find(recorded, "process", peak);
    const reserved = find(reservedIn, "reserved", peak);
    if (process === undefined || reserved === undefined || process.bytes < reserved.bytes) continue;
    const contextBytes = process.bytes - reserved.bytes;
    return { file, contextBytes, roundingBytes: process.roundingBytes + reserved.roundingBytes, when: "work" };
  }
  return null;
}

function atStart(file: string, facts: readonly ReadingFact[]): Measurement | null {
  const process = facts.find(({ name }) => name === AT_START.process);
  const reserved = facts.find(({ name }) => name === AT_START.reserved);
  if (process === undefined || reserved === undefined || process.bytes < reserved.bytes) return null;
  const { roundingBytes } = process;
  return { file, contextBytes: process.bytes - reserved.bytes, roundingBytes, when: "start" };
}

/** Size of the blocks that stay as library workspaces, where all have the same; null where none are recognised. */
function workspaceIn(trace: Trace): number | null {
  const sizes = new Set<number>();
  for (const block of trace.blocks) {
    const isKept = block.freeEvent === -1 && block.category === "workspace";
    if (isKept && block.note?.startsWith("cublas_workspace") === true) sizes.add(block.requestedBytes);
  }
  const [size] = sizes;
  return sizes.size === 1 ? size! : null;
}

function gpuId(name: string): string | null {
  const gpu = name === "" ? null : findGpu(name);
  return gpu !== null && gpu.ok ? gpu.value.id : null;
}

function versionOf(text: string): string | null {
  return /^\d+\.\d+/.exec(text)?.[0] ?? null;
}

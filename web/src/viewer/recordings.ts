/** The recordings that are open, the one that is shown, and the file that is being read, as signals. */

import { batch, computed, signal } from "@preact/signals";
import type { Diagnostic } from "../../../src/base/diagnostic.ts";
import type { ReportFacts } from "../../../src/report/facts.ts";
import type { Assumption, Trace } from "../../../src/trace/model.ts";
import type { Readings } from "../../../src/trace/readings.ts";
import type { ChartBase } from "../chart/chart-data.ts";
import { createSelection, type Selection } from "../chart/selection.ts";
import { lastRun } from "../state/last-run.ts";
import { receiveTrace } from "./crossing.ts";
import type { FromReader, ToReader } from "./open-protocol.ts";

export interface OpenTrace {
  readonly trace: Trace;
  readonly facts: ReportFacts;
  readonly base: ChartBase;
  readonly selection: Selection;
}

export interface Recording {
  readonly id: number;
  readonly name: string;
  readonly file: File;
  readonly format: string;
  readonly title: string;
  readonly device: number | null;
  readonly trace: OpenTrace | null;
  readonly readings: Readings | null;
  readonly notes: readonly Assumption[];
}

export interface Reading {
  readonly name: string;
  readonly stage: "reading" | "unpacking" | "explaining";
  readonly bytes: number;
  readonly totalBytes: number;
}

export type Failure =
  | { readonly name: string; readonly file: File; readonly diagnostic: Diagnostic }
  | { readonly name: string; readonly file: File; readonly reason: string }
  | { readonly name: string; readonly folder: true }
  | { readonly gone: true };

export const recordings = signal<readonly Recording[]>([]);
const shownId = signal(-1);
export const shown = computed(() => recordings.value.find(({ id }) => id === shownId.value) ?? null);
export const reading = signal<Reading | null>(null);
export const failures = signal<readonly Failure[]>([]);

/** What is laid over: the id of a recording, `run` for the playground's last run, or null. */
export const overlay = signal<number | "run" | null>(null);

/** What can be compared: every block, or figures only. */
export interface Compared {
  readonly name: string;
  readonly trace: Trace | null;
  readonly readings: Readings | null;
}

export const overlaid = computed((): Compared | null => {
  const chosen = overlay.value;
  if (chosen === "run") {
    const run = lastRun.value;
    return run === null ? null : { name: run.name, trace: run.trace, readings: null };
  }
  const found = recordings.value.find(({ id }) => id === chosen);
  if (found === undefined || found === shown.value) return null;
  return { name: found.name, trace: found.trace?.trace ?? null, readings: found.readings };
});

export interface Wanted {
  readonly device?: number | null;
  readonly format?: string | null;
}

interface Order {
  readonly file: File;
  readonly wanted: Wanted;
  /** Takes the place of this recording. */
  readonly replaces: number | null;
}

let nextId = 0;
let waiting: Order[] = [];
let stopReader: (() => void) | null = null;

/** Reads files one after another; what is open stays open. */
export function openFiles(files: readonly File[], wanted: Wanted = {}): void {
  waiting.push(...files.map((file) => ({ file, wanted, replaces: null })));
  if (stopReader === null) next();
}

/** Reads the same file again, for another of its devices. */
export function reopen(recording: Recording, wanted: Wanted): void {
  waiting.push({ file: recording.file, wanted, replaces: recording.id });
  if (stopReader === null) next();
}

/** Ends the reading of all files that are not open yet. */
export function cancel(): void {
  waiting = [];
  stopReader?.();
  stopReader = null;
  reading.value = null;
}

export function close(id: number): void {
  batch(() => {
    const place = recordings.value.findIndex((recording) => recording.id === id);
    recordings.value = recordings.value.filter((recording) => recording.id !== id);
    if (overlay.value === id) overlay.value = null;
    if (shownId.value === id) show(recordings.value[Math.max(0, place - 1)]?.id ?? -1);
  });
}

export function show(id: number): void {
  batch(() => {
    shownId.value = id;
    if (overlay.value === id) overlay.value = null;
  });
}

export function fail(failure: Failure): void {
  failures.value = [...failures.value, failure];
}

function next(): void {
  const order = waiting.shift();
  if (order === undefined) return;
  const { file, wanted } = order;
  const worker = new Worker(new URL("./open-worker.ts", import.meta.url), { type: "module", name: "reader" });
  reading.value = { name: file.name, stage: "reading", bytes: 0, totalBytes: file.size };
  const done = (): void => {
    worker.terminate();
    stopReader = null;
    reading.value = null;
    next();
  };
  stopReader = () => worker.terminate();
  worker.addEventListener("message", ({ data }: MessageEvent<FromReader>) => {
    if (data.type === "progress") {
      reading.value = { name: file.name, stage: data.stage, bytes: data.bytes, totalBytes: file.size };
      return;
    }
    batch(() => {
      if (data.type === "opened") add(order, data);
      else if (data.type === "refused") fail({ name: file.name, file, diagnostic: data.diagnostic });
      else fail({ name: file.name, file, reason: data.reason });
      done();
    });
  });
  worker.addEventListener("error", (event) => {
    fail({ name: file.name, file, reason: event.message || "Worker" });
    done();
  });
  const message: ToReader = { file, name: file.name, device: wanted.device ?? null, format: wanted.format ?? null };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of workers
  worker.postMessage(message);
}

function traceOf({ trace: parts }: Extract<FromReader, { type: "opened" }>): OpenTrace | null {
  if (parts === null) return null;
  const trace = receiveTrace(parts.crossing);
  return { trace, facts: parts.facts, base: parts.base, selection: createSelection(trace, parts.base.peak) };
}

function add({ file, wanted, replaces }: Order, opened: Extract<FromReader, { type: "opened" }>): void {
  const { format, title, readings, notes } = opened;
  const recording: Recording = {
    id: replaces ?? nextId++,
    name: file.name,
    file,
    format,
    title,
    device: wanted.device ?? null,
    trace: traceOf(opened),
    readings,
    notes,
  };
  const others = recordings.value.filter(({ id }) => id !== recording.id);
  recordings.value =
    replaces === null
      ? [...others, recording]
      : recordings.value.map((open) => (open.id === replaces ? recording : open));
  // a second file is most likely meant to be compared with the first
  if (others.length === 1 && replaces === null && shown.value !== null) overlay.value = recording.id;
  else shownId.value = recording.id;
}

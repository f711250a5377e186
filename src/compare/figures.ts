/** What a trace or readings say as single figures, in the same words, so that one can be held against the other. */

import type { ContextBytes } from "../gpus/row.ts";
import { forEachAlive } from "../trace/composition.ts";
import type { Category, Trace } from "../trace/model.ts";
import { peakEvent } from "../trace/queries.ts";
import type { Quantity, ReadingFact, Readings, ReadingSeries } from "../trace/readings.ts";
import { allocatedAt, highestMoment, requestedAt, reservedAt, wholeOf } from "./side.ts";

export interface Figure {
  readonly quantity: Quantity;
  /** The highest value, or that at one moment: the last one. */
  readonly peak: boolean;
  /** The tool's word for it; empty for a trace. */
  readonly name: string;
  readonly bytes: number;
  /** Where the figure is an interval; equal to `bytes` otherwise. */
  readonly lowBytes: number;
  readonly highBytes: number;
  readonly roundingBytes: number;
  /** The highest of samples, between which there may have been more. */
  readonly isSampled: boolean;
}

const exact = (quantity: Quantity, peak: boolean, bytes: number): Figure => ({
  quantity,
  peak,
  name: "",
  bytes,
  lowBytes: bytes,
  highBytes: bytes,
  roundingBytes: 0,
  isSampled: false,
});

/** Bytes of some categories that are alive after an event. */
function bytesOf(trace: Trace, event: number, categories: readonly Category[]): number {
  let sum = 0;
  forEachAlive(trace, event, (block) => {
    if (categories.includes(block.category)) sum += block.bytes;
  });
  return sum;
}

/** The largest workspace that a library may have taken for a moment, which the trace leaves open. */
function openWorkspaceBytes(trace: Trace): number {
  return Math.max(0, ...trace.assumptions.map((entry) => Number(entry.args["highBytes"] ?? 0)));
}

export function figuresOfTrace(trace: Trace, context: ContextBytes | null): Figure[] {
  const side = wholeOf(trace);
  const last = side.end - 1;
  const peak = peakEvent(trace);
  const peakBytes = allocatedAt(trace, highestMoment(side, "allocatedBytes"));
  const reservedPeakBytes = reservedAt(trace, highestMoment(side, "reservedBytes"));
  const weights = bytesOf(trace, peak, ["parameter", "buffer"]);
  const cache = bytesOf(trace, peak, ["kv_cache"]);
  return [
    { ...exact("allocated", true, peakBytes), highBytes: peakBytes + openWorkspaceBytes(trace) },
    exact("allocated", false, allocatedAt(trace, last)),
    exact("requested", true, requestedAt(trace, peak)),
    exact("reserved", true, reservedPeakBytes),
    exact("reserved", false, reservedAt(trace, last)),
    ...(context === null
      ? []
      : [withContext(true, reservedPeakBytes, context), withContext(false, reservedAt(trace, last), context)]),
    ...(weights > 0 ? [exact("weights", false, weights)] : []),
    ...(cache > 0 ? [exact("kv_cache", false, cache)] : []),
  ];
}

function withContext(peak: boolean, reservedBytes: number, context: ContextBytes): Figure {
  return {
    ...exact("process", peak, reservedBytes + context.expectedBytes),
    lowBytes: reservedBytes + context.lowBytes,
    highBytes: reservedBytes + context.highBytes,
  };
}

/** Of these a log may name parts. */
const IN_PARTS: ReadonlySet<Quantity> = new Set(["weights", "kv_cache", "activations", "graphs", "compute_buffer"]);

/** Memory of the machine, sizes of devices and whatever has no quantity are nothing that a program is predicted to use. */
const IGNORED: ReadonlySet<Quantity> = new Set(["host", "device_total", "device_free", "other"]);

/** Which process and device the readings are of: those with the highest figure. */
export interface Subject {
  readonly process: number;
  readonly device: number;
}

const highestOf = ({ bytes }: ReadingSeries): number => bytes.reduce((most, value) => Math.max(most, value), 0);

export function subjectOf({ series, facts, notes }: Readings): Subject {
  const named = notes.find(({ name }) => name === "process")?.value;
  const candidates = [
    ...series.filter(({ quantity }) => quantity === "process").map((entry) => ({ ...entry, most: highestOf(entry) })),
    ...facts.filter(({ quantity }) => quantity === "process").map((entry) => ({ ...entry, most: entry.bytes })),
  ].filter(({ process }) => typeof named !== "number" || process === named || process === -1);
  const best = candidates.sort((a, b) => b.most - a.most)[0];
  return { process: best?.process ?? -1, device: best?.device ?? -1 };
}

const concerns =
  (subject: Subject) =>
  (entry: { readonly process: number; readonly device: number }): boolean =>
    (entry.process === -1 || subject.process === -1 || entry.process === subject.process) &&
    (entry.device === -1 || subject.device === -1 || entry.device === subject.device);

/** Facts of an error text, as their reader names them. */
const FAILED_REQUEST = "tried to allocate";
const FREE_INSIDE = "reserved but unallocated";

/** Of a failed request: what was allocated then is the most there was, and with what was free inside it is what was reserved. */
function factsOf({ facts }: Readings): readonly ReadingFact[] {
  if (!facts.some(({ name }) => name === FAILED_REQUEST)) return facts;
  const atPeak = facts.map((fact) => ({ ...fact, peak: true }));
  const allocated = atPeak.find(({ quantity }) => quantity === "allocated");
  const free = atPeak.find(({ name }) => name === FREE_INSIDE);
  if (allocated === undefined || free === undefined || atPeak.some(({ quantity }) => quantity === "reserved"))
    return atPeak;
  const bytes = allocated.bytes + free.bytes;
  const roundingBytes = allocated.roundingBytes + free.roundingBytes;
  return [
    ...atPeak,
    { ...allocated, quantity: "reserved", name: `${allocated.name} + ${free.name}`, bytes, roundingBytes },
  ];
}

export function figuresOfReadings(readings: Readings): Figure[] {
  const subject = subjectOf(readings);
  const figures: Figure[] = [];
  for (const series of readings.series.filter(concerns(subject))) {
    if (series.bytes.length === 0 || IGNORED.has(series.quantity)) continue;
    const { quantity, roundingBytes, label: name } = series;
    // the last sample is no certain moment of the program
    figures.push({ ...exact(quantity, true, highestOf(series)), name, roundingBytes, isSampled: true });
  }
  const inParts = new Map<Quantity, ReadingFact[]>();
  for (const fact of factsOf(readings).filter(concerns(subject))) {
    const { quantity, name, bytes, peak, roundingBytes } = fact;
    if (IN_PARTS.has(quantity)) inParts.set(quantity, [...(inParts.get(quantity) ?? []), fact]);
    else if (!IGNORED.has(quantity)) figures.push({ ...exact(quantity, peak, bytes), name, roundingBytes });
  }
  for (const [quantity, facts] of inParts) figures.push(partsOf(quantity, facts));
  return unique(figures);
}

/**
 * What one line of a log names are parts of one thing, unless one of them is the sum of the others; of several lines the largest
 * figure counts: what a whole device has, not what one sequence would need.
 */
function partsOf(quantity: Quantity, facts: readonly ReadingFact[]): Figure {
  const lines = new Map<number, ReadingFact[]>();
  facts.forEach((fact, index) => {
    const line = fact.line === -1 ? -1 - index : fact.line;
    lines.set(line, [...(lines.get(line) ?? []), fact]);
  });
  const statements = [...lines.values()].map((parts): Figure => {
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    const roundingBytes = parts.reduce((sum, part) => sum + part.roundingBytes, 0);
    const total = parts.find((part) => parts.length > 2 && Math.abs(bytes - 2 * part.bytes) <= roundingBytes);
    const whole = total ?? { bytes, roundingBytes, name: parts.map((part) => part.name).join(" + ") };
    return { ...exact(quantity, false, whole.bytes), name: whole.name, roundingBytes: whole.roundingBytes };
  });
  return statements.reduce((most, statement) => (statement.bytes > most.bytes ? statement : most));
}

/** Of several figures of the same thing: the highest peak, the last value. */
function unique(figures: readonly Figure[]): Figure[] {
  const known = new Map<string, Figure>();
  for (const figure of figures) {
    const key = `${figure.quantity} ${figure.peak}`;
    const other = known.get(key);
    if (other === undefined || !figure.peak || figure.bytes > other.bytes) known.set(key, figure);
  }
  return [...known.values()];
}

/** Name of the fact that says what a device had in use before the program began. */
export const USED_BEFORE = "memory.used before the command";

/** What others have on the subject's device: their processes at their highest, or what was in use before; 0 when nothing says so. */
export function otherProcessesBytes(readings: Readings): number {
  const subject = subjectOf(readings);
  const others = readings.series.filter(
    ({ quantity, process, device }) =>
      quantity === "process" && process !== subject.process && process !== -1 && device === subject.device,
  );
  const before = readings.facts.filter(({ name }) => name === USED_BEFORE).filter(concerns(subject));
  return Math.max(
    others.reduce((sum, series) => sum + highestOf(series), 0),
    ...before.map(({ bytes }) => bytes),
    0,
  );
}

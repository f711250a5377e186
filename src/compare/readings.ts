/** Figures of a prediction held against those of readings: each difference by what may cause it, and what nothing explains. */

import type { ContextBytes } from "../gpus/row.ts";
import type { Trace } from "../trace/model.ts";
import type { Quantity, ReadingNote, Readings } from "../trace/readings.ts";
import { CauseTable, type Cause } from "./causes.ts";
import { figuresOfReadings, figuresOfTrace, otherProcessesBytes, type Figure } from "./figures.ts";
import { compareLines, type LineComparison } from "./lines.ts";

/** What was predicted, or recorded: every block, or figures only. */
export type Source = { readonly trace: Trace } | { readonly readings: Readings };

export interface FigurePair {
  readonly quantity: Quantity;
  readonly peak: boolean;
  /** The word of the tool that recorded it; may be empty. */
  readonly name: string;
  readonly predicted: Figure;
  readonly recorded: Figure;
  /** Causes of recorded minus predicted; their bytes add up to it. */
  readonly causes: readonly Cause[];
}

/** Something that is counted, not measured in bytes: tokens that fit into a cache. */
export interface CountPair {
  readonly name: string;
  readonly predicted: number;
  readonly recorded: number;
}

export interface ReadingsComparison {
  readonly kind: "readings";
  readonly predictedName: string;
  readonly recordedName: string;
  readonly pairs: readonly FigurePair[];
  readonly counts: readonly CountPair[];
  /** By source line, where the recording has that; null otherwise. */
  readonly lines: LineComparison | null;
  /** What was recorded and the prediction says nothing about. */
  readonly unpaired: readonly Figure[];
  /** The most in any pair. */
  readonly unexplainedBytes: number;
}

const isTrace = (source: Source): source is { readonly trace: Trace } => "trace" in source;
const nameOf = (source: Source): string => (isTrace(source) ? source.trace.program : source.readings.program);
const notesOf = (source: Source): readonly ReadingNote[] => (isTrace(source) ? [] : source.readings.notes);

function figuresOf(source: Source, context: ContextBytes | null): Figure[] {
  return isTrace(source) ? figuresOfTrace(source.trace, context) : figuresOfReadings(source.readings);
}

/** `context` is what lies outside the allocator of the predicted process, null where that is not known. */
export function compareFigures(predicted: Source, recorded: Source, context: ContextBytes | null): ReadingsComparison {
  const ours = figuresOf(predicted, context);
  const theirs = figuresOf(recorded, null);
  const counts = countsOf(notesOf(predicted), notesOf(recorded));
  const known: Known = {
    cacheGetsRest: counts.length > 0,
    ours,
    theirs,
    otherBytes: isTrace(recorded) ? 0 : otherProcessesBytes(recorded.readings),
  };
  const pairs: FigurePair[] = [];
  const unpaired: Figure[] = [];
  for (const figure of theirs) {
    const partner = partnerOf(ours, figure);
    if (partner === null) unpaired.push(figure);
    else {
      pairs.push({
        quantity: figure.quantity,
        peak: figure.peak,
        name: figure.name,
        predicted: open(partner),
        recorded: figure,
        causes: causesOf(open(partner), figure, known),
      });
    }
  }
  return {
    kind: "readings",
    predictedName: nameOf(predicted),
    recordedName: nameOf(recorded),
    pairs,
    counts,
    lines: isTrace(predicted) && !isTrace(recorded) ? compareLines(predicted.trace, recorded.readings) : null,
    unpaired,
    unexplainedBytes: pairs.reduce((most, pair) => Math.max(most, unexplainedIn(pair.causes)), 0),
  };
}

const unexplainedIn = (causes: readonly Cause[]): number =>
  causes.reduce((sum, { code, bytes }) => sum + (code === "unexplained" ? Math.abs(bytes) : 0), 0);

interface Known {
  readonly ours: readonly Figure[];
  readonly theirs: readonly Figure[];
  readonly otherBytes: number;
  /** The recording counts tokens that fit: its cache was given what was left. */
  readonly cacheGetsRest: boolean;
}

function find(figures: readonly Figure[], quantity: Quantity, peak: boolean): Figure | undefined {
  return figures.find((figure) => figure.quantity === quantity && figure.peak === peak);
}

/** A prediction's own rounding is an interval like any other. */
function open(figure: Figure): Figure {
  const { lowBytes, highBytes, roundingBytes } = figure;
  return { ...figure, lowBytes: lowBytes - roundingBytes, highBytes: highBytes + roundingBytes, roundingBytes: 0 };
}

/** A device's use is compared with what the one process is predicted to use of it. */
function partnerOf(ours: readonly Figure[], figure: Figure): Figure | null {
  const { quantity, peak } = figure;
  const same = find(ours, quantity, peak);
  if (same !== undefined) return same;
  if (quantity === "device_used") return find(ours, "process", peak) ?? null;
  // parts that stay as they are have no peak of their own
  const isPart = quantity === "weights" || quantity === "kv_cache";
  return isPart ? (find(ours, quantity, !peak) ?? null) : null;
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

function causesOf(ours: Figure, theirs: Figure, known: Known): Cause[] {
  const table = new CauseTable();
  let rest = theirs.bytes - ours.bytes;
  const take = (code: Parameters<CauseTable["add"]>[0], bytes: number): void => {
    table.addBytes(code, bytes);
    rest -= bytes;
  };
  if (Math.abs(rest) <= theirs.roundingBytes) {
    take("precision", rest);
    return table.list();
  }
  const countsProcess = theirs.quantity === "process" || theirs.quantity === "device_used";
  if (countsProcess) {
    const isReservedKnown = takeReserved(theirs.peak, known, take);
    if (theirs.quantity === "device_used" && rest > 0) take("other_processes", Math.min(rest, known.otherBytes));
    take("context", clamp(rest, ours.lowBytes - ours.bytes, ours.highBytes - ours.bytes));
    if (Math.abs(rest) <= theirs.roundingBytes) take("precision", rest);
    // the allocator is accounted for, so what is left is not in it
    if (rest > 0 && isReservedKnown && theirs.quantity === "process") take("outside_allocator", rest);
  } else {
    const within = clamp(rest, ours.lowBytes - ours.bytes, ours.highBytes - ours.bytes);
    // an allocated figure is open upwards only, by the workspace that a library may have taken
    take(theirs.quantity === "allocated" && within > 0 ? "workspace" : "interval", within);
    if (Math.abs(rest) <= theirs.roundingBytes) take("precision", rest);
    if (theirs.quantity === "kv_cache") take("other_parts", towardsZero(rest, -changeOfParts(known)));
    if (rest < 0 && theirs.isSampled && theirs.quantity === "allocated") take("sampling", rest);
  }
  table.addBytes("unexplained", rest);
  return table.list();
}

/** As much of `part` as makes `rest` smaller. */
function towardsZero(rest: number, part: number): number {
  return rest > 0 ? clamp(part, 0, rest) : clamp(part, rest, 0);
}

/** What takes its share of a device before a serving engine gives the rest to its cache. */
const BEFORE_CACHE: readonly Quantity[] = ["weights", "activations", "graphs", "context"];

/** How much more than predicted the parts take that come before the cache, where tokens tell that it gets the rest. */
function changeOfParts({ ours, theirs, cacheGetsRest }: Known): number {
  if (!cacheGetsRest) return 0;
  return BEFORE_CACHE.reduce((sum, quantity) => {
    const [predicted, recorded] = [find(ours, quantity, false), find(theirs, quantity, false)];
    return predicted === undefined || recorded === undefined ? sum : sum + recorded.bytes - predicted.bytes;
  }, 0);
}

/** What differs already in reserved bytes, when both sides say how much they reserved. */
function takeReserved(
  peak: boolean,
  { ours, theirs }: Known,
  take: (code: "reserved", bytes: number) => void,
): boolean {
  const [predicted, recorded] = [find(ours, "reserved", peak), find(theirs, "reserved", peak)];
  if (predicted === undefined || recorded === undefined) return false;
  take("reserved", recorded.bytes - predicted.bytes);
  return true;
}

/** What is counted, and how the readers of logs call it. */
const COUNTS: readonly (readonly string[])[] = [
  ["KV cache tokens", "GPU KV cache tokens", "KV cache cells"],
  ["context length", "max seq len"],
];

/** Counts that both sides have; of one that a log repeats the last counts. */
function countsOf(ours: readonly ReadingNote[], theirs: readonly ReadingNote[]): CountPair[] {
  const last = (notes: readonly ReadingNote[], names: readonly string[]) =>
    notes.findLast(({ name, value }) => typeof value === "number" && names.includes(name));
  return COUNTS.flatMap((names) => {
    const [predicted, recorded] = [last(ours, names), last(theirs, names)];
    if (predicted === undefined || recorded === undefined) return [];
    return [{ name: names[0]!, predicted: Number(predicted.value), recorded: Number(recorded.value) }];
  });
}

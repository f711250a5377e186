/** Blocks that belong together: how many bytes of them live at once at the most, when, and whether that is worth a sentence. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";
import type { EventColumns, Trace } from "../trace/model.ts";
import { placeOf, type Finding, type FindingCode } from "./finding.ts";

/** A smaller share of the peak is not worth a sentence. */
const NOTABLE_SHARE = 0.05;
/** More blocks than this as evidence tell nothing new. */
const MOST_EVIDENCE = 32;

export interface Together {
  readonly bytes: number;
  /** The event after which most of them lives. */
  readonly event: number;
  /** Indexes of those that live then, in the order of their making. */
  readonly blocks: readonly number[];
}

/** Most bytes of these blocks that live at the same time; null for none. */
export function mostTogether(trace: Trace, indexes: readonly number[]): Together | null {
  const { blocks } = trace;
  const births = [...indexes].sort((a, b) => blocks[a]!.allocEvent - blocks[b]!.allocEvent);
  const deaths = indexes
    .filter((index) => blocks[index]!.freeEvent !== -1)
    .sort((a, b) => blocks[a]!.freeEvent - blocks[b]!.freeEvent);
  let bytes = 0;
  let best = { bytes: 0, event: -1 };
  let gone = 0;
  for (const index of births) {
    const { allocEvent } = blocks[index]!;
    while (gone < deaths.length && blocks[deaths[gone]!]!.freeEvent < allocEvent)
      bytes -= blocks[deaths[gone++]!]!.bytes;
    bytes += blocks[index]!.bytes;
    if (bytes > best.bytes) best = { bytes, event: allocEvent };
  }
  if (best.event === -1) return null;
  return { ...best, blocks: births.filter((index) => livesAt(trace, index, best.event)) };
}

export function livesAt(trace: Trace, index: number, event: number): boolean {
  const { allocEvent, freeEvent } = trace.blocks[index]!;
  return allocEvent <= event && (freeEvent === -1 || freeEvent > event);
}

const peaks = new WeakMap<EventColumns, number>();

/** Highest allocated bytes of the trace. */
export function peakBytesOf({ events }: Trace): number {
  let peakBytes = peaks.get(events);
  if (peakBytes === undefined) {
    peakBytes = 0;
    for (const bytes of events.allocatedBytes) if (bytes > peakBytes) peakBytes = bytes;
    peaks.set(events, peakBytes);
  }
  return peakBytes;
}

export function isNotable(trace: Trace, bytes: number, share = NOTABLE_SHARE): boolean {
  return bytes > 0 && bytes >= peakBytesOf(trace) * share;
}

/** A finding about blocks that live together, told at the line of the largest. */
export function findingOf(trace: Trace, code: FindingCode, together: Together, args: DiagnosticArgs = {}): Finding {
  const { bytes, event, blocks } = together;
  const largest = blocks.reduce((a, b) => (trace.blocks[b]!.bytes > trace.blocks[a]!.bytes ? b : a));
  const { frame } = trace.blocks[largest]!;
  return {
    code,
    args: { where: placeOf(trace, frame), totalBytes: bytes, count: blocks.length, ...args },
    parts: [],
    frame,
    event,
    blocks: blocks.slice(0, MOST_EVIDENCE),
  };
}

/** Indexes of the blocks that a test holds for, among those made while recording. */
export function blocksWhere(trace: Trace, test: (block: Trace["blocks"][number], index: number) => boolean): number[] {
  const found: number[] = [];
  trace.blocks.forEach((block, index) => {
    if (block.allocEvent !== -1 && test(block, index)) found.push(index);
  });
  return found;
}

/** Elements of a shape. */
export const elements = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

export const shapeText = (shape: readonly number[]): string => `[${shape.join(", ")}]`;

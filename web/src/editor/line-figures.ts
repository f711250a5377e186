/** What each line of one file did to memory, for the numbers beside the source. */

import { forEachAlive } from "../../../src/trace/composition.ts";
import { lineTable } from "../../../src/trace/lines.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { allocatedBefore, peakEvent } from "../../../src/trace/queries.ts";

/** Bytes; what a line called counts for the line. */
export interface LineFigures {
  /** Made here and alive when most is allocated. */
  readonly atPeakBytes: number;
  /** Allocated minus freed, over all times that the line ran. */
  readonly netBytes: number;
  /** Most that the line needed at once beyond what was there before and after it. */
  readonly temporaryBytes: number;
  /** Allocated in all when the line last did something. */
  readonly allocatedBytes: number;
  /** Highest allocated bytes while the line was at work. */
  readonly peakBytes: number;
}

export const LINE_MODES = ["atPeakBytes", "netBytes", "temporaryBytes", "allocatedBytes", "peakBytes"] as const;
export type LineMode = (typeof LINE_MODES)[number];

/** Figures by 1-based line of `file`. */
export function lineFigures(trace: Trace, file: string): ReadonlyMap<number, LineFigures> {
  const lines = linesOfFrames(trace, file);
  const atPeak = new Map<number, number>();
  forEachAlive(trace, peakEvent(trace), (block) => {
    for (const line of lines[block.frame] ?? []) atPeak.set(line, (atPeak.get(line) ?? 0) + block.bytes);
  });
  const temporary = temporaries(trace, lines);
  return new Map(
    lineTable(trace)
      .filter((row) => row.file === file)
      .map((row) => [
        row.line,
        {
          atPeakBytes: atPeak.get(row.line) ?? 0,
          netBytes: row.changeBytes,
          temporaryBytes: temporary.get(row.line) ?? 0,
          allocatedBytes: row.allocatedAfterBytes,
          peakBytes: row.peakBytes,
        },
      ]),
  );
}

/** For each frame the lines of the file that are on its stack, each once. */
function linesOfFrames(trace: Trace, file: string): readonly (readonly number[])[] {
  const lines: (readonly number[])[] = [];
  // callers come before callees
  for (const frame of trace.frames) {
    const above = lines[frame.parent] ?? [];
    lines.push(frame.file === file && !above.includes(frame.line) ? [...above, frame.line] : above);
  }
  return lines;
}

interface Visit {
  readonly beforeBytes: number;
  highestBytes: number;
  lastBytes: number;
  lastEvent: number;
}

/** A visit is a run of neighbouring events with the line on the stack. */
function temporaries(trace: Trace, lines: readonly (readonly number[])[]): Map<number, number> {
  const { frame, allocatedBytes } = trace.events;
  const most = new Map<number, number>();
  const open = new Map<number, Visit>();
  const close = (line: number, visit: Visit): void => {
    const bytes = visit.highestBytes - Math.max(visit.beforeBytes, visit.lastBytes);
    if (bytes > (most.get(line) ?? 0)) most.set(line, bytes);
  };
  let before = allocatedBefore(trace, 0);
  for (let event = 0; event < allocatedBytes.length; event++) {
    const after = allocatedBytes[event]!;
    for (const line of lines[frame[event]!] ?? []) {
      let visit = open.get(line);
      if (visit !== undefined && visit.lastEvent !== event - 1) {
        close(line, visit);
        visit = undefined;
      }
      if (visit === undefined) {
        open.set(line, (visit = { beforeBytes: before, highestBytes: after, lastBytes: after, lastEvent: event }));
      }
      if (after > visit.highestBytes) visit.highestBytes = after;
      visit.lastBytes = after;
      visit.lastEvent = event;
    }
    before = after;
  }
  for (const [line, visit] of open) close(line, visit);
  return most;
}

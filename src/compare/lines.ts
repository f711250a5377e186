/** Allocated bytes by source line: what a recorder counted after each line of a program, against the same of a prediction. */

import { lineTable } from "../trace/lines.ts";
import type { Trace } from "../trace/model.ts";
import type { Readings } from "../trace/readings.ts";

/** Label of the series that a recorder writes; its lines are those of the program. */
export const AFTER_LINE = "after line";

export interface LinePair {
  readonly line: number;
  /** Highest allocated bytes right after the line, over all times that it ran. */
  readonly predictedBytes: number;
  readonly recordedBytes: number;
}

export interface LineComparison {
  readonly file: string;
  /** Lines that both sides have. */
  readonly lines: number;
  /** Those that differ, in the order of the program. */
  readonly different: readonly LinePair[];
}

/** Null when the readings know no lines of a program. */
export function compareLines(predicted: Trace, readings: Readings): LineComparison | null {
  const series = readings.series.find(
    ({ quantity, label, lines }) => quantity === "allocated" && label === AFTER_LINE && lines !== null,
  );
  if (series === undefined || series.lines === null) return null;
  const recorded = new Map<number, number>();
  series.lines.forEach((line, sample) => {
    recorded.set(line, Math.max(recorded.get(line) ?? 0, series.bytes[sample]!));
  });
  const ours = highestAfterLines(predicted);
  const common = [...recorded].filter(([line]) => ours.has(line)).sort(([a], [b]) => a - b);
  return {
    file: predicted.program,
    lines: common.length,
    different: common.flatMap(([line, recordedBytes]) => {
      const predictedBytes = ours.get(line)!;
      return predictedBytes === recordedBytes ? [] : [{ line, predictedBytes, recordedBytes }];
    }),
  };
}

/** For each line of the program itself: the highest allocated bytes when it, with what it called, was done. */
function highestAfterLines(trace: Trace): Map<number, number> {
  const inProgram = lineTable(trace).some((row) => row.file === trace.program);
  const highest = new Map<number, number>();
  const { frame, allocatedBytes } = trace.events;
  let line = -1;
  let lastFrame = -2;
  const done = (event: number): void => {
    if (line >= 0) highest.set(line, Math.max(highest.get(line) ?? 0, allocatedBytes[event]!));
  };
  for (let event = 0; event < frame.length; event++) {
    if (frame[event] === lastFrame) continue;
    lastFrame = frame[event]!;
    const next = inProgram ? programLine(trace, lastFrame) : -1;
    if (next !== line && event > 0) done(event - 1);
    line = next;
  }
  if (frame.length > 0) done(frame.length - 1);
  return highest;
}

/** The innermost line of the program in a call stack, or -1. */
function programLine(trace: Trace, frame: number): number {
  for (let at = frame; at >= 0; at = trace.frames[at]!.parent) {
    if (trace.frames[at]!.file === trace.program) return trace.frames[at]!.line;
  }
  return -1;
}

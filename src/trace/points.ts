/** Points of a run that people name: the peak, the end, an event's number, a source line. */

import { lineTable } from "./lines.ts";
import { type Trace } from "./model.ts";
import { peakEvent } from "./queries.ts";

export type Point =
  | { readonly at: "peak" | "end" }
  | { readonly at: "event"; readonly event: number }
  | { readonly at: "line"; readonly line: number; readonly file: string | null };

/** `peak`, `end`, a number, `line:12` or `line:model.py:12`; null for anything else. */
export function parsePoint(text: string): Point | null {
  if (text === "peak" || text === "end") return { at: text };
  if (/^\d{1,10}$/.test(text)) return { at: "event", event: Number(text) };
  const match = /^line:(?:(.+):)?(\d{1,9})$/.exec(text);
  return match === null ? null : { at: "line", line: Number(match[2]), file: match[1] ?? null };
}

/** The event that a point means, or null when the trace has none such. A line means its highest moment, with all it called. */
export function eventOf(trace: Trace, point: Point): number | null {
  const count = trace.events.kind.length;
  switch (point.at) {
    case "peak":
      return count === 0 ? null : peakEvent(trace);
    case "end":
      return count === 0 ? null : count - 1;
    case "event":
      return point.event < count ? point.event : null;
    case "line":
      return highestEventOf(trace, point.file, point.line);
  }
}

function highestEventOf(trace: Trace, file: string | null, line: number): number | null {
  const matches = (path: string) => path === (file ?? trace.program) || (file !== null && path.endsWith(`/${file}`));
  if (!lineTable(trace).some((row) => row.line === line && matches(row.file))) return null;
  // callers come before callees, so one pass tells which frames are at the line or below it
  const inside = new Uint8Array(trace.frames.length);
  trace.frames.forEach((frame, index) => {
    if ((frame.line === line && matches(frame.file)) || inside[frame.parent] === 1) inside[index] = 1;
  });
  const { frame, allocatedBytes } = trace.events;
  let highest = -1;
  for (let event = 0; event < frame.length; event++) {
    if (inside[frame[event]!] !== 1) continue;
    if (highest === -1 || allocatedBytes[event]! > allocatedBytes[highest]!) highest = event;
  }
  return highest === -1 ? null : highest;
}

/**
 * The names in a trace as a report may show them. A program, a package or a file chose them; whatever makes a `Trace` from outside
 * (the program's thread, a recorded file, a saved trace) puts it through here, so that nothing later has to think of it.
 */

import { shownText } from "../base/shown-text.ts";
import type { Assumption, Trace } from "./model.ts";

/** The same list when nothing in it changes. */
function shownList(names: readonly string[]): readonly string[] {
  return names.some((name) => shownText(name) !== name) ? names.map(shownText) : names;
}

function shownArgs(args: Assumption["args"]): Assumption["args"] {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === "string" ? shownText(value) : value]),
  );
}

export function shownAssumptions(assumptions: readonly Assumption[]): readonly Assumption[] {
  return assumptions.map((entry) => ({ ...entry, code: shownText(entry.code), args: shownArgs(entry.args) }));
}

const orNull = (text: string | null): string | null => (text === null ? null : shownText(text));

/** Notes and dtypes of blocks are in millions of records: reports show those where they word them. */
export function shownTrace(trace: Trace): Trace {
  const { frames, saved, failures, marks } = trace;
  const isShown = ({ file, name }: Trace["frames"][number]): boolean =>
    shownText(file) === file && shownText(name) === name;
  return {
    ...trace,
    source: shownText(trace.source),
    program: shownText(trace.program),
    gpu: shownText(trace.gpu),
    torch: shownText(trace.torch),
    frames: frames.every(isShown)
      ? frames
      : frames.map((frame) => ({ ...frame, file: shownText(frame.file), name: shownText(frame.name) })),
    ops: shownList(trace.ops),
    modules: shownList(trace.modules),
    marks: Object.fromEntries(Object.entries(marks).map(([event, name]) => [event, shownText(name)])),
    assumptions: shownAssumptions(trace.assumptions),
    saved: { ...saved, names: shownList(saved.names) },
    failures: failures.map((failure) => ({ ...failure, dtype: orNull(failure.dtype), note: orNull(failure.note) })),
  };
}

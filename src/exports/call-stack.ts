/** Call stacks of a trace: the frames of a line from the outside in, or from the inside out. */

import type { Frame, Trace } from "../trace/model.ts";

/** Indexes from the innermost line to the outermost; empty for -1. */
export function stackFromInside(trace: Trace, frame: number): number[] {
  const stack: number[] = [];
  for (let at = frame; at >= 0; at = trace.frames[at]!.parent) stack.push(at);
  return stack;
}

/** `function (file:line)`. */
export function frameLabel({ name, file, line }: Frame): string {
  return `${name} (${file}:${line})`;
}

/**
 * The words of a block's stack from the outside in: its lines, then the operator that took it, then what it is for when
 * a note says so.
 */
export function blockStack(trace: Trace, block: { frame: number; op: number; note: string | null }): string[] {
  const words = stackFromInside(trace, block.frame)
    .reverse()
    .map((index) => frameLabel(trace.frames[index]!));
  const op = trace.ops[block.op];
  if (op !== undefined) words.push(op);
  if (block.note !== null) words.push(block.note.split(":")[0]!.replaceAll("_", " "));
  return words.length === 0 ? ["(before any line of the program)"] : words;
}

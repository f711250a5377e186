/** How a block's life ended in a run, as far as lines and operators tell: what freed it, and why then. */

import { PHASES, SAVED_ENDS, type EventColumns, type Trace } from "./model.ts";

/**
 * `end`: alive when the program ended. `operator`: a running operator gave it back. `backward`: its node ran in backward and let
 * go. `expression`: the expression that made it was done. `returned`: a function that held it returned. `rebound`: the function
 * that made it went on to a line that gave the name to something else, or deleted it. `elsewhere`: at some other line.
 * `after`: when no line of the program ran any more, as after an exception that nobody caught.
 */
export type DeathKind = "end" | "operator" | "backward" | "expression" | "returned" | "rebound" | "elsewhere" | "after";

export interface Death {
  readonly kind: DeathKind;
  /** Index of the event that freed it, or -1. */
  readonly event: number;
  /** Index into the trace's frames of the line that ran, or -1. */
  readonly frame: number;
  /** Of `backward`: the node, `SoftmaxBackward0`. */
  readonly node: string | null;
}

const BACKWARD = SAVED_ENDS.indexOf("backward");

/** Rows of {@link Trace.saved} by block. */
export function savedByBlock(trace: Trace): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  const { block } = trace.saved;
  for (let row = 0; row < block.length; row++) {
    const known = rows.get(block[row]!);
    if (known === undefined) rows.set(block[row]!, [row]);
    else known.push(row);
  }
  return rows;
}

/** @param savedRows rows of {@link Trace.saved} that mention the block */
export function deathOf(trace: Trace, index: number, savedRows: readonly number[] = []): Death {
  const block = trace.blocks[index]!;
  const event = block.freeEvent;
  if (event === -1) return { kind: "end", event, frame: -1, node: null };
  const { events, saved } = trace;
  const frame = events.frame[event]!;
  // the slot that let go just before the block went is what kept it
  const released = savedRows.find((row) => saved.end[row] === BACKWARD && saved.until[row] === event);
  if (released !== undefined) {
    return { kind: "backward", event, frame, node: saved.names[saved.node[released]!] ?? null };
  }
  const kind = ((): DeathKind => {
    if (events.op[event] !== -1 || PHASES[events.phase[event]!] === "backward") return "operator";
    return kindByLines(trace, block.frame, frame, block.allocEvent, event);
  })();
  return { kind, event, frame, node: null };
}

function kindByLines(trace: Trace, born: number, died: number, first: number, last: number): DeathKind {
  const { frames } = trace;
  if (died === -1) return "after";
  if (born === -1) return "elsewhere";
  if (under(trace, born, died)) {
    // the line was left in between: it let go when it ran again
    if (visitBefore(trace, died, last) > Math.max(first, 0)) return "rebound";
    return born === died ? "expression" : "returned";
  }
  const [made, freed] = [frames[born]!, frames[died]!];
  if (made.parent === freed.parent && made.file === freed.file && made.name === freed.name) return "rebound";
  // a line of a function that called, through others, the one that made it
  for (let frame = made.parent; frame !== -1; frame = frames[frame]!.parent) {
    const caller = frames[frame]!;
    if (caller.parent === freed.parent && caller.file === freed.file && caller.name === freed.name) return "rebound";
  }
  return "elsewhere";
}

/** The last visit of each frame that was asked for: blocks that go together are asked for one after another. */
const visitsOf = new WeakMap<EventColumns, Map<number, { first: number; last: number }>>();

/** The first event from which frame `caller` was on the stack without a break up to event `last`. */
function visitBefore(trace: Trace, caller: number, last: number): number {
  const { frame } = trace.events;
  let visits = visitsOf.get(trace.events);
  if (visits === undefined) visitsOf.set(trace.events, (visits = new Map()));
  const known = visits.get(caller);
  let first = last;
  while (first > 0 && under(trace, frame[first - 1]!, caller)) {
    first -= 1;
    if (known !== undefined && first >= known.first && first <= known.last) first = known.first;
  }
  visits.set(caller, { first, last });
  return first;
}

/** Whether a frame is another one or was called, through others, by it. */
function under(trace: Trace, frame: number, caller: number): boolean {
  let at = frame;
  // callers have lower indexes
  while (at > caller) at = trace.frames[at]!.parent;
  return at === caller;
}

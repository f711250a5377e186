/** The allocations of a stretch of a trace as a sequence of sizes, which two traces of the same program have in common. */

import { KIND } from "../trace/codes.ts";
import type { Side } from "./side.ts";

const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;

export interface Allocations {
  /** Event, block and size of allocation i. */
  readonly events: Int32Array;
  readonly blocks: Int32Array;
  readonly sizes: Float64Array;
}

/** Which size two traces can be aligned by: some recorders know only what was charged. */
export type SizeKey = "requestedBytes" | "bytes";

/** Charged bytes where one side has written down requests and the other, which never differs from them, only charges. */
export function sizeKeyOf(sides: readonly Side[]): SizeKey {
  const knowsRequests = sides.map(({ trace }) => trace.blocks.some((block) => block.bytes !== block.requestedBytes));
  return knowsRequests.includes(true) && knowsRequests.includes(false) ? "bytes" : "requestedBytes";
}

export function allocationsOf({ trace, first, end }: Side, key: SizeKey): Allocations {
  const { kind, block } = trace.events;
  let count = 0;
  for (let event = first; event < end; event++) if (kind[event] === ALLOC) count += 1;
  const events = new Int32Array(count);
  const blocks = new Int32Array(count);
  const sizes = new Float64Array(count);
  let at = 0;
  for (let event = first; event < end; event++) {
    if (kind[event] !== ALLOC) continue;
    events[at] = event;
    blocks[at] = block[event]!;
    sizes[at] = trace.blocks[block[event]!]![key];
    at += 1;
  }
  return { events, blocks, sizes };
}

/** How many blocks were given back from event `from` to before event `to`. */
export function returnsBetween({ trace }: Side, from: number, to: number): number {
  const { kind } = trace.events;
  let count = 0;
  for (let event = from; event < to; event++) if (kind[event] === FREE_REQUESTED) count += 1;
  return count;
}

/** The events of one operator call: neighbouring events with the same operator at the same line. */

import type { Trace } from "../trace/model.ts";

export interface OpRun {
  readonly first: number;
  readonly last: number;
}

/** The call that event `event` belongs to. */
export function opRunAround(trace: Trace, event: number): OpRun {
  const { op, frame } = trace.events;
  const same = (other: number) => op[other] === op[event] && frame[other] === frame[event];
  let first = event;
  while (first > 0 && same(first - 1)) first -= 1;
  let last = event;
  while (last + 1 < op.length && same(last + 1)) last += 1;
  return { first, last };
}

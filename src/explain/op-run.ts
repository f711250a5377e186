/** The events of one operator call: neighbouring events with the same operator at the same line. */

import type { EventColumns, Trace } from "../trace/model.ts";

export interface OpRun {
  readonly first: number;
  readonly last: number;
}

/** First and last event of the call of each event. Made once for a trace: a program's only line can be a million calls long. */
const runsOf = new WeakMap<EventColumns, { readonly first: Int32Array; readonly last: Int32Array }>();

function runs(events: EventColumns): { readonly first: Int32Array; readonly last: Int32Array } {
  const known = runsOf.get(events);
  if (known !== undefined) return known;
  const { op, frame } = events;
  const count = op.length;
  const found = { first: new Int32Array(count), last: new Int32Array(count) };
  const same = (a: number, b: number) => op[a] === op[b] && frame[a] === frame[b];
  for (let event = 0; event < count; event++)
    found.first[event] = event > 0 && same(event - 1, event) ? found.first[event - 1]! : event;
  for (let event = count - 1; event >= 0; event--)
    found.last[event] = event + 1 < count && same(event + 1, event) ? found.last[event + 1]! : event;
  runsOf.set(events, found);
  return found;
}

/** The call that event `event` belongs to. */
export function opRunAround(trace: Trace, event: number): OpRun {
  const { first, last } = runs(trace.events);
  return { first: first[event]!, last: last[event]! };
}

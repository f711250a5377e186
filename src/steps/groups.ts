/** The requests of a stretch of a run, grouped by the operator call that made them. */

import { callOf, type CallRequest, type RecordedCall } from "./calls.ts";
import type { Requests } from "./pattern.ts";

export interface CallGroup {
  /** Undefined where no call of Python's made them. */
  readonly call: RecordedCall | undefined;
  readonly asked: readonly CallRequest[];
  /** Index of each into the {@link Requests}. */
  readonly at: readonly number[];
  /** Index of the first request or free behind the call. */
  readonly end: number;
}

/** @param from, to Indices into the requests: the first, and the one behind the last. */
export function groupsOf(
  requests: Requests,
  calls: readonly RecordedCall[],
  from: number,
  to: number,
): readonly CallGroup[] {
  const { trace, events, signs } = requests;
  const freedAt = new Map<number, number>();
  for (let index = from; index < to; index++) if (signs[index]! < 0) freedAt.set(index + signs[index]!, index);
  const groups: { call: RecordedCall | undefined; at: number[] }[] = [];
  for (let index = from; index < to; index++) {
    if (signs[index]! < 0) continue;
    const call = callOf(calls, events[index]!);
    const last = groups.at(-1);
    if (last !== undefined && call !== undefined && last.call === call) last.at.push(index);
    else groups.push({ call, at: [index] });
  }
  return groups.map(({ call, at }) => {
    let end = at.at(-1)! + 1;
    const behind = call?.to ?? 0;
    while (end < to && events[end]! < behind) end++;
    const asked = at.map((index): CallRequest => {
      const freed = freedAt.get(index);
      return {
        op: trace.ops[signs[index]! - 1] ?? null,
        bytes: trace.blocks[trace.events.block[events[index]!]!]!.requestedBytes,
        freedBefore: freed === undefined || freed >= end ? null : at.filter((other) => other < freed).length,
      };
    });
    return { call, asked, at, end };
  });
}

/**
 * What the steps that were left out ask for where the pattern alone does not say it: calls whose last one asks for other bytes, or for
 * more or fewer requests, such as attention that splits long contexts.
 */

import { createProcess } from "../session/create.ts";
import type { Machine } from "../session/machine.ts";
import { requestsAlong, type CallRequest, type RecordedCall } from "./calls.ts";
import { groupsOf, type CallGroup } from "./groups.ts";
import type { Requests, StepPattern } from "./pattern.ts";

/** Bytes at each further step; null where the step does without the request. */
export type Series = readonly (number | null)[];

/** A request that no step of the pattern makes: a call takes and gives it back. */
export interface Extra {
  readonly series: Series;
  /** Event of the pattern's trace that its blocks are described like. */
  readonly like: number;
}

/** What happens to extra requests right before a request of the step, in this order. */
export type ExtraMoment = { readonly take: Extra } | { readonly giveBack: Extra };

export interface Uneven {
  /** By index in the step. */
  readonly sizes: ReadonlyMap<number, Series>;
  /** By index in the step; its length stands for the step's end. */
  readonly extras: ReadonlyMap<number, readonly ExtraMoment[]>;
}

export const EVEN: Uneven = { sizes: new Map(), extras: new Map() };

/**
 * @param later goes on where the trace that showed the pattern ends, and its end is the step `lastAt` steps on: looked for behind
 * that one's events alone, where each step would be found to be like itself
 * @param steps how many are left out
 * @returns null where the later run has no such step, or the steps between do not follow from the two
 */
export function unevenRequests(
  pattern: StepPattern,
  calls: readonly RecordedCall[],
  later: Requests,
  lastAt: number,
  steps: number,
  machine: Machine,
): Uneven | null {
  const { requests, step, end } = pattern;
  const begin = end - step.length;
  const own = groupsOf(requests, calls, begin, end);
  const firstLater = later.events.findIndex((event) => event >= requests.trace.events.kind.length);
  if (firstLater < 0) return null;
  const last = lastLike(own, groupsOf(later, calls, firstLater, later.signs.length));
  if (last === null) return null;
  const sizes = new Map<number, Series>();
  const extras = new Map<number, ExtraMoment[]>();
  const known = new Map<string, ReturnType<typeof requestsAlong>>();
  for (const [which, { call, asked, at, end: behind }] of own.entries()) {
    const wanted = asked.map((request, index) => ({
      ...request,
      bytes: request.bytes + lastAt * step[at[index]! - begin]!.growthBytes,
    }));
    const found = last[which]!;
    if (areAlike(wanted, found.asked)) continue;
    if (call === undefined || found.call === undefined || lastAt < steps || isCut(pattern, call)) return null;
    const key = JSON.stringify([call.op, call.args, found.call.args]);
    if (!known.has(key)) known.set(key, requestsAlong(call, found.call, lastAt, createProcess(machine)));
    const along = known.get(key);
    if (along === undefined || along === null || !areAlike(along.at(-1)!, found.asked)) return null;
    const whole = found.asked.length > asked.length ? found.asked : asked;
    const places = matchedIn(whole, asked);
    const matches = along.map((requests) => matchedIn(whole, requests));
    if (places === null || matches.includes(null)) return null;
    const all = whole.map((_, index) =>
      along.map((requests, taken) => {
        const place = matches[taken]![index]!;
        return place === null ? null : requests[place]!.bytes;
      }),
    );
    const positions = places.map((place) => (place === null ? null : at[place]! - begin));
    const next = (from: number): number =>
      positions.find((position, index) => index >= from && position !== null) ?? behind - begin;
    const mark = (from: number, moment: ExtraMoment): void =>
      void extras.set(next(from), [...(extras.get(next(from)) ?? []), moment]);
    const taken: { readonly extra: Extra; readonly freedBefore: number }[] = [];
    for (let index = 0; index <= whole.length; index++) {
      for (const { extra, freedBefore } of taken) if (freedBefore === index) mark(index, { giveBack: extra });
      if (index === whole.length) break;
      const { freedBefore } = whole[index]!;
      const series = all[index]!;
      if (positions[index] !== null) sizes.set(positions[index]!, series);
      else if (freedBefore === null) return null;
      else {
        const extra = { series, like: requests.events[at[0]!]! };
        taken.push({ extra, freedBefore });
        mark(index, { take: extra });
      }
    }
  }
  return { sizes, extras };
}

/** The last groups whose calls are those of the pattern, or null. */
function lastLike(own: readonly CallGroup[], later: readonly CallGroup[]): readonly CallGroup[] | null {
  const name = ({ call, asked }: CallGroup): string | null => call?.op ?? asked[0]!.op;
  for (let start = later.length - own.length; start >= 0; start--) {
    if (own.every((group, index) => name(group) === name(later[start + index]!)))
      return later.slice(start, start + own.length);
  }
  return null;
}

/** Whether the step begins or ends within the call. */
function isCut({ requests, step, end }: StepPattern, { from, to }: RecordedCall): boolean {
  const isWithin = (index: number): boolean => requests.events[index]! >= from && requests.events[index]! < to;
  const first = end - step.length;
  return (isWithin(first) && first > 0 && isWithin(first - 1)) || (end < requests.events.length && isWithin(end));
}

/** What makes one request of a call like one of another call. */
const keyOf = ({ op, freedBefore }: CallRequest): string => `${op} ${freedBefore === null ? "stays" : "goes"}`;

const areAlike = (some: readonly CallRequest[], others: readonly CallRequest[]): boolean =>
  some.length === others.length &&
  some.every((one, index) => one.bytes === others[index]!.bytes && keyOf(one) === keyOf(others[index]!));

/** Of each request of the whole its index among the requests, null for one that they do without; null where that is unclear. */
function matchedIn(whole: readonly CallRequest[], requests: readonly CallRequest[]): readonly (number | null)[] | null {
  const isSame = (index: number, at: number): boolean => keyOf(whole[index]!) === keyOf(requests[at]!);
  const left = whole.length - requests.length;
  if (left < 0) return null;
  if (left === 0) return requests.every((_, at) => isSame(at, at)) ? [...requests.keys()] : null;
  // some in a row are left out, and all others are as large
  const isEqual = (index: number, at: number): boolean =>
    isSame(index, at) && whole[index]!.bytes === requests[at]!.bytes;
  let before = 0;
  while (before < requests.length && isEqual(before, before)) before++;
  if (requests.every((_, at) => at < before || isEqual(at + left, at)))
    return [...whole.keys()].map((index) => (index < before ? index : index < before + left ? null : index - left));
  // or all of a kind are
  const matched: (number | null)[] = [];
  let last = -1;
  for (const [index, request] of whole.entries()) {
    const [wanted, same] = [whole, requests].map((some) =>
      [...some.keys()].filter((at) => keyOf(some[at]!) === keyOf(request)),
    ) as [number[], number[]];
    if (same.length !== wanted.length && same.length > 0) return null;
    const place = same[wanted.indexOf(index)] ?? null;
    if (place !== null && place < last) return null;
    last = place ?? last;
    matched.push(place);
  }
  return matched.filter((place) => place !== null).length === requests.length ? matched : null;
}

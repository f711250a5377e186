/** The steps at the end of a run that repeat: the same requests in the same order, found in its trace alone. */

import { KIND } from "../trace/codes.ts";
import type { Trace } from "../trace/model.ts";

const ALLOC = KIND.alloc;
const FREE = KIND.free_requested;

/** Allocations and frees of a trace in their order, without segments and marks. */
export interface Requests {
  readonly trace: Trace;
  /** Index of the event of each request. */
  readonly events: Int32Array;
  /** What makes a request like another one: an allocation's operator, or how many requests before a free its block was taken. */
  readonly signs: Int32Array;
}

/** One request of a step. */
export interface StepRequest {
  /** Bytes asked for in the last step that was seen; 0 for a free. */
  readonly bytes: number;
  /** How many bytes more each step asks for. */
  readonly growthBytes: number;
  /** For a free: how many requests before it its block was taken; 0 for an allocation. */
  readonly back: number;
}

export interface StepPattern {
  readonly requests: Requests;
  readonly step: readonly StepRequest[];
  /** Index of the first request after the last step that was seen. */
  readonly end: number;
}

export function requestsOf(trace: Trace): Requests {
  const { kind, block, op } = trace.events;
  const events: number[] = [];
  const taken = new Int32Array(trace.blocks.length).fill(-1);
  const signs: number[] = [];
  for (let event = 0; event < kind.length; event++) {
    if (kind[event] === ALLOC) {
      taken[block[event]!] = events.length;
      signs.push(op[event]! + 1);
    } else if (kind[event] === FREE) signs.push(taken[block[event]!]! - events.length);
    else continue;
    events.push(event);
  }
  return { trace, events: Int32Array.from(events), signs: Int32Array.from(signs) };
}

/** Bytes that request `index` asked for; 0 for a free. */
const bytesAt = ({ trace, events, signs }: Requests, index: number): number =>
  signs[index]! < 0 ? 0 : trace.blocks[trace.events.block[events[index]!]!]!.requestedBytes;

/** A shorter stretch may be alike by chance. */
const SHORTEST_STEP = 8;
/** Two steps show a growth; where there are more, all must show the same. */
const LEAST_STEPS = 2;
/**
 * Where to look for steps, as a share of the run before its end: behind its beginning. A long beginning, such as that of pictures, leaves
 * less for the steps: then half as far from the end, and half of that.
 */
const LOOK_BACK = 0.1;

/**
 * The step that the run's end repeats: of all lengths the one that explains the longest stretch, since layers repeat within a step.
 *
 * @returns null where nothing repeats, or where a request grows otherwise than by the same bytes each step.
 */
export function stepPattern(requests: Requests): StepPattern | null {
  const found = lastRepetition(requests.signs);
  if (found === null) return null;
  const { from, to, length } = found;
  const end = to + 1;
  const step: StepRequest[] = [];
  for (let index = end - length; index < end; index++) {
    const sign = requests.signs[index]!;
    const bytes = bytesAt(requests, index);
    const growthBytes = bytes - bytesAt(requests, index - length);
    for (let later = index - length; later - length >= from; later -= length) {
      if (bytesAt(requests, later) - bytesAt(requests, later - length) !== growthBytes) return null;
    }
    step.push({ bytes, growthBytes, back: sign < 0 ? -sign : 0 });
  }
  return { requests, step, end };
}

/** Requests from `from` up to `to`, each like that `length` before it. */
interface Repetition {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** The repetition that ends last: what ends before the last step does is a part of one, or of the beginning, such as a layer. */
function lastRepetition(signs: Int32Array): Repetition | null {
  let last: Repetition | null = null;
  for (let back = signs.length * LOOK_BACK; back > SHORTEST_STEP; back /= 2) {
    const found = longestRepetition(signs, Math.floor(signs.length - back));
    if (found !== null && (last === null || found.to > last.to)) last = found;
  }
  if (last === null) return null;
  const { from, to, length } = last;
  return signs.length - to <= length && to + 1 - from >= LEAST_STEPS * length ? last : null;
}

/** @param middle the repetition is one at this request */
function longestRepetition(signs: Int32Array, middle: number): Repetition | null {
  let best: Repetition | null = null;
  for (let length = SHORTEST_STEP; length * 2 < middle; length++) {
    if (signs[middle] !== signs[middle - length]) continue;
    let from = middle;
    while (from > length && signs[from - 1] === signs[from - 1 - length]) from--;
    let to = middle;
    while (to + 1 < signs.length && signs[to + 1] === signs[to + 1 - length]) to++;
    const covered = to - from + 1;
    if (covered >= length && (best === null || covered + length > best.to - best.from + 1)) {
      best = { from: from - length, to, length };
    }
  }
  return best;
}

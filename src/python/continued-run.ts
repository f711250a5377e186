/** A program whose many steps are alike, run by its first steps and its last one; the allocator alone takes the steps between. */

import { createAllocator, createProcess } from "../session/create.ts";
import type { Machine } from "../session/machine.ts";
import { callOf, recordCalls, requestsAlong, sizesAlong, type RecordedCall } from "../steps/calls.ts";
import { continueSteps, type UnevenSizes } from "../steps/continue.ts";
import { continuedDigest } from "../steps/continued-digest.ts";
import { requestsOf, stepPattern, unlikeRequests, type StepPattern, type UnlikeRequest } from "../steps/pattern.ts";
import { digestOf, type Digest } from "../trace/digest.ts";
import type { Trace } from "../trace/model.ts";
import type { RunStatus } from "./run-types.ts";
import type { Session } from "../session/session.ts";

/** The steps of a program that need not be run one by one: the same program with fewer of them, and lines that take its last. */
export interface LeftOut {
  /** The program with its first steps alone. */
  readonly first: string;
  /** Lines that go on behind `first` with its variables, as if `lastAt` more steps than in `first` had been taken before their last. */
  readonly last: string;
  readonly lastAt: number;
  /** How many steps `first` has less than the whole program. */
  readonly steps: number;
}

export interface RunOutcome {
  readonly status: RunStatus;
  readonly error: string | null;
  readonly trace: Trace;
}

/** Runs a text; `watch` gets the session before it starts. */
export type RunText = (source: string, watch: (session: Session) => void) => RunOutcome;

export interface ContinuedRun {
  readonly status: RunStatus;
  readonly error: string | null;
  readonly digest: Digest;
}

/**
 * @param goOn runs lines behind the text that ran last; the trace is that of both
 * @param machine as that on which `run` runs, for machines like it
 * @returns null where the steps between do not follow from those that ran
 */
export function continuedRun(
  { first, last, lastAt, steps }: LeftOut,
  run: RunText,
  goOn: (lines: string) => RunOutcome,
  machine: Machine,
): ContinuedRun | null {
  let calls: readonly RecordedCall[] = [];
  const begun = run(first, (session) => void (calls = recordCalls(session)));
  // before anything else frees what is alive at its end
  const digest = digestOf(begun.trace);
  // what the first steps do not survive, all do not
  if (begun.status === "out_of_memory") return { ...begun, digest };
  if (begun.status !== "ok") return null;
  const pattern = stepPattern(requestsOf(begun.trace));
  if (pattern === null) return null;
  const ended = goOn(last);
  const unlike = ended.status === "ok" ? unlikeRequests(pattern, lastAt, requestsOf(ended.trace)) : null;
  if (unlike === null) return null;
  const sizes = unevenSizes(pattern, unlike, calls, lastAt, steps, machine);
  if (sizes === null) return null;
  const more = continueSteps(pattern, steps, createAllocator(machine), sizes);
  const continued = continuedDigest(digest, more);
  return more.outOfMemory
    ? { status: "out_of_memory", error: null, digest: continued }
    : { ...begun, digest: continued };
}

/** Sizes of the requests that do not grow evenly, from their operators at the shapes of each step; null where that is not possible. */
function unevenSizes(
  { requests, step, end }: StepPattern,
  unlike: readonly UnlikeRequest[],
  calls: readonly RecordedCall[],
  lastAt: number,
  steps: number,
  machine: Machine,
): UnevenSizes | null {
  if (unlike.length > 0 && lastAt < steps) return null;
  const { trace, events } = requests;
  const opAt = (event: number): string | null => trace.ops[trace.events.op[event]!] ?? null;
  const begin = end - step.length;
  const known = new Map<string, ReturnType<typeof requestsAlong>>();
  const sizes = new Map<number, readonly (number | null)[]>();
  for (const { index, event, laterEvent, laterBytes } of unlike) {
    const [a, b] = [callOf(calls, event), callOf(calls, laterEvent)];
    if (a === undefined || b === undefined) return null;
    if (!sizes.has(index)) {
      const key = JSON.stringify([a.op, a.args, b.args]);
      if (!known.has(key)) known.set(key, requestsAlong(a, b, lastAt, createProcess(machine)));
      const along = known.get(key)!;
      // all that the call asks for: a step that does without one request may do without another
      const own = [...step.keys()].filter((at) => step[at]!.back === 0 && isWithin(events[begin + at]!, a));
      const ops = own.map((at) => opAt(events[begin + at]!));
      for (const [which, at] of own.entries()) {
        const series = along === null ? null : sizesAlong(along, ops, which);
        if (series === null) return null;
        sizes.set(at, series);
      }
    }
    if (sizes.get(index)!.at(-1) !== laterBytes) return null;
  }
  return sizes;
}

const isWithin = (event: number, { from, to }: RecordedCall): boolean => from <= event && event < to;

/** A program whose many steps are alike, run by its first steps and its last one; the allocator alone takes the steps between. */

import { createAllocator } from "../session/create.ts";
import type { Machine } from "../session/machine.ts";
import { recordCalls, type RecordedCall } from "../steps/calls.ts";
import { continueSteps } from "../steps/continue.ts";
import { continuedDigest } from "../steps/continued-digest.ts";
import { requestsOf, stepPattern } from "../steps/pattern.ts";
import { unevenRequests } from "../steps/uneven.ts";
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
  if (ended.status !== "ok") return null;
  const uneven = unevenRequests(pattern, calls, requestsOf(ended.trace), lastAt, steps, machine);
  if (uneven === null) return null;
  const more = continueSteps(pattern, steps, createAllocator(machine), uneven);
  const continued = continuedDigest(digest, more);
  return more.outOfMemory
    ? { status: "out_of_memory", error: null, digest: continued }
    : { ...begun, digest: continued };
}

/** The programs of one estimate, run one after another in one interpreter: an order in, a digest of the trace out. */

import { digestOf, type Digest } from "../trace/digest.ts";
import { continuedRun, type LeftOut, type RunOutcome, type RunText } from "./continued-run.ts";
import { failureText } from "./failure-text.ts";
import type { RepeatedProgram } from "./repeated-program.ts";
import type { RunStatus } from "./run-types.ts";

export interface GeneratedProgram {
  readonly source: string;
  readonly leftOut: LeftOut | null;
}

export interface EstimateOrder {
  readonly id: number;
  readonly program: GeneratedProgram;
  readonly gpu: string;
  /** Memory of the device, or null for that of the GPU. */
  readonly totalBytes: number | null;
}

export type EstimateAnswer =
  | { readonly id: number; readonly status: RunStatus; readonly error: string | null; readonly digest: Digest }
  | { readonly id: number; readonly failed: string };

/** A function that carries out orders; what is our fault is an answer, too. */
export function orderTaker(program: RepeatedProgram): (order: EstimateOrder) => EstimateAnswer {
  let hasRun = false;
  return ({ id, program: { source, leftOut }, gpu, totalBytes }) => {
    const machine = { gpu, overrides: totalBytes === null ? {} : { totalBytes } };
    const run: RunText = (text, watch) => {
      // what the run before left is put back only when another one comes
      if (hasRun) program.order("restore");
      hasRun = true;
      watch(program.renew(machine).session);
      program.order("program", text);
      return outcomeOf(program, program.order("run", {}, []));
    };
    const goOn = (text: string): RunOutcome => outcomeOf(program, program.order("more", text));
    try {
      const short = leftOut === null ? null : continuedRun(leftOut, run, goOn, program.machineFor(machine));
      if (short !== null) return { id, status: short.status, error: short.error, digest: short.digest };
      const { status, error, trace } = run(source, () => {});
      return { id, status, error, digest: digestOf(trace) };
    } catch (error) {
      return { id, failed: failureText(error) };
    }
  };
}

function outcomeOf(program: RepeatedProgram, answer: unknown): RunOutcome {
  const [status, , error] = answer as [RunStatus, number, string | null];
  return { status, error, trace: program.finish() };
}

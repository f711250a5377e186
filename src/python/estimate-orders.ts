/** The programs of one estimate, run one after another in one interpreter: an order in, a digest of the trace out. */

import { digestOf, type Digest } from "../trace/digest.ts";
import { failureText } from "./failure-text.ts";
import type { RepeatedProgram } from "./repeated-program.ts";
import type { RunStatus } from "./run-types.ts";

export interface EstimateOrder {
  readonly id: number;
  readonly source: string;
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
  return ({ id, source, gpu, totalBytes }) => {
    try {
      // what the run before left is put back only when another one comes
      if (hasRun) program.order("restore");
      hasRun = true;
      program.renew({ gpu, overrides: totalBytes === null ? {} : { totalBytes } });
      program.order("program", source);
      const [status, , error] = program.order("run", {}, []) as [RunStatus, number, string | null];
      return { id, status, error, digest: digestOf(program.finish()) };
    } catch (error) {
      return { id, failed: failureText(error) };
    }
  };
}

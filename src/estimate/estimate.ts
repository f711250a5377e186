/** One recipe, simulated: its program, its chain, and whether it fits on a card. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { GpuRow } from "../gpus/catalogue.ts";
import type { GeneratedProgram } from "../python/estimate-orders.ts";
import type { Digest } from "../trace/digest.ts";
import { chainOf, fitOf, type Chain, type Fit } from "./chain.ts";
import type { Head } from "./heads.ts";
import { generated } from "./program.ts";
import type { Recipe } from "./recipe.ts";

export interface MeasuredRun {
  readonly status: string;
  readonly error: string | null;
  readonly digest: Digest;
}

/** Runs a program on a GPU by id; `totalBytes` replaces its memory, null leaves it. */
export type Measure = (program: GeneratedProgram, gpu: string, totalBytes: number | null) => Promise<MeasuredRun>;

export interface Estimate {
  readonly recipe: Recipe;
  readonly head: Head;
  readonly program: string;
  readonly gpu: GpuRow;
  readonly digest: Digest;
  readonly chain: Chain;
  readonly fit: Fit;
}

/** Memory that holds every program, so that each has a peak. */
export const ROOMY_BYTES = 2 ** 50;

/** The last line of a traceback. */
export const lastLine = (error: string | null): string => error?.trimEnd().split("\n").at(-1) ?? "";

/** @throws {DiagnosticError} `estimate_program_fails` when the program fails for another reason than memory. */
export async function estimate(measure: Measure, recipe: Recipe, head: Head, gpu: GpuRow): Promise<Estimate> {
  const program = generated(recipe, head);
  const { status, error, digest } = await measure(program, gpu.id, ROOMY_BYTES);
  if (status !== "ok") throw new DiagnosticError(diagnostic("estimate_program_fails", { error: lastLine(error) }));
  const chain = chainOf(digest, gpu);
  let fit = fitOf(chain, gpu);
  if (fit === null) {
    const real = await measure(program, gpu.id, null);
    fit = real.status === "ok" ? "released" : "does_not_fit";
  }
  return { recipe, head, program: program.source, gpu, digest, chain, fit };
}

export const fits = ({ fit }: Estimate): boolean => fit !== "does_not_fit";

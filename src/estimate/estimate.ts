/** One recipe, simulated: its program, its chain, and whether it fits on a card. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { GpuRow } from "../gpus/catalogue.ts";
import type { GeneratedProgram } from "../python/estimate-orders.ts";
import type { Digest } from "../trace/digest.ts";
import { chainOf, fitOf, type Chain, type Fit } from "./chain.ts";
import type { Head } from "../models/heads.ts";
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
  const fit = fitOf(chain, gpu) ?? (await fitOnCard(measure, program, chain, gpu));
  return { recipe, head, program: program.source, gpu, digest, chain, fit };
}

/**
 * The program on a card of the real size, where the allocator gives cached memory back. It fits for sure only where it also ends
 * with as much outside of the allocator as the intervals allow: a wrong "fits" is worse than a "may fit".
 */
async function fitOnCard(measure: Measure, program: GeneratedProgram, chain: Chain, gpu: GpuRow): Promise<Fit> {
  const ends = async (totalBytes: number | null): Promise<boolean> =>
    (await measure(program, gpu.id, totalBytes)).status === "ok";
  if (!(await ends(null))) return "does_not_fit";
  const moreBytes = chain.process.highBytes - chain.process.bytes;
  return (await ends(gpu.totalBytes - moreBytes)) ? "released" : "tight";
}

export const fits = ({ fit }: Estimate): boolean => fit !== "does_not_fit";

/** Simulates the ranks of a job that differ; the worst one decides. Ranks of one stage that differ in nothing are simulated once. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { GpuRow } from "../../gpus/catalogue.ts";
import type { Digest } from "../../trace/digest.ts";
import { chainOf, fitOf, type Chain, type Fit } from "../chain.ts";
import { lastLine, ROOMY_BYTES, type Measure } from "../estimate.ts";
import { cardWithGroups } from "./communicators.ts";
import { layersOfChunks, rankProgram } from "./rank-program.ts";
import { dataRanks, type TrainingJob } from "./training-job.ts";

export interface RankEstimate {
  readonly stage: number;
  readonly layers: number;
  /** Allocated between steps: parameters, gradients' buffers, optimizer states, workspaces. */
  readonly statesBytes: number;
  readonly program: string;
  readonly digest: Digest;
  readonly chain: Chain;
  readonly fit: Fit;
}

/** The rank that needs most, with more tokens on its experts than their equal share. */
export interface UnevenEstimate {
  readonly load: number;
  readonly rank: RankEstimate;
}

export interface LayoutEstimate {
  readonly job: TrainingJob;
  readonly gpu: GpuRow;
  readonly ranks: readonly RankEstimate[];
  readonly worst: RankEstimate;
  /** Stages between the ones that were simulated: each holds no more than the one before it. */
  readonly bounded: readonly number[];
  /** Where equal shares fit, and more tokens on one rank's experts might not. */
  readonly uneven?: UnevenEstimate;
}

/** More stages than this are not all simulated. */
const MOST_STAGES = 8;

/** The stages to simulate: all of few; else the ends, the second, and each whose layers differ from those of its neighbour. */
export function distinctStages(job: TrainingJob): number[] {
  const { pp } = job.layout;
  const all = Array.from({ length: pp }, (_, i) => i);
  if (pp <= MOST_STAGES) return all;
  const chunks = layersOfChunks(job);
  const kinds = (stage: number): string =>
    chunks
      .filter((_, i) => i % pp === stage)
      .map((layers) => layers.map((layer) => (job.model.expertLayers.includes(layer) ? "e" : "d")).join(""))
      .join("|");
  return all.filter((i) => i <= 1 || i === pp - 1 || kinds(i) !== kinds(i - 1));
}

export async function estimateRanks(
  measure: Measure,
  job: TrainingJob,
  gpu: GpuRow,
  stages: readonly number[] = distinctStages(job),
  onRun: (done: number) => void = () => {},
): Promise<LayoutEstimate> {
  const chunks = layersOfChunks(job);
  const card = cardWithGroups(job, gpu);
  let done = 0;
  const simulate = async (stage: number): Promise<RankEstimate> => {
    const program = rankProgram(job, stage, dataRanks(job) * job.layout.cp - 1, gpu);
    const { status, error, digest } = await measure({ source: program, leftOut: null }, gpu.id, ROOMY_BYTES);
    if (status !== "ok") throw new DiagnosticError(diagnostic("estimate_program_fails", { error: lastLine(error) }));
    const chain = chainOf(digest, card);
    const layers = chunks.filter((_, i) => i % job.layout.pp === stage).reduce((sum, own) => sum + own.length, 0);
    // a full card gives cached memory back; whether that is enough was not run
    const fit = fitOf(chain, card) ?? "released";
    onRun(++done);
    const statesBytes = digest.marks.at(-1)?.allocatedBytes ?? 0;
    return { stage, layers, statesBytes, program, digest, chain, fit };
  };
  const ranks = await Promise.all(stages.map(simulate));
  const worst = ranks.reduce((most, rank) => (rank.chain.process.bytes > most.chain.process.bytes ? rank : most));
  const simulated = new Set(stages);
  const bounded = Array.from({ length: job.layout.pp }, (_, i) => i).filter((i) => !simulated.has(i));
  return { job, gpu, ranks, worst, bounded };
}

/**
 * Searches layouts: all that can be started, without those that a lower bound excludes, cheapest first; the ones that remain are simulated
 * until enough fit. While it searches, stages run with a few of their like layers and lie on a line; the first choice runs whole.
 */

import type { GpuRow } from "../../gpus/catalogue.ts";
import { linksOf, type LinkData } from "../../gpus/links.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import { lastLine, ROOMY_BYTES, type Measure } from "../estimate.ts";
import { cardWithGroups } from "../layout/communicators.ts";
import { layersOfChunks, shortRankProgram } from "../layout/rank-program.ts";
import { estimateRanks, type LayoutEstimate } from "../layout/ranks.ts";
import { dataRanks, type TrainingJob } from "../layout/training-job.ts";
import { largestBound } from "./bounds.ts";
import { candidates, type PlanRequest } from "./candidates.ts";
import { costOf, type Cost } from "./cost.ts";

export interface Planned {
  readonly job: TrainingJob;
  readonly cost: Cost;
  /** Reserved with context and NCCL on the rank that needs most; of the first choice simulated whole. */
  readonly processBytes: number;
  readonly stage: number;
  /** With the upper end of what context and NCCL may take. */
  readonly fits: boolean;
}

export interface Plan {
  readonly request: PlanRequest;
  readonly gpu: GpuRow;
  readonly links: LinkData;
  /** Layouts that can be started, and how many of them a bound excluded. */
  readonly started: number;
  readonly excluded: number;
  readonly simulated: number;
  /** Cheapest first. */
  readonly fitting: readonly Planned[];
  /** Simulated and too large, cheapest first; where nothing fits, the one that misses least. */
  readonly missing: readonly Planned[];
  /** The first choice: the ends of its pipeline with all their layers. */
  readonly first: LayoutEstimate | null;
}

export interface SearchLimits {
  /** Layouts to show, and layouts to simulate. */
  readonly shown: number;
  readonly simulated: number;
}

const SHORT = [2, 4] as const;

/** Layers of a stage with so many of the most frequent kind in each chunk; null where there are no more of them. */
function shortened(job: TrainingJob, stage: number, keep: number): { layers: number[][]; cut: number } {
  const experts = new Set(job.model.expertLayers);
  const parts = layersOfChunks(job).filter((_, i) => i % job.layout.pp === stage);
  const all = parts.flat();
  const most = all.filter((layer) => experts.has(layer)).length * 2 >= all.length;
  let cut = 0;
  const layers = parts.map((chunk) => {
    let kept = 0;
    return chunk.filter((layer) => {
      if (experts.has(layer) !== most || kept < keep) {
        kept += experts.has(layer) === most ? 1 : 0;
        return true;
      }
      cut += 1;
      return false;
    });
  });
  return { layers, cut };
}

async function stageBytes(measure: Measure, job: TrainingJob, stage: number, gpu: GpuRow): Promise<number> {
  const run = async (layers: readonly (readonly number[])[]): Promise<number> => {
    const source = shortRankProgram(job, stage, dataRanks(job) * job.layout.cp - 1, gpu, layers);
    const { status, error, digest } = await measure({ source, leftOut: null }, gpu.id, ROOMY_BYTES);
    if (status !== "ok") throw new DiagnosticError(diagnostic("estimate_program_fails", { error: lastLine(error) }));
    return digest.reservedPeakBytes;
  };
  const [few, more] = SHORT.map((keep) => shortened(job, stage, keep));
  if (more!.cut === 0) return run(more!.layers);
  const [lower, upper] = (await Promise.all([run(few!.layers), run(more!.layers)])) as [number, number];
  return upper + ((upper - lower) * more!.cut) / (few!.cut - more!.cut);
}

const ends = ({ layout: { pp } }: TrainingJob): number[] => (pp === 1 ? [0] : [0, pp - 1]);

/** The ends of the pipeline: the first holds most micro-batches, the last the logits. */
async function simulate(measure: Measure, job: TrainingJob, cost: Cost, gpu: GpuRow): Promise<Planned> {
  const stages = ends(job);
  const needed = await Promise.all(stages.map((stage) => stageBytes(measure, job, stage, gpu)));
  const reserved = Math.max(...needed);
  const { expectedBytes, highBytes } = cardWithGroups(job, gpu).context;
  const stage = stages[needed.indexOf(reserved)]!;
  return { job, cost, processBytes: reserved + expectedBytes, stage, fits: reserved + highBytes <= gpu.totalBytes };
}

/** Layouts that differ in recomputation alone: one that recomputes less and fits makes the others pointless. */
const sameBut = ({ layout, microBatch }: TrainingJob): string =>
  JSON.stringify([layout.tp, layout.pp, layout.cp, layout.ep, layout.chunks, microBatch]);

export async function searchPlan(
  measure: Measure,
  request: PlanRequest,
  gpu: GpuRow,
  limits: SearchLimits,
  onRun: (done: number) => void = () => {},
): Promise<Plan> {
  const links = linksOf(gpu);
  const all = candidates(request, links).map((job) => ({ job, bytes: largestBound(job) + gpu.context.lowBytes }));
  const possible = all.filter(({ bytes }) => bytes <= gpu.totalBytes);
  const ranked = possible
    .map(({ job }) => ({ job, cost: costOf(job, links) }))
    .sort((a, b) => a.cost.total - b.cost.total);
  const fitting: Planned[] = [];
  const missing: Planned[] = [];
  const seen = new Set<string>();
  let simulated = 0;
  const attempt = async ({ job, cost }: (typeof ranked)[number]): Promise<void> => {
    const planned = await simulate(measure, job, cost, gpu);
    onRun(++simulated);
    (planned.fits ? fitting : missing).push(planned);
    if (planned.fits) seen.add(sameBut(job));
  };
  for (const one of ranked) {
    if (fitting.length >= limits.shown || simulated >= limits.simulated) break;
    if (!seen.has(sameBut(one.job))) await attempt(one);
  }
  if (fitting.length === 0) {
    // the one with the least bound is the nearest, whether or not a bound excludes it
    const nearest = all.reduce((least, one) => (one.bytes < least.bytes ? one : least), all[0]!);
    if (all.length > 0) await attempt({ job: nearest.job, cost: costOf(nearest.job, links) });
    missing.sort((a, b) => a.processBytes - b.processBytes);
  }
  let first: LayoutEstimate | null = null;
  while (fitting.length > 0 && first === null) {
    const made = await estimateRanks(measure, fitting[0]!.job, gpu, ends(fitting[0]!.job), () => onRun(simulated));
    const { bytes: processBytes, highBytes } = made.worst.chain.process;
    const whole = { ...fitting[0]!, processBytes, stage: made.worst.stage, fits: highBytes <= gpu.totalBytes };
    if (whole.fits) {
      first = made;
      fitting[0] = whole;
    } else {
      fitting.shift();
      missing.push(whole);
    }
  }
  const excluded = all.length - possible.length;
  return { request, gpu, links, started: all.length, excluded, simulated, fitting, missing, first };
}

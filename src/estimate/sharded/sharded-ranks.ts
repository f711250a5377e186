/** Simulates the ranks of a sharded run: the first of each stage of the pipeline, which holds the largest part of everything that is cut. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { GpuRow } from "../../gpus/catalogue.ts";
import { linksOf } from "../../gpus/links.ts";
import { rankEnvironment } from "../../python/ranks.ts";
import { chainOf, fitOf } from "../chain.ts";
import { lastLine, ROOMY_BYTES, type Measure } from "../estimate.ts";
import { cardWithGroups } from "../layout/communicators.ts";
import { layersOfChunks } from "../layout/rank-program.ts";
import { distinctStages, type LayoutEstimate, type RankEstimate } from "../layout/ranks.ts";
import type { ShardedJob } from "./sharded-job.ts";
import { shardedProgram } from "./sharded-program.ts";

/** The environment is set on the program's own first line, so that its lines keep their numbers. */
const placed = (program: string, env: Readonly<Record<string, string>>): string =>
  `import os; os.environ.update(${JSON.stringify(env)}); ${program}`;

export async function estimateSharded(
  measure: Measure,
  sharded: ShardedJob,
  gpu: GpuRow,
  onRun: (done: number) => void = () => {},
): Promise<LayoutEstimate> {
  const { job } = sharded;
  const { gpus, pp } = job.layout;
  const card = cardWithGroups(job, gpu);
  const program = shardedProgram(sharded);
  const stages = distinctStages(job);
  const layers = layersOfChunks(job);
  const localWorldSize = Math.min(gpus, linksOf(gpu).node);
  const ranks: RankEstimate[] = [];
  for (const stage of stages) {
    const env = rankEnvironment({ rank: (stage * gpus) / pp, worldSize: gpus, localWorldSize });
    const source = placed(program, { ...env, LOCAL_RANK: "0" });
    const { status, error, digest } = await measure({ source, leftOut: null }, gpu.id, ROOMY_BYTES);
    if (status !== "ok") throw new DiagnosticError(diagnostic("estimate_program_fails", { error: lastLine(error) }));
    const chain = chainOf(digest, card);
    onRun(ranks.length + 1);
    ranks.push({
      stage,
      layers: layers[stage]!.length,
      statesBytes: digest.marks.at(-1)?.allocatedBytes ?? 0,
      program,
      digest,
      chain,
      fit: fitOf(chain, card) ?? "released",
    });
  }
  const worst = ranks.reduce((most, rank) => (rank.chain.process.bytes > most.chain.process.bytes ? rank : most));
  const bounded = Array.from({ length: pp }, (_, i) => i).filter((i) => !stages.includes(i));
  return { job, gpu, ranks, worst, bounded };
}

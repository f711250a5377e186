/** Simulates the ranks of a sharded run: the first of each stage of the pipeline, which holds the largest part of everything that is cut. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { GpuRow } from "../../gpus/catalogue.ts";
import { linksOf } from "../../gpus/links.ts";
import { rankEnvironment } from "../../python/ranks.ts";
import { GIB } from "../../base/bytes.ts";
import type { Digest } from "../../trace/digest.ts";
import type { Category } from "../../trace/model.ts";
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
  const groups = cardWithGroups(job, gpu);
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
    const beside = engineBytes(sharded, digest, gpu);
    const card = withEngine(groups, beside);
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

/** What an engine asleep keeps: its context, graphs and buffers outside of the pools that it gives back (vLLM, cumem.py); between nothing and this. */
const ASLEEP_BYTES = 3 * GIB;

interface Beside {
  readonly lowBytes: number;
  readonly highBytes: number;
}

/** Beyond what training takes at its peak: an engine that is awake, or what it needs while it writes and training only lies there. */
function engineBytes({ sharding }: ShardedJob, digest: Digest, gpu: GpuRow): Beside {
  const engine = sharding.companions?.engine ?? null;
  if (engine === null) return { lowBytes: 0, highBytes: 0 };
  const taken = engine.share * gpu.totalBytes;
  if (!engine.sleeps) return { lowBytes: taken, highBytes: taken };
  const held = digest.marks.at(-1)?.allocatedBytes ?? 0;
  const of = (category: Category): number =>
    digest.components.find((component) => component.category === category)?.bytes ?? 0;
  const left = (engine.modelLeaves ? of("parameter") : 0) + (engine.statesLeave ? of("optimizer_state") : 0);
  const writing = taken + Math.max(0, held - left) - digest.reservedPeakBytes;
  return { lowBytes: Math.max(0, writing), highBytes: Math.max(ASLEEP_BYTES, writing) };
}

function withEngine(card: GpuRow, { lowBytes, highBytes }: Beside): GpuRow {
  const { context } = card;
  return {
    ...card,
    context: {
      ...context,
      lowBytes: context.lowBytes + lowBytes,
      expectedBytes: context.expectedBytes + (lowBytes + highBytes) / 2,
      highBytes: context.highBytes + highBytes,
    },
  };
}

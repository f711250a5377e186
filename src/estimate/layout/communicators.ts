/** The groups of a layout that NCCL connects, and the card with what their buffers take beside the context. */

import type { GpuRow } from "../../gpus/catalogue.ts";
import { linksOf } from "../../gpus/links.ts";
import { ncclBytes, type Communicator } from "../../gpus/nccl.ts";
import { dataRanks, type TrainingJob } from "./training-job.ts";

const SETTINGS = { bufferBytes: null, mostChannels: null, nvls: true };

/** Ranks lie in the order tensor, context, expert or data, pipeline, as Megatron-Core numbers them. */
export function communicatorsOf(job: TrainingJob, gpu: GpuRow): Communicator[] {
  const { node } = linksOf(gpu);
  const { gpus, tp, pp, cp, ep } = job.layout;
  const group = (ranks: number, stride: number, collective: boolean, peers: number): Communicator => ({
    ranks,
    nodes: Math.min(ranks, Math.max(1, Math.ceil((ranks * stride) / node))),
    collective,
    peers,
  });
  return [
    group(tp, 1, true, 0),
    group(cp, tp, false, cp > 1 ? 2 : 0),
    group(ep, 1, false, ep - 1),
    group(dataRanks(job) * cp, tp, true, 0),
    group(pp, gpus / pp, false, Math.min(2, pp - 1)),
  ].filter(({ ranks }) => ranks > 1);
}

export function cardWithGroups(job: TrainingJob, gpu: GpuRow): GpuRow {
  const { context } = gpu;
  let { lowBytes, expectedBytes, highBytes } = context;
  for (const one of communicatorsOf(job, gpu)) {
    const taken = ncclBytes(one, gpu, SETTINGS);
    lowBytes += taken.lowBytes;
    expectedBytes += taken.expectedBytes;
    highBytes += taken.highBytes;
  }
  return { ...gpu, context: { ...context, lowBytes, expectedBytes, highBytes } };
}

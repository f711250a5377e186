/**
 * What a layout wastes, in parts of the time that its useful products take at the data sheet's rate: recomputation, the pipeline's bubble, and
 * bytes moved over each kind of link as if nothing overlapped. It ranks layouts; it predicts no time.
 */

import type { LinkData } from "../../gpus/links.ts";
import { layersOfChunks } from "../layout/rank-program.ts";
import { dataRanks, expertDataRanks, microBatches, type TrainingJob } from "../layout/training-job.ts";
import { activeParameters, attentionFlops, heldBy } from "./parameters.ts";

export interface Cost {
  /** All of it; 1 is useful work alone. */
  readonly total: number;
  /** Shares of useful work. */
  readonly recomputed: number;
  readonly imbalance: number;
  readonly bubble: number;
  readonly nodeLinks: number;
  readonly network: number;
  /** Bytes that one GPU sends in a step over each kind of link. */
  readonly nodeBytes: number;
  readonly networkBytes: number;
}

const WIDE = 4;
const NARROW = 2;

export function costOf(job: TrainingJob, links: LinkData): Cost {
  const { model, layout, seq } = job;
  const { gpus, tp, pp, cp, ep, chunks } = layout;
  const dp = dataRanks(job);
  const micro = microBatches(job);
  const tokens = job.globalBatch * seq;
  const active = activeParameters(model);
  const core = attentionFlops(model, seq);
  const useful = (tokens * (6 * active + 3 * core)) / gpus;
  const again = job.recompute === "full" ? 2 * active + core : job.recompute === "selective" ? core : 0;
  const recomputed = (tokens * again) / gpus / useful;
  const seconds = useful / (links.teraFlops * 1e12);
  // the stage with most layers holds up the others
  const perStage = Array.from({ length: pp }, (_, stage) =>
    layersOfChunks(job).reduce((sum, layers, i) => sum + (i % pp === stage ? layers.length : 0), 0),
  );
  const imbalance = Math.max(...perStage) / (model.layers / pp) - 1;
  const bubble = (pp - 1) / (micro * chunks);
  const bytes = { node: 0, network: 0 };
  const send = (amount: number, ranks: number, stride: number): void => {
    if (ranks > 1) bytes[ranks * stride <= links.node ? "node" : "network"] += (amount * (ranks - 1)) / ranks;
  };
  const layers = model.layers / pp;
  const rows = (seq / cp) * job.microBatch * micro;
  const passes = job.recompute === "full" ? 3 : 2;
  // two gathers and two scatters in each pass, and the gathers again for weight gradients
  send(layers * rows * model.hidden * NARROW * (4 * passes + 2), tp, 1);
  const keys =
    model.latent === null ? 2 * model.groups * model.headDim : model.heads * (model.latent.plain + model.latent.value);
  send((layers * rows * keys * NARROW * (passes + 1) * cp) / tp, cp, tp);
  if (model.experts !== null) {
    const mixed = (model.expertLayers.length / pp) * (rows / (layout.sequenceParallel ? tp : 1));
    send(mixed * model.experts.topk * model.hidden * NARROW * 2 * passes, ep, 1);
  }
  // gradients are reduced in 32 bits, parameters gathered in 16; the stage with most of them decides
  const held = Array.from({ length: pp }, (_, stage) => heldBy(job, stage));
  const reduced = job.wideGradients ? WIDE : NARROW;
  send(Math.max(...held.map(({ dense }) => dense)) * (reduced + NARROW), dp * cp, tp);
  send(Math.max(...held.map(({ expert }) => expert)) * (reduced + NARROW), expertDataRanks(job), ep);
  if (pp > 1) {
    const boundary = 2 * rows * model.hidden * NARROW * chunks;
    bytes[gpus <= links.node ? "node" : "network"] += boundary / (layout.sequenceParallel ? tp : 1);
  }
  const nodeLinks = bytes.node / (links.nodeGBs * 1e9) / seconds;
  const network = bytes.network / (links.networkGBs * 1e9) / seconds;
  const total = (1 + recomputed) * (1 + imbalance) * (1 + bubble) + nodeLinks + network;
  return {
    total,
    recomputed,
    imbalance,
    bubble,
    nodeLinks,
    network,
    nodeBytes: bytes.node,
    networkBytes: bytes.network,
  };
}

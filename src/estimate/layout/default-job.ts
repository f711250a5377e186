/** The job that people mean when they give a model and a layout alone. */

import type { FrameworkId, Layout, ModelSizes, TrainingJob } from "./training-job.ts";

export interface AskedJob {
  readonly framework: FrameworkId;
  readonly name: string;
  readonly model: ModelSizes;
  readonly layout: Layout;
  readonly microBatch: number;
  /** Null: one micro-batch per data-parallel rank and stage of the pipeline. */
  readonly globalBatch: number | null;
  readonly seq: number;
  readonly zero: 0 | 1 | 2 | 3;
  readonly recompute: TrainingJob["recompute"];
}

export function defaultJob(asked: AskedJob): TrainingJob {
  const { gpus, tp, pp, cp } = asked.layout;
  return {
    ...asked,
    globalBatch: asked.globalBatch ?? (asked.microBatch * pp * gpus) / (tp * pp * cp),
    upToLength: false,
    packed: false,
    dtype: "bfloat16",
    wideGradients: true,
    instances: 1,
    overlap: asked.zero > 0,
    optimizer: "adam",
    stateTypes: null,
    offload: 0,
    recomputeModules: ["core_attn"],
    recomputeLayers: 1,
    recomputeMethod: "uniform",
    attention: "auto",
    deterministic: false,
    hiddenDropout: 0,
    attentionDropout: 0,
    transformerEngine: true,
    fusedWeightGradients: true,
    fusedActivation: true,
    fusedRotary: true,
    fusedLoss: false,
    fusedSoftmax: true,
    wideSoftmax: false,
    loadsMask: false,
    remembersBatches: true,
    deferredGradients: 0,
    vocabMultiple: 128,
    keepsGathered: false,
    hybridRanks: 0,
    sequencesOfSample: 1,
    reference: null,
    labels: null,
    towerTrains: false,
    ...(asked.model.sees === undefined ? {} : { fullOfPictures: true }),
    ...(asked.model.hasTowers === true && asked.model.sees === undefined ? { leavesOutTowers: true } : {}),
    lora: null,
    env: {},
  };
}

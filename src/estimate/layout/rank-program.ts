/** The program of one stage of a training job: what runs on the simulator, and what `--show-program` prints. */

import type { GpuRow } from "../../gpus/catalogue.ts";
import { MIB } from "../../base/bytes.ts";
import { fullOfPictures } from "../../models/full-of-pictures.ts";
import { pictureShape } from "../../models/pictures.ts";
import {
  dataRanks,
  expertDataRanks,
  microBatches,
  paddedVocab,
  type ModelKind,
  type TrainingJob,
} from "./training-job.ts";

/** Transformer Engine asks cuBLASLt for more workspace from Hopper on (pytorch/module/base.py, get_cublas_workspace_size_bytes). */
const ENGINE_WORKSPACES: readonly { readonly fromSm: number; readonly bytes: number }[] = [
  { fromSm: 90, bytes: 32 * MIB },
  { fromSm: 0, bytes: 4 * MIB },
];

/** Layers of each chunk of the whole model, in its order. */
export function layersOfChunks({ model, layout }: TrainingJob): readonly number[][] {
  const chunks = layout.pp * layout.chunks;
  const counts =
    layout.layersOfChunks ??
    Array.from({ length: chunks }, (_, i) => Math.floor(model.layers / chunks) + (i < model.layers % chunks ? 1 : 0));
  let next = 0;
  return counts.map((count) => Array.from({ length: count }, () => next++));
}

/** Micro-batches after which a stage repeats what it did; more change nothing at the peak. */
function simulatedMicroBatches(job: TrainingJob, stage: number): number {
  const { pp, chunks } = job.layout;
  const all = microBatches(job);
  const enough = chunks > 1 ? 3 * pp : pp - stage + 2;
  return Math.min(all, enough);
}

/** What Transformer Engine takes when nothing is said: FlashAttention, or cuDNN on Hopper, and on Blackwell where results may vary. */
const ATTENTION_KERNELS: readonly { readonly fromSm: number; readonly deterministic: string; readonly free: string }[] =
  [
    { fromSm: 100, deterministic: "flash", free: "fused" },
    { fromSm: 90, deterministic: "fused", free: "fused" },
    { fromSm: 0, deterministic: "flash", free: "flash" },
  ];

function attentionOf(job: TrainingJob, gpu: GpuRow): string {
  if (!job.transformerEngine) return "unfused";
  if (job.attention !== "auto") return job.attention;
  const kernels = ATTENTION_KERNELS.find(({ fromSm }) => gpu.sm >= fromSm)!;
  return job.deterministic ? kernels.deterministic : kernels.free;
}

function kindFields(kind: ModelKind | undefined): Record<string, unknown> {
  if (kind === undefined) return {};
  const { kind: name } = kind;
  if (name === "encoder") return { kind: name };
  if (name === "encoder-decoder")
    return { kind: name, encoder_layers: kind.encoderLayers, decoder_seq: kind.decoderSeq };
  const { heads, headDim, state, groups } = kind.mamba;
  const mamba = { heads, head_dim: headDim, state, groups };
  return { kind: name, pattern: kind.pattern, predicted_layers: kind.predicted, mamba };
}

/** A tower with what it is given for a sequence full of pictures. */
function seenFields({ model, seq, pictures, towerAgain }: TrainingJob): Record<string, unknown> {
  const { sees } = model;
  const seen = sees === undefined ? null : fullOfPictures(sees.looks, seq, pictures ?? {});
  if (seen === null) return {};
  const { shape, grid } = pictureShape(sees!.looks, seen.size);
  const { type, config } = sees!.tower;
  return {
    sees: { type, config, shape, grid, pictures: seen.pictures, tokens: seen.tokens, again: towerAgain === true },
  };
}

/** The job of one stage as `vramscope_ranks.job` reads it; `dataRank` decides which shard of the optimizer's states it holds. */
export function rankJob(
  job: TrainingJob,
  stage: number,
  dataRank: number,
  gpu: GpuRow,
  layers: readonly (readonly number[])[],
): Record<string, unknown> {
  const { model, layout } = job;
  const { tp, pp, cp, ep, etp } = layout;
  const dp = dataRanks(job);
  const { experts, latent } = model;
  return {
    impl: job.transformerEngine ? "te" : "local",
    hidden: model.hidden,
    heads: model.heads,
    groups: model.groups,
    head_dim: model.headDim,
    ffn: model.ffn,
    vocab: paddedVocab(job),
    max_positions: model.positions,
    rope: model.rotary,
    gated: model.gated,
    layernorm: model.layerNorm,
    linear_bias: model.linearBias,
    qkv_bias: model.queryBias,
    qk_norm: model.queryNorm,
    tied: model.tied,
    moe:
      experts === null
        ? null
        : {
            experts: experts.experts,
            topk: experts.topk,
            ffn: experts.ffn,
            shared_ffn: experts.sharedFfn,
            shared_gate: experts.sharedGate,
            dispatcher: experts.dispatcher,
            grouped: experts.grouped,
            router_wide: experts.wideRouter,
            bias: experts.bias,
            latent: experts.latent,
            ...(experts.capacity === undefined ? {} : { padded: experts.capacity }),
            ...(experts.load === undefined ? {} : { load: experts.load }),
          },
    moe_layers: model.expertLayers,
    mla:
      latent === null
        ? null
        : {
            q_lora: latent.queryRank,
            kv_lora: latent.rank,
            nope: latent.plain,
            rope: latent.rope,
            value: latent.value,
          },
    mtp: model.extraPredictions,
    ...(model.sharesPredictions === true ? { mtp_shared: true } : {}),
    seq: job.seq,
    batch: job.microBatch * job.sequencesOfSample,
    micro_batches: simulatedMicroBatches(job, stage),
    chunks: layers,
    pre: stage === 0,
    post: stage === pp - 1,
    stage,
    group: layout.group,
    tp,
    pp,
    cp,
    ...(layout.exchangesHeads === true ? { exchanges_heads: true } : {}),
    ep,
    etp,
    dp,
    expert_dp: expertDataRanks(job),
    dp_rank: dataRank,
    sequence_parallel: layout.sequenceParallel,
    dtype: job.dtype,
    grads: job.wideGradients || job.dtype === "float32" ? "float32" : job.dtype,
    distributed_optimizer: job.zero > 0,
    instances: job.instances,
    overlap_grad_reduce: job.overlap,
    optimizer: job.optimizer,
    ...(job.stateTypes === null ? {} : { state_types: job.stateTypes }),
    offload: job.offload,
    fused_wgrad: job.fusedWeightGradients,
    fused_bias_act: job.fusedActivation,
    fused_rope: job.fusedRotary,
    fused_loss: job.fusedLoss,
    fused_softmax: job.fusedSoftmax,
    wide_softmax: job.wideSoftmax,
    hidden_dropout: job.hiddenDropout,
    attention_dropout: job.attentionDropout,
    attention: attentionOf(job, gpu),
    mask_bytes: job.loadsMask ? job.microBatch * job.seq * (job.seq / cp) : 0,
    ...(job.keepsBatches === true ? { kept_batches: microBatches(job) } : {}),
    deferred_wgrads: job.deferredGradients,
    ...(job.dropsPlaceholders === true ? { own_placeholders: false } : {}),
    recompute: job.recompute === "none" ? null : job.recompute,
    recompute_modules: job.recomputeModules,
    recompute_layers: job.recomputeLayers,
    recompute_method: job.recomputeMethod,
    reference: job.reference,
    labels: job.labels,
    ...kindFields(model.kind),
    tower: model.tower,
    tower_trains: job.towerTrains,
    ...seenFields(job),
    ...(job.lora === null ? {} : { lora: job.lora }),
    te_workspace: ENGINE_WORKSPACES.find(({ fromSm }) => gpu.sm >= fromSm)!.bytes,
  };
}

const python = (value: unknown): string =>
  value === null
    ? "None"
    : value === true
      ? "True"
      : value === false
        ? "False"
        : Array.isArray(value)
          ? `[${value.map(python).join(", ")}]`
          : typeof value === "object"
            ? `{${Object.entries(value)
                .map(([key, item]) => `"${key}": ${python(item)}`)
                .join(", ")}}`
            : JSON.stringify(value);

/** The fewest micro-batches with which a stage has as many at a time as with all of them, and of a first step that makes the states. */
function fewestBatches(job: TrainingJob, stage: number): Record<string, unknown> {
  const { pp, chunks } = job.layout;
  const all = microBatches(job);
  return {
    micro_batches: Math.min(all, chunks > 1 ? 2 * pp : pp - stage + 1),
    first_batches: Math.min(all, chunks > 1 ? pp : 1),
  };
}

/** The stage with some of its layers and the fewest micro-batches: what a search compares layouts by. */
export function shortRankProgram(
  job: TrainingJob,
  stage: number,
  dataRank: number,
  gpu: GpuRow,
  layers: readonly (readonly number[])[],
): string {
  return written({ ...rankJob(job, stage, dataRank, gpu, layers), ...fewestBatches(job, stage) });
}

/** A program that a person can run with `vramscope run`, too; `layers` of each chunk, by default those that the layout gives the stage. */
export function rankProgram(
  job: TrainingJob,
  stage: number,
  dataRank: number,
  gpu: GpuRow,
  layers: readonly (readonly number[])[] = layersOfChunks(job).filter((_, i) => i % job.layout.pp === stage),
): string {
  return written(rankJob(job, stage, dataRank, gpu, layers));
}

const written = (values: Record<string, unknown>): string =>
  [
    "from vramscope_ranks.megatron import train",
    "",
    "kept = train({",
    ...Object.entries(values).map(([key, value]) => `    "${key}": ${python(value)},`),
    "})",
    "",
  ].join("\n");

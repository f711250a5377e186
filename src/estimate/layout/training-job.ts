/** A training run on several GPUs as checked data: the model's sizes, how it is cut, the batch, and what decides about memory besides. */

import type { PictureBounds } from "../../models/full-of-pictures.ts";
import type { Looks } from "../../models/pictures.ts";
import type { TowerModel } from "../../models/towers.ts";

export interface ExpertSizes {
  readonly experts: number;
  readonly topk: number;
  /** Inner width of one expert. */
  readonly ffn: number;
  /** Inner width of the experts that every token visits; 0: none. */
  readonly sharedFfn: number;
  readonly sharedGate: boolean;
  readonly dispatcher: "alltoall" | "allgather" | "flex";
  /** Experts' products in one call, over several streams. */
  readonly grouped: boolean;
  /** Router's logits in float32. */
  readonly wideRouter: boolean;
  /** A float32 value per expert that balances the load. */
  readonly bias: boolean;
  /** Experts work on vectors of this width; 0: on the hidden ones. */
  readonly latent: number;
  /** Tokens that experts take, of those that choose them: more where each is padded to its capacity, fewer where those beyond it are dropped. */
  readonly capacity?: number;
  /** Tokens of this rank's experts, of an equal share; not named: one. */
  readonly load?: number;
}

export interface LatentSizes {
  readonly queryRank: number;
  readonly rank: number;
  readonly plain: number;
  readonly rope: number;
  readonly value: number;
}

/** What a model is that is no decoder of equal layers. */
export type ModelKind =
  | { readonly kind: "encoder" }
  /** `ModelSizes.layers` and a sequence's tokens are those of the decoder and of the encoder. */
  | { readonly kind: "encoder-decoder"; readonly encoderLayers: number; readonly decoderSeq: number }
  | HybridKind;

export interface HybridKind {
  readonly kind: "hybrid";
  /** A letter for each layer (M mixer, * attention, - feed-forward part, E experts), those of one depth of prediction last. */
  readonly pattern: string;
  readonly predicted: number;
  readonly mamba: { readonly heads: number; readonly headDim: number; readonly state: number; readonly groups: number };
}

export interface ModelSizes {
  readonly kind?: ModelKind;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly groups: number;
  readonly headDim: number;
  readonly ffn: number;
  /** Rows of the embedding before it is padded for tensor ranks. */
  readonly vocab: number;
  /** Learned positions; 0: rotary or none. */
  readonly positions: number;
  readonly rotary: boolean;
  readonly gated: boolean;
  /** LayerNorm with bias; otherwise RMSNorm. */
  readonly layerNorm: boolean;
  readonly linearBias: boolean;
  readonly queryBias: boolean;
  readonly queryNorm: boolean;
  readonly tied: boolean;
  readonly experts: ExpertSizes | null;
  /** Numbers of the layers with experts. */
  readonly expertLayers: readonly number[];
  readonly latent: LatentSizes | null;
  /** Parameters of towers for pictures or sound, which lie whole on the first stage. */
  readonly tower: number;
  /** It sees or hears, also where towers are not known. */
  readonly hasTowers?: boolean;
  /** A tower for pictures that can be run, and what it is given. */
  readonly sees?: { readonly tower: TowerModel; readonly looks: Looks };
  /** All depths of prediction use one block. */
  readonly sharesPredictions?: boolean;
  /** Layers that predict further tokens. */
  readonly extraPredictions: number;
}

export interface Layout {
  readonly gpus: number;
  readonly tp: number;
  readonly pp: number;
  readonly cp: number;
  readonly ep: number;
  /** Tensor ranks of an expert. */
  readonly etp: number;
  /** Model chunks on each stage of the pipeline. */
  readonly chunks: number;
  readonly sequenceParallel: boolean;
  /** Layers of each chunk in the order of the model: stage 0 chunk 0, stage 1 chunk 0, ...; null: evenly. */
  readonly layersOfChunks: readonly number[] | null;
  /** Context ranks share out the heads while attention lasts; otherwise keys and values go round. */
  readonly exchangesHeads?: boolean;
  /** Micro-batches that run through one chunk before the next; null: as many as stages. */
  readonly group: number | null;
}

type EvenSizes = Pick<Layout, "gpus" | "tp" | "pp" | "cp"> &
  Partial<Pick<Layout, "ep" | "etp" | "chunks" | "sequenceParallel">>;

/** A layout whose layers are shared evenly; sequences are parallel where tensors are, unless that is said. */
export const evenLayout = ({
  gpus,
  tp,
  pp,
  cp,
  ep = 1,
  etp = 1,
  chunks = 1,
  sequenceParallel = tp > 1,
}: EvenSizes): Layout => ({ gpus, tp, pp, cp, ep, etp, chunks, sequenceParallel, layersOfChunks: null, group: null });

export interface LoraSizes {
  readonly rank: number;
  /** Megatron-Core's names of layers, or `all-linear`. */
  readonly targets: readonly string[];
  /** What trains whole beside them: `word_embeddings`, `output_layer`. */
  readonly saved: readonly string[];
  /** Share of an adapter's input that is left out; then it is kept once more, with a mask. */
  readonly dropout: number;
}

export interface StateTypes {
  /** `remainder`: the 16 bits by which a float32 copy differs from a bfloat16 parameter. */
  readonly main: StateType | "remainder";
  readonly first: StateType;
  readonly second: StateType;
}

/** Frameworks whose ranks can be written as programs. */
export const FRAMEWORKS: readonly FrameworkId[] = ["megatron", "torch", "deepspeed"];
export type FrameworkId = "megatron" | "torch" | "deepspeed";

export type StateType = "float32" | "float16" | "bfloat16" | "uint8";

export type Recompute = "none" | "selective" | "full";

export interface TrainingJob {
  readonly framework: FrameworkId;
  /** As reports call it. */
  readonly name: string;
  readonly model: ModelSizes;
  readonly layout: Layout;
  /** Sequences of one micro-batch, of one optimizer step over all ranks, and tokens of each. */
  readonly microBatch: number;
  readonly globalBatch: number;
  readonly seq: number;
  /** Data decide how long sequences are; `seq` is the most. */
  readonly upToLength: boolean;
  /** Micro-batches are filled up with sequences; only what may not be divided makes a longer one. */
  readonly packed: boolean;
  readonly dtype: "bfloat16" | "float16" | "float32";
  readonly wideGradients: boolean;
  readonly zero: 0 | 1 | 2 | 3;
  /** Copies of the sharded states: data-parallel ranks are cut into so many groups. */
  readonly instances: number;
  readonly overlap: boolean;
  readonly optimizer: "adam" | "sgd" | "muon";
  /** Types that a precision-aware optimizer keeps its states in; null: float32, each beside a float32 copy of its parameter. */
  readonly stateTypes: StateTypes | null;
  /** Share of the optimizer's states that lies on the host. */
  readonly offload: number;
  readonly recompute: Recompute;
  readonly recomputeModules: readonly string[];
  readonly recomputeLayers: number;
  readonly recomputeMethod: "uniform" | "block";
  readonly attention: "auto" | "flash" | "fused" | "unfused";
  /** Only kernels whose results never vary. */
  readonly deterministic: boolean;
  readonly hiddenDropout: number;
  readonly attentionDropout: number;
  /** Transformer Engine's modules, or Megatron-Core's own. */
  readonly transformerEngine: boolean;
  readonly fusedWeightGradients: boolean;
  readonly fusedActivation: boolean;
  readonly fusedRotary: boolean;
  readonly fusedLoss: boolean;
  /** Megatron-Core's own attention: one kernel for mask and softmax; otherwise PyTorch's softmax, in float32 where told to. */
  readonly fusedSoftmax: boolean;
  readonly wideSoftmax: boolean;
  /** Ranks of data load a mask of [batch, 1, seq, seq]. */
  readonly loadsMask: boolean;
  /** Micro-batches whose weight gradient of the head waits until the pipeline drains. */
  readonly deferredGradients: number;
  /** Megatron-Core before 0.14: its own layers keep no placeholder of a weight gradient that was added into the buffer. */
  readonly dropsPlaceholders?: boolean;
  /** A step may be run again, so its batches are remembered on the host; Megatron-Core 0.18 keeps them on the GPU until the next one. */
  readonly remembersBatches?: boolean;
  readonly keepsBatches?: boolean;
  readonly vocabMultiple: number;
  /** FSDP: parameters stay gathered between forward and backward; groups of hybrid sharding (0: none). */
  readonly keepsGathered: boolean;
  readonly hybridRanks: number;
  /** Sequences of one sample: a chosen and a rejected answer are two. */
  readonly sequencesOfSample: number;
  /** A second model that compares: a copy, or the same one without its adapters. */
  readonly reference: "copy" | "same" | null;
  /** Values per token in the place of the vocabulary's; 0: the states themselves; null: the vocabulary. */
  readonly labels: number | null;
  /** Towers for pictures or sound train, too. */
  readonly towerTrains: boolean;
  /** What the tower's blocks keep is computed again. */
  readonly towerAgain?: boolean;
  /** Models that only answer, and an engine that writes on the same card, for a report. */
  readonly beside?: { readonly models: number; readonly engineShare: number; readonly engineSleeps: boolean };
  /** What is said of pictures. */
  readonly pictures?: PictureBounds;
  /** Sequences were taken as full of pictures; those of the data may have fewer. */
  readonly fullOfPictures?: boolean;
  /** Towers are there, and what they keep while a step runs is not counted. */
  readonly leavesOutTowers?: boolean;
  /** Low-rank adapters beside frozen layers (Megatron-Core's); null: all parameters train. */
  readonly lora: LoraSizes | null;
  /** Environment variables that change memory. */
  readonly env: Readonly<Record<string, string>>;
}

const ceilTo = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple;

export const dataRanks = ({ layout: { gpus, tp, pp, cp } }: TrainingJob): number => gpus / (tp * pp * cp);
export const expertDataRanks = ({ layout: { gpus, pp, ep, etp } }: TrainingJob): number => gpus / (pp * ep * etp);
export const microBatches = (job: TrainingJob): number => job.globalBatch / (job.microBatch * dataRanks(job));
export const paddedVocab = ({ model, layout, vocabMultiple }: TrainingJob): number =>
  ceilTo(model.vocab, vocabMultiple * layout.tp);

export interface Contradiction {
  readonly code: LayoutProblem;
  readonly args: Readonly<Record<string, string | number>>;
}

export type LayoutProblem =
  | "layout_not_divisible"
  | "layout_batch_not_divisible"
  | "layout_too_few_layers"
  | "layout_needs"
  | "layout_deepspeed_whole"
  | "layout_bad_number";

/** What makes a layout impossible, the first thing found; null where it can be started. */
export function contradiction(job: TrainingJob): Contradiction | null {
  const { layout, model } = job;
  const { gpus, tp, pp, cp, ep, etp, chunks } = layout;
  for (const [name, value] of Object.entries({ gpus, tp, pp, cp, ep, etp, vpp: chunks, batch: job.microBatch }))
    if (!Number.isSafeInteger(value) || value < 1) return { code: "layout_bad_number", args: { name, value } };
  const whole = (what: string, value: number, by: string, divisor: number): Contradiction | null =>
    value % divisor === 0 ? null : { code: "layout_not_divisible", args: { what, value, by, divisor } };
  const splits = [
    whole("GPUs", gpus, "tp × pp × cp", tp * pp * cp),
    whole("attention heads", model.heads, "tp", tp),
    model.groups % tp === 0 || tp % model.groups === 0 ? null : whole("key-value heads", model.groups, "tp", tp),
    layout.exchangesHeads === true ? whole("attention heads", model.heads, "tp × cp", tp * cp) : null,
    layout.exchangesHeads === true ? whole("key-value heads", model.groups, "tp × cp", tp * cp) : null,
    whole("inner width", model.ffn, "tp", tp),
    model.kind?.kind === "hybrid" ? whole("heads of Mamba", model.kind.mamba.heads, "tp × cp", tp * cp) : null,
    whole("hidden size", model.hidden, "tp", tp),
    whole("tokens of a sequence", job.seq, "cp × tp (sequence parallel)", cp * (layout.sequenceParallel ? tp : 1)),
    model.experts === null ? null : whole("experts", model.experts.experts, "ep", ep),
    model.experts === null ? null : whole("GPUs", gpus, "pp × ep × etp", pp * ep * etp),
    whole("data-parallel ranks", dataRanks(job) * cp, "optimizer instances", job.instances),
  ].find((found) => found !== null);
  if (splits !== undefined) return splits;
  if (ep > 1 && model.experts === null)
    return { code: "layout_needs", args: { option: `ep=${ep}`, needs: "a model with experts" } };
  if (pp > 1 && model.kind?.kind === "encoder-decoder")
    return {
      code: "layout_needs",
      args: { option: `pp=${pp}`, needs: "a model without an encoder beside its decoder" },
    };
  if (chunks > 1 && pp === 1) return { code: "layout_needs", args: { option: `vpp=${chunks}`, needs: "pp > 1" } };
  const perStep = job.microBatch * dataRanks(job);
  if (job.globalBatch % perStep !== 0)
    return { code: "layout_batch_not_divisible", args: { value: job.globalBatch, divisor: perStep } };
  if (layout.layersOfChunks === null && model.layers < pp * chunks)
    return { code: "layout_too_few_layers", args: { layers: model.layers, chunks: pp * chunks } };
  return null;
}

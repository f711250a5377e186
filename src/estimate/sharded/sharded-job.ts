/** A training run over several GPUs with transformers' own model: the recipe of one GPU, and how it is sharded. */

import type { ModelConfig } from "../../formats/model-config.ts";
import { defaultJob } from "../layout/default-job.ts";
import { modelSizes } from "../layout/model-sizes.ts";
import {
  contradiction,
  dataRanks,
  type Contradiction,
  type FrameworkId,
  type Layout,
  type TrainingJob,
} from "../layout/training-job.ts";
import { headOf, modelTypeOf, type Head } from "../../models/heads.ts";
import { hasTowers } from "../../models/towers.ts";
import type { TrainRecipe } from "../recipe.ts";
import { onPackedWeights } from "../settled.ts";
import { fullOfPictures, type PictureBounds, type Seen } from "../../models/full-of-pictures.ts";
import { withPictures } from "./seen-inputs.ts";
import type { Companions } from "./companions.ts";
import { labelled } from "./labels.ts";
import { METHODS, PRECISIONS, row } from "../techniques.ts";

/** What lies on the host between uses. */
export const OFFLOADS = ["none", "optimizer", "all", "nvme"] as const;
export type Offload = (typeof OFFLOADS)[number];

export interface Sharding extends PictureBounds {
  /** 0: copies; 1: optimizer states; 2: gradients, too; 3: parameters, too. */
  readonly zero: 0 | 1 | 2 | 3;
  /** Ranks of one shard group; between groups are copies. 0: all data-parallel ranks. */
  readonly hybridRanks: number;
  readonly offload: Offload;
  /** The loss is computed where the tensor ranks' shares of the vocabulary lie, and their logits are never put together. */
  readonly cutsLoss?: boolean;
  /** The loss is computed outside of the model from logits that stay in their type, so many rows at a time; 0: all at once. */
  readonly lossRows?: number;
  /** Values of a whole sequence in the place of its tokens' logits; 0: its states. */
  readonly labels?: number;
  /** Whether the towers for pictures and sound train; where nobody says, they do as the rest. */
  readonly towerTrains?: boolean;
  /** Towers train whole where the rest has adapters. */
  readonly towerWhole?: boolean;
  /** What quantized weights under adapters are held as, by an id of techniques.ts; in 4 bits where nobody says. */
  readonly heldAs?: string;
  /** Of Liger's kernels, those that are on; all where nobody says. */
  readonly ligerParts?: readonly string[];
  /** Sequences of a batch that is evaluated between steps, where they are more than those of training. */
  readonly evalBatch?: number;
  /** Under DeepSpeed: copies, gradients and states stay in 16 bits. */
  readonly narrowStates?: boolean;
  /** Models beside the one that trains, and an engine on the same card. */
  readonly companions?: Companions;
  /** What DeepSpeed is told beside the stage, as its JSON says it. */
  readonly deepspeed: Readonly<Record<string, unknown>>;
}

export interface ShardedJob {
  readonly job: TrainingJob;
  readonly recipe: TrainRecipe;
  readonly head: Head;
  readonly configuration: readonly string[];
  readonly sharding: Sharding;
  readonly modelType: string;
  /** Pictures of each sequence; null: none, or how the model sees is not known. */
  readonly seen: Seen | null;
}

export interface AskedSharding {
  readonly framework: FrameworkId;
  readonly name: string;
  readonly config: ModelConfig;
  readonly recipe: TrainRecipe;
  readonly layout: Layout;
  readonly globalBatch: number | null;
  readonly sharding: Sharding;
  /** See {@link TrainingJob.upToLength}. */
  readonly upToLength?: boolean;
}

/** Packed weights are not divided here: they are taken as if they were not packed. */
const unpacked = (recipe: TrainRecipe): TrainRecipe => ({ ...recipe, frozen: "plain" });

/** `accumulate` of the recipe follows from the global batch. Throws what {@link modelSizes} throws. */
export function shardedJob(asked: AskedSharding): ShardedJob {
  const { framework, name, config, recipe, layout, sharding } = asked;
  const { leavesOutTowers: _, ...base } = defaultJob({
    framework,
    name,
    model: modelSizes(config, name),
    layout,
    microBatch: recipe.batch,
    globalBatch:
      asked.globalBatch ?? (recipe.batch * recipe.accumulate * layout.gpus) / (layout.tp * layout.pp * layout.cp),
    seq: recipe.seq,
    zero: sharding.zero,
    recompute: recipe.checkpointing === "none" ? "none" : recipe.checkpointing === "blocks" ? "full" : "selective",
  });
  const accumulate = base.globalBatch / (recipe.batch * dataRanks(base));
  const upToLength = asked.upToLength ?? false;
  const plain = labelled(headOf(config), sharding.labels ?? null);
  const { looks } = plain.head;
  const seen =
    looks === null || layout.cp > 1 || recipe.loss === "liger" ? null : fullOfPictures(looks, recipe.seq, sharding);
  const { head, lines } = seen === null ? { head: plain.head, lines: [] } : withPictures(plain.head, looks!, seen);
  const job = {
    ...base,
    upToLength,
    keepsGathered: sharding.zero === 2,
    hybridRanks: sharding.hybridRanks,
    ...besideOf(sharding),
    fullOfPictures: seen !== null,
    ...(hasTowers(config) && seen === null && sharding.mostPictures !== 0 ? { leavesOutTowers: true } : {}),
  };
  return {
    job,
    // towers are long programs, and from the second on micro-batches do as the one before them
    recipe: {
      ...(framework === "torch" && sharding.zero < 2 ? onPackedWeights(recipe, config) : unpacked(recipe)),
      accumulate: seen === null ? accumulate : Math.min(2, accumulate),
    },
    head,
    configuration: [...plain.configuration, ...lines],
    sharding: hasTowers(config) ? sharding : { ...sharding, towerTrains: true },
    modelType: modelTypeOf(config) ?? "",
    seen,
  };
}

function besideOf({ companions }: Sharding): Pick<TrainingJob, "beside"> {
  if (companions === undefined) return {};
  const { reference, others, engine } = companions;
  const models = Number(reference) + others.length;
  return { beside: { models, engineShare: engine?.share ?? 0, engineSleeps: engine?.sleeps ?? false } };
}

/** Layers whose linear parts have Llama's names: those that a plan of tensor ranks and a stage of a pipeline is written for. */
const LLAMA_LIKE: ReadonlySet<string> = new Set([
  "llama",
  "mistral",
  "qwen2",
  "qwen3",
  "smollm3",
  "ministral",
  "arcee",
]);
/** Of them, those that normalize queries and keys per head. */
export const HEAD_NORMS: ReadonlySet<string> = new Set(["qwen3"]);

/** Types whose parts the stand-in of Liger replaces (python/liger_kernel/transformers/patching.py). */
const LIGER_TYPES: ReadonlySet<string> = new Set(["llama", "mistral", "qwen2", "qwen3", "smollm3"]);

/** A configuration's recipe without kernels that are not known for the type, and what is assumed then. */
export function withKnownKernels(
  recipe: TrainRecipe,
  config: ModelConfig,
): { readonly recipe: TrainRecipe; readonly assumed: readonly (readonly [string, string])[] } {
  if (recipe.loss !== "liger" || LIGER_TYPES.has(modelTypeOf(config) ?? "")) return { recipe, assumed: [] };
  return { recipe: { ...recipe, loss: "plain" }, assumed: [["Liger", "none of its kernels"]] };
}

const needs = (option: string, what: string): Contradiction => ({
  code: "layout_needs",
  args: { option, needs: what },
});

/** What makes it impossible, or is not written as a program here; null where it can be started. */
export function shardedContradiction({ job, recipe, head, sharding, modelType }: ShardedJob): Contradiction | null {
  const found = contradiction(job);
  if (found !== null) return found;
  const { tp, pp, cp, ep, chunks } = job.layout;
  const method = row(METHODS, recipe.method);
  const split = tp > 1 || pp > 1;
  if (job.framework === "deepspeed") {
    if (sharding.zero === 0) return { code: "layout_deepspeed_whole", args: {} };
    if (split || cp > 1 || ep > 1) return needs("tp, pp, cp or ep", "--framework megatron or torch");
    if (sharding.hybridRanks > 0) return needs("--fsdp hsdp", "--framework torch");
  }
  if (ep > 1) return needs(`ep=${ep}`, "--framework megatron");
  if (chunks > 1) return needs(`vpp=${chunks}`, "--framework megatron");
  if (!head.hasLength || head.encoderDecoder) return needs("--gpus", "a decoder of text");
  if (split && !LLAMA_LIKE.has(modelType))
    return needs("tp or pp", `--framework megatron, or a model of ${[...LLAMA_LIKE].join(", ")}`);
  if ((split || cp > 1) && method.adapters) return needs("tp, pp or cp", "--method full");
  if (method.quantized && sharding.zero === 3 && job.framework === "torch")
    return needs(`--method ${recipe.method}`, "--zero 0, or --framework deepspeed with --zero 2");
  if (split && job.framework === "torch" && sharding.zero < 2) return needs("tp or pp", "--fsdp full or grad-op");
  if (sharding.companions !== undefined && (split || cp > 1)) return needs("tp, pp or cp", "--framework megatron");
  if (sharding.labels !== undefined && (split || cp > 1)) return needs("tp, pp or cp", "--framework megatron");
  if (pp > 1 && cp > 1) return needs(`pp=${pp}`, "cp=1, or --framework megatron");
  if (cp > 1 && recipe.attention !== "sdpa") return needs(`cp=${cp}`, "--attention sdpa");
  if (recipe.loss === "liger" && !LIGER_TYPES.has(modelType))
    return needs("--loss liger", `a model of ${[...LIGER_TYPES].join(", ")}`);
  if (recipe.loss === "liger" && (split || cp > 1)) return needs("--loss liger", "--loss plain with tp, pp or cp");
  if (recipe.loss !== "plain" && recipe.loss !== "liger") return needs(`--loss ${recipe.loss}`, "one GPU");
  if (recipe.packing !== "none" || recipe.pruning !== "none" || recipe.teacher !== null)
    return needs("--packing, --pruning or --teacher", "one GPU");
  const precision = row(PRECISIONS, recipe.precision);
  if (precision.float8 === true || (precision.scaled && job.framework === "torch" && sharding.zero >= 2))
    return needs(`--precision ${recipe.precision}`, "another precision on several GPUs");
  if (recipe.optimizer === "muon") return needs("--optimizer muon", "--framework megatron");
  const dp = dataRanks(job);
  const { hybridRanks } = sharding;
  if (hybridRanks > 0 && cp > 1) return needs("--fsdp hsdp", "cp=1");
  if (hybridRanks > 0 && dp % hybridRanks !== 0)
    return {
      code: "layout_not_divisible",
      args: { what: "data-parallel ranks", value: dp, by: "hsdp", divisor: hybridRanks },
    };
  return null;
}

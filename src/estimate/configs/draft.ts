/** What a configuration says about a run, before a model and a card are known: everything may be missing. */

import { DEFAULT_TRAINING, type Attention, type Loss, type TrainRecipe } from "../recipe.ts";
import { table } from "../../base/table.ts";
import { TORCH_VERSIONS, type TorchVersion } from "../../torch/releases.ts";
import { ReadingError } from "../layout/reading.ts";
import { evenLayout, type FrameworkId, type Layout } from "../layout/training-job.ts";
import { answersOf, companionsOf } from "./preferences.ts";
import type { Offload, Sharding } from "../sharded/sharded-job.ts";

export interface Draft {
  model: string | null;
  framework: FrameworkId | null;
  gpus: number | null;
  batch: number | null;
  seq: number | null;
  accumulate: number | null;
  /** Sequences are padded or cut off, and at most so long. */
  upToLength: boolean;
  /** Where nobody bounds sequences, the model's longest does. */
  longestOfModel: boolean;
  /** Ranks that share each sequence between layers, all with all weights. */
  sequenceRanks: number;
  /** Rows whose loss is computed at a time where ranks share sequences; 0: all. */
  lossRows: number;
  /** Sequences of one sample: a chosen and a rejected answer are two. */
  sequencesOfSample: number;
  /** What is learnt of a whole sequence, as ms-swift names it, and values of it. */
  task: string | null;
  labels: number;
  evalBatch: number | null;
  /** How preferences are trained; null: texts are. */
  preference: string | null;
  /** Tokens of an answer that is written while training. */
  answerTokens: number | null;
  /** How far the model may go from its reference; 0: there is none. */
  beta: number | null;
  rewardModel: string | null;
  teacherModel: string | null;
  /** An engine that writes answers: none, on cards of its own, or on the same card with a share of it. */
  engine: "none" | "apart" | "same";
  engineShare: number;
  engineSleeps: boolean;
  engineLeaves: { model: boolean; states: boolean };
  /** What was taken for something else: name and value. */
  readonly taken: [string, string][];
  globalBatch: number | null;
  /** Adapters, and whether the model under them is in 4 bits. */
  adapters: boolean;
  quantized: boolean;
  /** In 8 bits, not in 4. */
  eightBits: boolean;
  /** DeepSpeed's copies and states in 16 bits. */
  narrowStates: boolean;
  dora: boolean;
  loraRank: number | null;
  loraTargets: readonly string[] | null;
  /** Modules that train whole beside adapters. */
  modulesToSave: readonly string[];
  /** Whether towers for pictures and sound train; null: as the rest. */
  towerTrains: boolean | null;
  /** Beside adapters of the rest: all parameters of towers, not adapters of theirs. */
  towerWhole: boolean;
  /** Pixels that a picture is made to fit into. */
  mostPixels: number | null;
  /** Types of products, and of the weights where somebody says. */
  products: "bf16" | "fp16" | "fp32" | null;
  weights: "bf16" | "fp16" | "fp32" | null;
  optimizer: string | null;
  checkpointing: string | null;
  attention: Attention | null;
  loss: Loss;
  /** Of Liger's kernels, where they are named one by one. */
  readonly ligerParts: Set<string>;
  zero: Sharding["zero"] | null;
  hybridRanks: number;
  /** Ranks that share what is sharded (null: all that are left) and copies of them, where a configuration counts ranks by axis. */
  shardRanks: number | null;
  copies: number | null;
  cutsLoss: boolean;
  /** Sequences that a pipeline's stages run at a time, of a batch that is cut for them; null: the batch. */
  stageBatch: number | null;
  offload: Offload;
  /** What DeepSpeed is told to keep on the host: a device, or null. */
  readonly onHost: { parameters: string | null; states: string | null };
  deepspeed: Record<string, unknown>;
  tp: number;
  pp: number;
  cp: number;
}

export const emptyDraft = (): Draft => ({
  model: null,
  framework: null,
  gpus: null,
  batch: null,
  seq: null,
  accumulate: null,
  upToLength: false,
  longestOfModel: false,
  sequenceRanks: 1,
  lossRows: 0,
  sequencesOfSample: 1,
  task: null,
  labels: 1,
  evalBatch: null,
  preference: null,
  answerTokens: null,
  beta: null,
  rewardModel: null,
  teacherModel: null,
  engine: "none",
  engineShare: 0.9,
  engineSleeps: false,
  engineLeaves: { model: false, states: false },
  taken: [],
  globalBatch: null,
  adapters: false,
  quantized: false,
  eightBits: false,
  narrowStates: false,
  dora: false,
  loraRank: null,
  loraTargets: null,
  modulesToSave: [],
  towerTrains: null,
  towerWhole: false,
  mostPixels: null,
  products: null,
  weights: null,
  optimizer: null,
  checkpointing: null,
  attention: null,
  loss: "plain",
  ligerParts: new Set(),
  zero: null,
  hybridRanks: 0,
  shardRanks: null,
  copies: null,
  cutsLoss: false,
  stageBatch: null,
  offload: "none",
  onHost: { parameters: null, states: null },
  deepspeed: {},
  tp: 1,
  pp: 1,
  cp: 1,
});

export interface DraftedRun {
  readonly framework: FrameworkId;
  readonly recipe: TrainRecipe;
  readonly layout: Layout;
  readonly globalBatch: number | null;
  readonly sharding: Sharding;
  readonly upToLength: boolean;
  /** What was taken because nothing was said: name and value. */
  readonly assumed: readonly (readonly [string, string])[];
}

/** Eight GPUs where a run is sharded and nobody says over how many. */
const USUAL_GPUS = 8;

const methodOf = ({ adapters, quantized, dora }: Draft): string =>
  !adapters ? "full" : `${quantized ? "q" : ""}${dora ? "dora" : "lora"}`;

/** Float32 weights under autocast, 16-bit weights under it, or one type; DeepSpeed keeps 16-bit weights and has float32 copies itself. */
function precisionOf(draft: Draft, framework: FrameworkId): string {
  const products = draft.products ?? "bf16";
  if (products === "fp32") return draft.weights === "bf16" ? "bf16" : "fp32";
  if (framework === "deepspeed") return products;
  if (draft.weights === "bf16" || (draft.adapters && draft.weights !== "fp32"))
    return draft.zero === null || draft.zero < 2 ? "bf16-autocast" : "bf16";
  return products === "fp16" ? "autocast-fp16" : "autocast-bf16";
}

/** Values of a sequence by task; others are of tokens. */
const LABELS = table<(labels: number) => number>({
  seq_cls: (labels) => labels,
  reranker: () => 1,
  embedding: () => 0,
});

function labelsOf({ task, labels, preference }: Draft): { readonly labels?: number } {
  if (preference === "rm") return { labels: 1 };
  const found = task !== null && Object.hasOwn(LABELS, task) ? LABELS[task] : undefined;
  return found === undefined ? {} : { labels: found(labels) };
}

/** DeepSpeed moves parameters under stage 3 alone, and with the optimizer's states (runtime/zero/config.py, stage3.py). */
function offloadOf(
  { offload, onHost: { parameters, states } }: Draft,
  zero: number,
  taken: [string, string][],
): Offload {
  if (parameters === null && states === null) return offload;
  const moves = parameters !== null && states !== null && zero === 3;
  if (parameters !== null && !moves)
    taken.push(["offload_param", zero === 3 ? "not without offload_optimizer" : "nothing below stage 3"]);
  return states === null
    ? "none"
    : states === "nvme" || (moves && parameters === "nvme")
      ? "nvme"
      : moves
        ? "all"
        : "optimizer";
}

/** Ranks by axis, where the configuration counts them: torchtitan's axes multiply to the world. */
function countedRanks({ shardRanks, copies, tp, pp, cp }: Draft): number | null {
  return shardRanks === null || copies === null ? null : shardRanks * copies * tp * pp * cp;
}

/** How copies and shards lie over the ranks of data. */
function shardsOf(
  draft: Draft,
  zero: Sharding["zero"],
  count: number,
): { zero: Sharding["zero"]; hybridRanks: number } {
  const { copies, tp, pp, cp } = draft;
  if (copies === null) return { zero, hybridRanks: draft.hybridRanks };
  const shards = draft.shardRanks ?? count / (tp * pp * cp * copies);
  if (copies > 1 && shards === 1) return { zero: 0, hybridRanks: 0 };
  return { zero, hybridRanks: copies > 1 ? shards * cp : 0 };
}

/** What transformers' Trainer takes where nobody names an optimizer (training_args.py, `default_optim`). */
const usualOptimizer = (torch: TorchVersion): string =>
  TORCH_VERSIONS.indexOf(torch) >= TORCH_VERSIONS.indexOf("2.8") ? "adamw-fused" : "adamw";

/** Throws {@link ReadingError}. `gpus`: where the caller says how many; `torch`: the release that runs it. */
export function drafted(draft: Draft, gpus: number | null, torch: TorchVersion): DraftedRun {
  const framework = draft.framework ?? "torch";
  const asked = draft.zero ?? (framework === "deepspeed" ? 2 : 0);
  const needed = draft.tp * draft.pp * draft.cp;
  const counted = countedRanks(draft);
  const said = gpus ?? draft.gpus ?? counted;
  if (said !== null && counted !== null && said !== counted)
    throw new ReadingError("launch_contradiction", {
      a: `${said} GPUs`,
      b: `shards × copies × tp × pp × cp = ${counted}`,
    });
  const least = needed * (draft.copies ?? 1);
  const count = said ?? (asked > 0 || least > 1 ? Math.max(USUAL_GPUS, least) : 1);
  if (draft.copies !== null && count % least !== 0)
    throw new ReadingError("launch_contradiction", { a: `${count} GPUs`, b: `copies × tp × pp × cp = ${least}` });
  const { zero, hybridRanks } = shardsOf(draft, asked, count);
  if (draft.quantized && !draft.adapters)
    throw new ReadingError("launch_contradiction", {
      a: `${draft.eightBits ? 8 : 4}-bit weights`,
      b: "training all parameters",
    });
  const { batch, accumulate, globalBatch } = draft;
  if (
    said !== null &&
    batch !== null &&
    accumulate !== null &&
    globalBatch !== null &&
    batch * accumulate * said !== globalBatch * needed
  )
    throw new ReadingError("launch_contradiction", {
      a: `a batch of ${globalBatch}`,
      b: `${batch} × ${accumulate} steps × ${said / needed} ranks`,
    });
  const base = DEFAULT_TRAINING;
  const pieces = draft.pp > 1 && batch !== null && draft.stageBatch !== null ? batch / draft.stageBatch : 1;
  if (!Number.isInteger(pieces))
    throw new ReadingError("launch_contradiction", { a: `a batch of ${batch}`, b: `stages of ${draft.stageBatch}` });
  const assumed: [string, string][] = [...draft.taken];
  const take = <T extends string | number>(name: string, value: T | null, otherwise: T): T => {
    if (value === null) assumed.push([name, String(otherwise)]);
    return value ?? otherwise;
  };
  if (draft.longestOfModel && draft.seq === null)
    assumed.push(["longest sequence", "not bounded: the data decide, up to the model's longest"]);
  if (said === null) assumed.push(["GPUs", String(count)]);
  return {
    framework,
    recipe: {
      ...base,
      batch: (take("batch", draft.batch, 1) / pieces) * draft.sequencesOfSample,
      seq: Math.ceil((take("tokens of each sequence", draft.seq, base.seq) + answersOf(draft)) / draft.sequenceRanks),
      accumulate: (draft.accumulate ?? 1) * pieces,
      method: methodOf(draft),
      precision: precisionOf(draft, framework),
      optimizer: take("optimizer", draft.optimizer, usualOptimizer(torch)),
      checkpointing: draft.checkpointing ?? (draft.adapters ? "blocks" : "none"),
      attention: draft.attention ?? "sdpa",
      loss: draft.loss,
      loraRank: draft.loraRank ?? base.loraRank,
      loraTargets: draft.loraTargets ?? base.loraTargets,
      modulesToSave: draft.modulesToSave,
    },
    layout: evenLayout({ gpus: count, tp: draft.tp, pp: draft.pp, cp: draft.cp }),
    globalBatch: draft.globalBatch,
    sharding: {
      zero,
      hybridRanks,
      offload: offloadOf(draft, zero, assumed),
      deepspeed: draft.deepspeed,
      ...(draft.sequenceRanks > 1 && draft.loss === "plain" ? { lossRows: draft.lossRows } : {}),
      ...labelsOf(draft),
      ...companionsOf(draft),
      ...(draft.ligerParts.size > 0 ? { ligerParts: [...draft.ligerParts] } : {}),
      ...(draft.eightBits ? { heldAs: "int8" } : {}),
      ...(draft.narrowStates ? { narrowStates: true } : {}),
      ...((draft.evalBatch ?? 0) > (draft.batch ?? 1) ? { evalBatch: draft.evalBatch! * draft.sequencesOfSample } : {}),
      ...(draft.towerTrains === null ? {} : { towerTrains: draft.towerTrains }),
      ...(draft.towerWhole ? { towerWhole: true } : {}),
      ...(draft.mostPixels === null ? {} : { mostPixels: draft.mostPixels }),
      ...(draft.cutsLoss && draft.tp > 1 ? { cutsLoss: true } : {}),
    },
    upToLength: draft.upToLength,
    assumed,
  };
}

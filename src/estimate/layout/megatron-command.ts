/** Reads a Megatron-LM command line into a job: its options, their defaults, and what one option makes of another. */

import type { Launched } from "./launcher.ts";
import { ANOTHER_PROGRAM, NOT_MODELLED, READ, WITHOUT_MEMORY } from "./megatron-options.ts";
import { kindOfModel } from "./megatron-kinds.ts";
import { MegatronOptions } from "./megatron-options-given.ts";
import { chunkLayers } from "./pipeline-layout.ts";
import { capacityOf, checkedParts, contextWay } from "./option-choices.ts";
import { ReadingError, type Reading } from "./reading.ts";
import { holdsMain, stateTypes } from "./state-types.ts";
import type { ExpertSizes, LatentSizes, ModelKind, TrainingJob } from "./training-job.ts";

/** GPT-2's vocabulary, which Megatron-LM's own tests use; and that of its byte-pair tokenizer in tiktoken's format. */
const GPT2_VOCAB = 50257;
const TIKTOKEN_VOCAB = 131072;

const ALL_MICRO_BATCHES = 2 ** 20;

const OTHER_SCRIPTS: readonly { readonly name: RegExp; readonly what: string }[] = [
  { name: /vlm|vision|multimodal|retro/, what: "a model with pictures or a retriever" },
  { name: /train_rl|inference/, what: "reinforcement learning or inference" },
];

/** `([0]*3+[1]*12)`, `[1, 1, 0]` or `2` (every second layer), as layer numbers with experts. */
export function expertLayers(frequency: string | undefined, layers: number): number[] {
  const all = Array.from({ length: layers }, (_, i) => i);
  if (frequency === undefined) return all;
  if (/^\d+$/.test(frequency)) return all.filter((i) => i % Math.max(1, Number(frequency)) === 0);
  const marks: number[] = [];
  for (const [, list, times] of frequency.replaceAll(/\s/g, "").matchAll(/\[([\d,]+)\](?:\*(\d+))?/g)) {
    const values = list!.split(",").map(Number);
    for (let i = 0; i < Math.min(Number(times ?? 1), 4096); i++) marks.push(...values);
  }
  if (marks.length !== layers)
    throw new ReadingError("launch_bad_value", { name: "--moe-layer-freq", value: frequency });
  return all.filter((i) => marks[i] === 1);
}

function experts(options: MegatronOptions, ffn: number): ExpertSizes | null {
  const count = options.number("num-experts");
  if (count === undefined) return null;
  const dispatcher = options.text("moe-token-dispatcher-type") ?? "allgather";
  const padded = options.has("moe-pad-expert-input-to-capacity");
  const capacity = capacityOf("--moe-expert-capacity-factor", options.text("moe-expert-capacity-factor"), padded);
  return {
    experts: count,
    topk: options.number("moe-router-topk") ?? 2,
    ffn: options.number("moe-ffn-hidden-size") ?? ffn,
    sharedFfn: options.number("moe-shared-expert-intermediate-size") ?? 0,
    sharedGate: options.has("moe-shared-expert-gate"),
    dispatcher: dispatcher === "flex" || dispatcher === "alltoall" ? dispatcher : "allgather",
    // the older one multiplies on one stream (GroupedMLP)
    grouped: options.has("moe-grouped-gemm") && !options.has("moe-use-legacy-grouped-gemm"),
    wideRouter: options.text("moe-router-dtype") === "fp32",
    bias: options.has("moe-router-enable-expert-bias"),
    latent: options.number("moe-latent-size") ?? 0,
    ...(capacity === undefined ? {} : { capacity }),
  };
}

function latent(options: MegatronOptions): LatentSizes | null {
  if (!options.has("multi-latent-attention")) return null;
  return {
    queryRank: options.number("q-lora-rank") ?? 0,
    rank: options.number("kv-lora-rank") ?? 32,
    plain: options.number("qk-head-dim") ?? 128,
    rope: options.number("qk-pos-emb-head-dim") ?? 64,
    value: options.number("v-head-dim") ?? 128,
  };
}

/** Parts of `--offload-modules` that ranks can let go of; what others keep stays counted. */
const LET_GO: ReadonlySet<string> = new Set(["core_attn", "moe_act"]);

/** `[core_attn moe_act]` or `core_attn,moe_act`. */
const listed = (text: string | undefined): string[] | undefined =>
  text
    ?.replaceAll(/[[\],]/g, " ")
    .trim()
    .split(/\s+/);

/** Scripts of decoders and hybrids share one way to load batches; those of BERT and T5 have their own. */
const loadsOnGpu = (kind: ModelKind | undefined): boolean => kind === undefined || kind.kind === "hybrid";

/** Without a limit, those of all micro-batches wait. */
function deferred(options: MegatronOptions): number {
  if (!options.has("defer-embedding-wgrad-compute")) return 0;
  const limit = options.number("wgrad-deferral-limit") ?? 0;
  return limit === 0 ? ALL_MICRO_BATCHES : limit;
}

/** What Megatron-LM's own checks of its arguments refuse (training/arguments.py), beside what no layout can have. */
function refuseOdd(options: MegatronOptions, launchedOptions: ReadonlyMap<string, string>): void {
  const heads = options.needed("num-attention-heads");
  const hidden = options.needed("hidden-size");
  if (!launchedOptions.has("kv-channels") && hidden % heads !== 0)
    throw new ReadingError("launch_contradiction", {
      a: `--hidden-size ${hidden}`,
      b: `--num-attention-heads ${heads}`,
    });
  const interleaved = "num-layers-per-virtual-pipeline-stage";
  if (launchedOptions.has(interleaved) && (options.number("pipeline-model-parallel-size") ?? 1) === 1)
    throw new ReadingError("launch_contradiction", { a: `--${interleaved}`, b: "one stage of the pipeline" });
  // transformer/transformer_config.py
  const [full, method] = ["--recompute-granularity full", "--recompute-method"];
  if (launchedOptions.get("recompute-granularity") === "full" && !launchedOptions.has("recompute-method"))
    throw new ReadingError("launch_contradiction", { a: full, b: `no ${method}` });
  const positions = options.number("max-position-embeddings");
  if (positions !== undefined && positions < (options.number("seq-length") ?? 0))
    throw new ReadingError("launch_contradiction", {
      a: `--max-position-embeddings ${positions}`,
      b: `--seq-length ${options.number("seq-length")}`,
    });
  const share = options.number("optimizer-offload-fraction") ?? 0;
  if (share > 1)
    throw new ReadingError("launch_bad_value", { name: "--optimizer-offload-fraction", value: String(share) });
}

/** `gpus`: what the caller knows where the command says nothing. Throws {@link ReadingError}. */
export function readMegatron(
  { options: launchedOptions, gpus: launchedGpus, env, script, unfilled }: Launched,
  gpus: number | null,
): Reading {
  const other = OTHER_SCRIPTS.find(({ name }) => name.test(script));
  if (other !== undefined) throw new ReadingError("launch_other_program", { name: script, what: other.what });
  for (const [name, what] of Object.entries(ANOTHER_PROGRAM))
    if (launchedOptions.has(name)) throw new ReadingError("launch_other_program", { name: `--${name}`, what });
  const options = new MegatronOptions(launchedOptions);
  const ofScript = kindOfModel(script, options);
  const { kind: otherKind, layers, seq } = ofScript;
  const hidden = options.needed("hidden-size");
  const heads = options.needed("num-attention-heads");
  const gated = options.has("swiglu") || options.has("quick-geglu");
  // a gated layer has a third matrix, so Megatron-LM takes two thirds of the width
  const ffn = options.number("ffn-hidden-size") ?? (gated ? Math.floor((4 * hidden * 2) / 3 / 64) * 64 : 4 * hidden);
  const rotaryOld = options.has("use-rotary-position-embeddings");
  const kind = options.text("position-embedding-type") ?? (rotaryOld ? "rope" : "learned_absolute");
  refuseOdd(options, launchedOptions);
  const mla = latent(options);
  const size = (name: string): number => options.number(name) ?? 1;
  const tp = size("tensor-model-parallel-size");
  const pp = size("pipeline-model-parallel-size");
  const cp = size("context-parallel-size");
  const ep = size("expert-model-parallel-size");
  const etp = options.number("expert-tensor-parallel-size") ?? tp;
  const moe = experts(options, ffn);
  const assumed: [string, string][] = [];
  const fewest = Math.max(tp * pp * cp, moe === null ? 1 : pp * ep * etp);
  const count = gpus ?? launchedGpus ?? fewest;
  if (gpus === null && launchedGpus === null) assumed.push(["GPUs", String(count)]);
  const vocab =
    options.number("padded-vocab-size") ??
    options.number("vocab-size") ??
    ofScript.vocab ??
    (options.has("tiktoken-pattern") || options.text("tokenizer-type") === "TikTokenizer"
      ? TIKTOKEN_VOCAB
      : GPT2_VOCAB);
  if (!launchedOptions.has("vocab-size") && !launchedOptions.has("padded-vocab-size"))
    assumed.push(["vocab-size", String(vocab)]);
  const { chunks, layersOfChunks, extraPredictions } = ofScript.stages ?? chunkLayers(options, { layers, pp });
  const experted = moe === null ? [] : (ofScript.expertLayers ?? expertLayers(options.text("moe-layer-freq"), layers));
  const bf16 = options.has("bf16");
  const fp16 = options.has("fp16");
  if (bf16 && fp16) throw new ReadingError("launch_contradiction", { a: "--bf16", b: "--fp16" });
  const narrow = options.has("grad-reduce-in-bf16") || options.text("main-grads-dtype") === "bf16";
  const wide = options.has("accumulate-allreduce-grads-in-fp32");
  // BERT's script takes its own layers by this word
  const impl =
    launchedOptions.get("spec") === "local"
      ? options.text("spec")
      : (options.text("transformer-impl") ?? "transformer_engine");
  const recompute =
    options.text("recompute-granularity") ?? (options.has("recompute-activations") ? "selective" : "none");
  if (recompute !== "none" && recompute !== "full" && recompute !== "selective")
    throw new ReadingError("launch_bad_value", { name: "--recompute-granularity", value: recompute });
  const modules = checkedParts("--recompute-modules", listed(options.text("recompute-modules")));
  const context = contextWay("--cp-comm-type", options.text("cp-comm-type"));
  const moved = options.has("fine-grained-activation-offloading")
    ? (listed(options.text("offload-modules")) ?? [])
    : [];
  // what a part keeps for backward leaves the card, as it does where the part is computed again
  const letGo = recompute === "full" ? [] : moved.filter((name) => LET_GO.has(name));
  const backend = options.text("attention-backend") ?? (options.has("use-flash-attn") ? "flash" : "auto");
  const microBatch = options.needed("micro-batch-size");
  const optimizer = options.text("optimizer") ?? "adam";
  const aware = options.has("use-precision-aware-optimizer");
  const held = holdsMain(launchedOptions.get("fp8-format"), launchedOptions.get("fp8-recipe"));
  if (aware && !launchedOptions.has("use-distributed-optimizer"))
    throw new ReadingError("launch_contradiction", {
      a: "--use-precision-aware-optimizer",
      b: "no --use-distributed-optimizer",
    });
  const bias = !options.has("disable-bias-linear");
  const sequence = options.has("sequence-parallel") && tp > 1;
  const job: TrainingJob = {
    framework: "megatron",
    name: "Megatron-LM",
    model: {
      ...(otherKind === undefined ? {} : { kind: otherKind }),
      hidden,
      layers,
      heads,
      groups: options.has("group-query-attention") ? (options.number("num-query-groups") ?? 1) : heads,
      headDim: options.number("kv-channels") ?? Math.floor(hidden / heads),
      ffn,
      vocab,
      positions: kind === "learned_absolute" ? options.needed("max-position-embeddings", seq) : 0,
      rotary: kind === "rope" || kind === "yarn" || kind === "mrope",
      gated,
      layerNorm: (options.text("normalization") ?? "LayerNorm") === "LayerNorm",
      linearBias: bias,
      queryBias: options.has("add-qkv-bias"),
      queryNorm: options.has("qk-layernorm"),
      tied: !options.has("untie-embeddings-and-output-weights"),
      experts: moe,
      expertLayers: experted,
      latent: mla,
      tower: 0,
      ...(options.has("mtp-use-repeated-layer") ? { sharesPredictions: true } : {}),
      extraPredictions: extraPredictions ?? options.number("mtp-num-layers") ?? 0,
    },
    layout: {
      gpus: count,
      tp,
      pp,
      cp,
      ep,
      etp,
      chunks,
      sequenceParallel: sequence,
      layersOfChunks,
      group: options.number("microbatch-group-size-per-virtual-pipeline-stage") ?? null,
      ...(context.exchangesHeads && cp > 1 ? { exchangesHeads: true } : {}),
    },
    microBatch,
    globalBatch: options.number("global-batch-size") ?? (microBatch * count) / (tp * pp * cp),
    seq,
    dtype: bf16 ? "bfloat16" : fp16 ? "float16" : "float32",
    wideGradients: wide || (bf16 && !narrow),
    zero: options.has("use-distributed-optimizer") ? 1 : 0,
    instances: options.number("num-distributed-optimizer-instances") ?? 1,
    overlap: options.has("overlap-grad-reduce"),
    optimizer: optimizer === "sgd" ? "sgd" : /muon/.test(optimizer) ? "muon" : "adam",
    stateTypes: stateTypes(aware && bf16 && !options.has("optimizer-cpu-offload"), held, (words) => {
      const value = options.text(words.join("-"));
      return value === undefined ? null : [`--${words.join("-")}`, value];
    }),
    offload: options.has("optimizer-cpu-offload") ? (options.number("optimizer-offload-fraction") ?? 1) : 0,
    recompute: recompute === "none" && letGo.length > 0 ? "selective" : recompute,
    recomputeModules: [...(modules ?? (recompute === "selective" ? ["core_attn"] : [])), ...letGo],
    recomputeLayers: options.number("recompute-num-layers") ?? 1,
    recomputeMethod: options.text("recompute-method") === "block" ? "block" : "uniform",
    attention: backend === "flash" || backend === "fused" || backend === "unfused" ? backend : "auto",
    deterministic: options.has("deterministic-mode") || env["NVTE_ALLOW_NONDETERMINISTIC_ALGO"] === "0",
    hiddenDropout: options.number("hidden-dropout") ?? 0.1,
    attentionDropout: options.number("attention-dropout") ?? 0.1,
    transformerEngine: impl !== "local",
    fusedWeightGradients: !options.has("no-gradient-accumulation-fusion"),
    fusedActivation: gated ? !options.has("no-bias-swiglu-fusion") : bias && !options.has("no-bias-gelu-fusion"),
    fusedRotary: !options.has("no-rope-fusion"),
    fusedLoss: options.has("cross-entropy-loss-fusion"),
    fusedSoftmax: !options.has("no-masked-softmax-fusion"),
    // scaled by layer, scores would leave 16 bits (training/arguments.py)
    wideSoftmax: [options.has("attention-softmax-in-fp32"), options.has("apply-query-key-layer-scaling")].includes(
      true,
    ),
    loadsMask: !options.has("no-create-attention-mask-in-dataloader"),
    ...(options.text("rerun-mode") !== "disabled" && loadsOnGpu(otherKind) ? { remembersBatches: true } : {}),
    deferredGradients: deferred(options),
    vocabMultiple: options.number("make-vocab-size-divisible-by") ?? 128,
    keepsGathered: false,
    hybridRanks: 0,
    upToLength: false,
    packed: false,
    sequencesOfSample: 1,
    reference: null,
    labels: null,
    towerTrains: false,
    lora: null,
    env: kept(env),
  };
  options.has("use-mcore-models");
  const rest = [...launchedOptions.keys()].filter((name) => !options.used.has(name));
  return {
    format: "Megatron-LM",
    job,
    understood: [...options.used],
    unmodelled: [
      ...rest.filter((name) => Object.hasOwn(NOT_MODELLED, name)),
      ...(context.other && cp > 1 ? ["cp-comm-type"] : []),
      ...(moved.every((name) => LET_GO.has(name)) ? [] : ["offload-modules"]),
    ],
    without: rest.filter((name) => WITHOUT_MEMORY.has(name) || Object.hasOwn(READ, name)),
    unknown: [
      ...rest.filter((n) => !Object.hasOwn(NOT_MODELLED, n) && !WITHOUT_MEMORY.has(n) && !Object.hasOwn(READ, n)),
      ...unfilled,
      ...options.after,
    ],
    assumed,
  };
}

const MEMORY_VARIABLES = [
  "CUBLAS_WORKSPACE_CONFIG",
  "PYTORCH_CUDA_ALLOC_CONF",
  "PYTORCH_ALLOC_CONF",
  "CUBLASLT_WORKSPACE_SIZE",
];

/** The variables of a command that change what PyTorch allocates. */
export const kept = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(MEMORY_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** Reads a Megatron-SWIFT command line (`megatron sft`, `megatron pt`, `megatron rlhf`) into a job: a published model by name, and ms-swift's defaults. */

import { table } from "../../base/table.ts";
import { findModel } from "../../models/catalogue.ts";
import { fullOfPictures, saidOf, type PictureBounds } from "../../models/full-of-pictures.ts";
import { defaultJob } from "./default-job.ts";
import { isUnfilled, type Launched } from "./launcher.ts";
import { kept } from "./megatron-command.ts";
import { MOST_LAYERS } from "./megatron-options-given.ts";
import { modelSizes } from "./model-sizes.ts";
import { capacityOf, checkedParts, contextWay } from "./option-choices.ts";
import { ReadingError, type Reading } from "./reading.ts";
import { holdsMain, stateTypes } from "./state-types.ts";
import type { LoraSizes, ModelSizes, TrainingJob } from "./training-job.ts";

/** A model that the caller names, by a configuration of its own. */
export interface GivenModel {
  readonly name: string;
  readonly sizes: ModelSizes;
}

/** Commands that train all or some of a model's own parameters. */
export const SWIFT_COMMANDS: ReadonlySet<string> = new Set(["megatron sft", "megatron pt", "megatron rlhf"]);

const UNMODELLED: ReadonlySet<string> = new Set(
  `fp8_recipe fp8_format fp8_param_gather fp4_format
  moe_shared_expert_overlap linear_decoupled_in_proj optimizer_cuda_graph freeze_parameters freeze_parameters_regex
  freeze_parameters_ratio trainable_parameters use_megatron_fsdp lora_bias lora_dtype`.split(/\s+/),
);

/** Fields of ms-swift's MegatronArguments (megatron/arguments/megatron_args.py) that change no memory of the GPU. */
const WITHOUT: ReadonlySet<string> = new Set(
  `lora_alpha use_rslora save_safetensors load_safetensors finetune num_train_epochs max_epochs train_iters lr min_lr
  lr_warmup_fraction lr_warmup_iters lr_warmup_init lr_decay_style lr_decay_iters weight_decay clip_grad adam_beta1 adam_beta2 adam_eps
  moe_permute_fusion moe_aux_loss_coeff moe_z_loss_coeff masked_softmax_fusion dataset val_dataset cached_dataset cached_val_dataset save output_dir
  eval_interval save_interval eval_steps save_steps logging_steps log_interval num_workers dataset_num_proc dataloader_num_workers
  dataloader_persistent_workers dataloader_prefetch_factor dataloader_pin_memory no_save_optim no_save_rng no_load_optim no_load_rng merge_lora
  loss_scale load mcore_model mcore_adapter mcore_ref_model ref_model cross_entropy_fusion_impl overlap_param_gather add_non_thinking_prefix
  agent_template system check_model seed split_dataset_ratio model_author model_name use_hf columns strict lazy_tokenize
  moe_router_load_balancing_type streaming moe_grouped_gemm bf16 torch_dtype attn_impl add_version save_strategy eval_strategy save_total_limit
  template truncation_strategy padding_free group_by_length new_special_tokens beta rpo_alpha
  desirable_weight undesirable_weight center_rewards_coefficient label_smoothing reference_free f_divergence_type loss_type early_stop_interval
  vit_lr aligner_lr report_to wandb_project wandb_exp_name tensorboard_dir muon_momentum muon_split_qkv muon_scale_mode
  muon_use_nesterov muon_num_ns_steps manual_gc manual_gc_steps problem_type metric_for_best_model async_save packing_length packing_num_proc
  dataset_shuffle train_dataloader_shuffle use_cpu_initialization perform_initialization norm_bbox response_prefix enable_thinking
  load_from_cache_file log_throughput ddp_timeout distributed_timeout_minutes attention_softmax_in_fp32`.split(/\s+/),
);

/** What the trained model is compared with, and how many sequences a sample has, by `--rlhf_type`. */
const PREFERENCES = table<{ readonly sequences: number; readonly compares: boolean }>({
  dpo: { sequences: 2, compares: true },
  kto: { sequences: 1, compares: true },
  rm: { sequences: 2, compares: false },
});

/** Values per token by `--task_type`; not named: the vocabulary's. */
const TASK_LABELS = table<(labels: number) => number>({
  seq_cls: (labels) => labels,
  reranker: () => 1,
  embedding: () => 0,
});

/** What may train whole beside adapters, by Megatron-Core's names. */
const SAVED: ReadonlySet<string> = new Set(["word_embeddings", "output_layer"]);

const list = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== "");

/** Throws {@link ReadingError}. */
export function readSwift(
  { options: launchedOptions, gpus: launchedGpus, env, script, unfilled }: Launched,
  gpus: number | null,
  model: GivenModel | null,
  sizesOf: (name: string) => ModelSizes,
): Reading {
  const used = new Set<string>();
  const text = (name: string): string | undefined => {
    const value = launchedOptions.get(name);
    if (value === undefined) return undefined;
    used.add(name);
    if (isUnfilled(value)) throw new ReadingError("launch_bad_value", { name: `--${name}`, value });
    return value;
  };
  const number = (name: string, fallback: number): number => {
    const typed = text(name);
    if (typed === undefined) return fallback;
    const value = Number(typed);
    if (!Number.isSafeInteger(value) || value < 0 || (/pipeline|mtp/.test(name) && value > MOST_LAYERS))
      throw new ReadingError("launch_bad_value", { name: `--${name}`, value: typed });
    return value;
  };
  const flag = (name: string, fallback: boolean): boolean => {
    const typed = text(name);
    return typed === undefined ? fallback : !/^(false|0|no)$/i.test(typed);
  };
  const share = (name: string, fallback: number): number => {
    const value = Number(text(name) ?? fallback);
    if (!(value >= 0 && value <= 1))
      throw new ReadingError("launch_bad_value", { name: `--${name}`, value: text(name) ?? "" });
    return value;
  };
  const tuner = text("tuner_type") ?? text("train_type") ?? "full";
  if (tuner !== "full" && tuner !== "lora" && tuner !== "lora_llm")
    throw new ReadingError("launch_other_program", {
      name: `--tuner_type ${tuner}`,
      what: "adapters in Megatron-Core",
    });
  const type = script === "megatron rlhf" ? (text("rlhf_type") ?? "dpo") : null;
  const preference = type === null ? null : (PREFERENCES[type] ?? null);
  if (type !== null && preference === null)
    throw new ReadingError("launch_other_program", { name: `--rlhf_type ${type}`, what: "generation while training" });
  const task = type === "rm" ? "seq_cls" : (text("task_type") ?? "causal_lm");
  const labelCount = number("num_labels", 1);
  const labels = TASK_LABELS[task]?.(labelCount) ?? null;
  const name = text("model");
  if (name === undefined) throw new ReadingError("launch_missing", { name: "--model" });
  const sizes = model?.sizes ?? sizesOf(name);
  const tp = number("tensor_model_parallel_size", 1);
  const pp = number("pipeline_model_parallel_size", 1);
  const cp = number("context_parallel_size", 1);
  const ep = number("expert_model_parallel_size", 1);
  const etp = number("expert_tensor_parallel_size", 1);
  const count = gpus ?? launchedGpus ?? tp * pp * cp;
  const assumed: [string, string][] = gpus === null && launchedGpus === null ? [["GPUs", String(count)]] : [];
  const first = number("decoder_first_pipeline_num_layers", 0);
  const last = number("decoder_last_pipeline_num_layers", 0);
  const seq = number("max_length", 2048);
  if (!launchedOptions.has("max_length")) assumed.push(["max_length", String(seq)]);
  const packed = flag("packing", false);
  const sequences = preference?.sequences ?? (labels === 0 ? 2 : 1);
  if (!packed) assumed.push(["tokens of each sequence", `at most max_length = ${seq}`]);
  // a sample of several sequences is packed whole, and each of them may be as long as a pack (dataset/packing.py)
  else if (sequences > 1) assumed.push(["tokens of a pack", `at most ${sequences} × max_length = ${sequences * seq}`]);
  if (flag("freeze_llm", false)) assumed.push(["the language model", "trains"]);
  flag("freeze_aligner", true);
  const towerTrains = !flag("freeze_vit", tuner !== "lora_llm");
  const towerAgain = flag("vit_gradient_checkpointing", towerTrains);
  const pictures = pictureBounds(text, env, sizes);
  const seen = sizes.sees === undefined ? null : fullOfPictures(sizes.sees.looks, seq, pictures);
  const leavesOutTowers = seen === null && sizes.hasTowers === true;
  if (seen !== null) assumed.push(["pictures of each sequence", saidOf(seen)]);
  if (leavesOutTowers) assumed.push(["activations of towers for pictures and sound", "0"]);
  if (sizes.experts !== null && sizes.experts.sharedFfn === 0) flag("moe_shared_expert_overlap", false);
  const recompute = text("recompute_granularity") ?? "selective";
  if (recompute !== "none" && recompute !== "full" && recompute !== "selective")
    throw new ReadingError("launch_bad_value", { name: "--recompute_granularity", value: recompute });
  const backend = text("attention_backend") ?? "flash";
  // ms-swift's own default
  const router = text("moe_router_dtype") ?? "fp32";
  const padded = flag("moe_pad_expert_input_to_capacity", false);
  const capacity = capacityOf("--moe_expert_capacity_factor", text("moe_expert_capacity_factor"), padded);
  const context = contextWay("--cp_comm_type", text("cp_comm_type"));
  const experts =
    sizes.experts === null
      ? null
      : {
          ...sizes.experts,
          wideRouter: /^fp(32|64)$/.test(router),
          ...(capacity === undefined ? {} : { capacity }),
        };
  const base = defaultJob({
    framework: "megatron",
    name,
    model: { ...sizes, experts, extraPredictions: number("mtp_num_layers", 0) },
    layout: {
      gpus: count,
      tp,
      pp,
      cp,
      ep,
      etp,
      chunks: number("virtual_pipeline_model_parallel_size", 1),
      sequenceParallel: flag("sequence_parallel", false) && tp > 1,
      layersOfChunks: first + last === 0 ? null : stageLayers(sizes.layers, pp, first, last),
      group: null,
      ...(context.exchangesHeads && cp > 1 ? { exchangesHeads: true } : {}),
    },
    microBatch: number("micro_batch_size", 1),
    globalBatch: number("global_batch_size", 16),
    seq,
    zero: flag("use_distributed_optimizer", true) ? 1 : 0,
    recompute,
  });
  const optimizer = text("optimizer") ?? "adam";
  if (!/^(adam|sgd|(dist_)?muon)$/.test(optimizer))
    throw new ReadingError("launch_bad_value", { name: "--optimizer", value: optimizer });
  const aware = flag("use_precision_aware_optimizer", false);
  const offloads = flag("optimizer_cpu_offload", false);
  if (aware && base.zero === 0)
    throw new ReadingError("launch_contradiction", {
      a: "--use_precision_aware_optimizer true",
      b: "--use_distributed_optimizer false",
    });
  const lora: LoraSizes = {
    rank: number("lora_rank", 8),
    targets: list(text("target_modules") ?? "all-linear"),
    saved: list(text("modules_to_save") ?? ""),
    dropout: share("lora_dropout", 0.05),
  };
  for (const saved of tuner !== "full" ? lora.saved : [])
    if (!SAVED.has(saved)) throw new ReadingError("launch_bad_value", { name: "--modules_to_save", value: saved });
  const job: TrainingJob = {
    ...base,
    upToLength: !packed || sequences > 1,
    packed,
    lora: tuner !== "full" ? lora : null,
    recomputeMethod: text("recompute_method") === "block" ? "block" : "uniform",
    recomputeLayers: number("recompute_num_layers", 1),
    recomputeModules:
      checkedParts("--recompute_modules", text("recompute_modules")?.split(/[\s,]+/)) ?? base.recomputeModules,
    attention: backend === "fused" || backend === "unfused" || backend === "flash" ? backend : "auto",
    fusedWeightGradients: flag("gradient_accumulation_fusion", true),
    fusedLoss: flag("cross_entropy_loss_fusion", true),
    fusedRotary: flag("apply_rope_fusion", false),
    overlap: flag("overlap_grad_reduce", false),
    stateTypes: stateTypes(
      aware && !offloads,
      holdsMain(launchedOptions.get("fp8_format"), launchedOptions.get("fp8_recipe")),
      (words) => {
        const value = text(words.join("_"));
        return value === undefined ? null : [`--${words.join("_")}`, value];
      },
    ),
    wideGradients: (text("main_grads_dtype") ?? "fp32") !== "bf16",
    offload: offloads ? share("optimizer_offload_fraction", 1) : 0,
    sequencesOfSample: sequences,
    reference: preference?.compares !== true ? null : tuner === "full" ? "copy" : "same",
    labels,
    towerTrains,
    ...(towerAgain ? { towerAgain } : {}),
    pictures,
    fullOfPictures: seen !== null,
    ...(leavesOutTowers ? { leavesOutTowers } : {}),
    optimizer: /muon/.test(optimizer) ? "muon" : optimizer === "sgd" ? "sgd" : "adam",
    env: kept(env),
  };
  const rest = [...launchedOptions.keys()].filter((key) => !used.has(key));
  const unmodelled = [
    ...rest.filter((key) => UNMODELLED.has(key)),
    ...(context.other && cp > 1 ? ["cp_comm_type"] : []),
    ...(towerAgain && leavesOutTowers ? ["vit_gradient_checkpointing"] : []),
  ];
  return {
    format: `Megatron-SWIFT (${script})`,
    job,
    understood: [...used].filter((key) => !unmodelled.includes(key)),
    without: rest.filter((key) => WITHOUT.has(key)),
    unmodelled,
    unknown: [...rest.filter((key) => !WITHOUT.has(key) && !UNMODELLED.has(key)), ...unfilled],
    assumed,
  };
}

/** Variables by which Qwen's processors bound a picture: tokens, or pixels. */
function pictureBounds(
  text: (name: string) => string | undefined,
  env: Readonly<Record<string, string>>,
  { sees }: ModelSizes,
): PictureBounds {
  const inKeywords = /"?max_pixels"?\s*:\s*(\d+)/.exec(text("model_kwargs") ?? "")?.[1];
  const pixels = Number(text("max_pixels") ?? env["MAX_PIXELS"] ?? inKeywords ?? 0);
  if (pixels > 0) return { mostPixels: pixels };
  const tokens = Number(env["IMAGE_MAX_TOKEN_NUM"] ?? 0);
  return tokens > 0 && sees?.looks.kind === "patches"
    ? { mostPixels: tokens * (sees.looks.patch * sees.looks.merge) ** 2 }
    : {};
}

/** Sizes of a model of the catalogue. Throws {@link ReadingError}. */
export function publishedSizes(name: string): ModelSizes {
  const found = findModel(name);
  if (!found.ok) throw new ReadingError("launch_bad_value", { name: "--model", value: name });
  return modelSizes(found.value.config, name);
}

/** Other ends, and what is left evenly between them. */
function stageLayers(layers: number, pp: number, first: number, last: number): number[] {
  const ends = (first > 0 ? 1 : 0) + (last > 0 ? 1 : 0);
  const middle = (layers - first - last) / (pp - ends);
  if (pp <= ends || !Number.isInteger(middle) || middle < 1)
    throw new ReadingError("launch_bad_value", {
      name: "--decoder_first_pipeline_num_layers",
      value: String(first || last),
    });
  return Array.from({ length: pp }, (_, i) =>
    i === 0 && first > 0 ? first : i === pp - 1 && last > 0 ? last : middle,
  );
}

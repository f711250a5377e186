/** Reads a Megatron-SWIFT command line (`megatron sft`, `megatron pt`) into a job: a published model by name, and ms-swift's defaults. */

import { findModel } from "../../models/catalogue.ts";
import { defaultJob } from "./default-job.ts";
import type { Launched } from "./launcher.ts";
import { kept } from "./megatron-command.ts";
import { modelSizes } from "./model-sizes.ts";
import { ReadingError, type Reading } from "./reading.ts";
import type { LoraSizes, ModelSizes, TrainingJob } from "./training-job.ts";

/** A model that the caller names, by a configuration of its own. */
export interface GivenModel {
  readonly name: string;
  readonly sizes: ModelSizes;
}

/** Commands that train all or some of a model's own parameters. */
export const SWIFT_COMMANDS: ReadonlySet<string> = new Set(["megatron sft", "megatron pt"]);

const UNMODELLED: ReadonlySet<string> = new Set(
  `fp8_recipe fp8_format fp8_param_gather optimizer_offload_fraction use_precision_aware_optimizer exp_avg_dtype exp_avg_sq_dtype
  main_params_dtype main_grads_dtype moe_expert_capacity_factor moe_shared_expert_overlap freeze_llm freeze_vit
  freeze_aligner vit_gradient_checkpointing padding_free group_by_length new_special_tokens linear_decoupled_in_proj`.split(
    /\s+/,
  ),
);

const WITHOUT: ReadonlySet<string> = new Set(
  `lora_alpha save_safetensors load_safetensors finetune num_train_epochs max_epochs train_iters lr min_lr lr_warmup_fraction lr_warmup_iters
  moe_permute_fusion moe_aux_loss_coeff masked_softmax_fusion dataset val_dataset cached_dataset cached_val_dataset save output_dir
  eval_interval save_interval eval_steps save_steps logging_steps log_interval num_workers dataset_num_proc dataloader_num_workers
  no_save_optim no_save_rng no_load_optim no_load_rng packing merge_lora task_type loss_scale loss_type load mcore_model
  cross_entropy_fusion_impl overlap_param_gather add_non_thinking_prefix agent_template model_kwargs system check_model seed
  split_dataset_ratio model_author model_name use_hf columns strict lazy_tokenize moe_router_load_balancing_type streaming
  moe_grouped_gemm bf16 attn_impl add_version save_strategy eval_strategy save_total_limit template truncation_strategy`.split(
    /\s+/,
  ),
);

/** What may train whole beside adapters, by Megatron-Core's names. */
const SAVED: ReadonlySet<string> = new Set(["word_embeddings", "output_layer"]);

const list = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== "");

/** Throws {@link ReadingError}. */
export function readSwift(
  { options: given, gpus: launchedGpus, env, script }: Launched,
  gpus: number | null,
  model: GivenModel | null,
): Reading {
  const used = new Set<string>();
  const text = (name: string): string | undefined => {
    if (given.has(name)) used.add(name);
    return given.get(name);
  };
  const number = (name: string, fallback: number): number => {
    const typed = text(name);
    if (typed === undefined) return fallback;
    const value = Number(typed);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new ReadingError("launch_bad_value", { name: `--${name}`, value: typed });
    return value;
  };
  const flag = (name: string, fallback: boolean): boolean => {
    const typed = text(name);
    return typed === undefined ? fallback : !/^(false|0|no)$/i.test(typed);
  };
  const tuner = text("tuner_type") ?? text("train_type") ?? "full";
  if (tuner !== "full" && tuner !== "lora")
    throw new ReadingError("launch_other_program", {
      name: `--tuner_type ${tuner}`,
      what: "adapters in Megatron-Core",
    });
  const name = text("model");
  if (name === undefined) throw new ReadingError("launch_missing", { name: "--model" });
  const sizes = model?.sizes ?? publishedSizes(name);
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
  if (!given.has("max_length")) assumed.push(["max_length", String(seq)]);
  if (!flag("packing", false)) assumed.push(["tokens of each sequence", `max_length = ${seq}`]);
  const recompute = text("recompute_granularity") ?? "selective";
  if (recompute !== "none" && recompute !== "full" && recompute !== "selective")
    throw new ReadingError("launch_bad_value", { name: "--recompute_granularity", value: recompute });
  const backend = text("attention_backend") ?? "flash";
  // ms-swift's own default
  const router = text("moe_router_dtype") ?? "fp32";
  const experts = sizes.experts === null ? null : { ...sizes.experts, wideRouter: /^fp(32|64)$/.test(router) };
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
  const lora: LoraSizes = {
    rank: number("lora_rank", 8),
    targets: list(text("target_modules") ?? "all-linear"),
    saved: list(text("modules_to_save") ?? ""),
  };
  for (const saved of tuner === "lora" ? lora.saved : [])
    if (!SAVED.has(saved)) throw new ReadingError("launch_bad_value", { name: "--modules_to_save", value: saved });
  const job: TrainingJob = {
    ...base,
    lora: tuner === "lora" ? lora : null,
    recomputeMethod: text("recompute_method") === "block" ? "block" : "uniform",
    recomputeLayers: number("recompute_num_layers", 1),
    recomputeModules: text("recompute_modules")?.split(/[\s,]+/) ?? base.recomputeModules,
    attention: backend === "fused" || backend === "unfused" || backend === "flash" ? backend : "auto",
    fusedWeightGradients: flag("gradient_accumulation_fusion", true),
    fusedLoss: flag("cross_entropy_loss_fusion", false),
    overlap: flag("overlap_grad_reduce", false),
    offload: flag("optimizer_cpu_offload", false),
    optimizer: /muon/.test(optimizer) ? "muon" : optimizer === "sgd" ? "sgd" : "adam",
    env: kept(env),
  };
  const rest = [...given.keys()].filter((key) => !used.has(key));
  return {
    format: `Megatron-SWIFT (${script})`,
    job,
    understood: [...used],
    without: rest.filter((key) => WITHOUT.has(key)),
    unmodelled: rest.filter((key) => UNMODELLED.has(key)),
    unknown: rest.filter((key) => !WITHOUT.has(key) && !UNMODELLED.has(key)),
    assumed,
  };
}

function publishedSizes(name: string): ModelSizes {
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

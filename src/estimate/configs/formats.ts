/** Formats of configurations by what they are recognised by, with their keys as rules. */

import { AXOLOTL } from "./axolotl-format.ts";
import type { Draft } from "./draft.ts";
import type { Flat, Syntax } from "./flat-text.ts";
import { PREFERENCE_KEYS, PREFERENCE_WITHOUT } from "./preferences.ts";
import * as rule from "./rules.ts";
import type { Rule } from "./rules.ts";
import { ReadingError } from "../layout/reading.ts";
import { TRAINER } from "./trainer-keys.ts";

export interface ConfigFormat {
  readonly name: string;
  readonly recognises: (flat: Flat, syntax: Syntax) => boolean;
  readonly keys: Readonly<Record<string, Rule>>;
  /** What the format means where nothing is said. */
  readonly start: (draft: Draft) => void;
  /** Beginnings of keys that change no memory, beside the shared ones. */
  readonly without: readonly string[];
  /** Groups that another key leaves without effect, with what that key says. */
  readonly unused?: (flat: Flat) => readonly (readonly [group: string, because: string])[];
}

const nothing = (): void => {};
const kept =
  (name: string, number = true): Rule =>
  (draft, value) => {
    if (value === "auto") draft.deepspeed[name] = value;
    else draft.deepspeed[name] = value === "true" ? true : value === "false" ? false : number ? Number(value) : value;
  };
const offload =
  (what: "parameters" | "states"): Rule =>
  (draft, value, name) => {
    if (!/^(none|cpu|nvme)$/.test(value)) throw new ReadingError("launch_bad_value", { name, value });
    draft.onHost[what] = value === "none" ? null : value;
  };
const BUCKETS: Readonly<Record<string, Rule>> = Object.fromEntries(
  `reduce_bucket_size allgather_bucket_size overlap_comm contiguous_gradients sub_group_size stage3_prefetch_bucket_size
  stage3_param_persistence_threshold stage3_max_live_parameters stage3_max_reuse_distance`
    .split(/\s+/)
    .map((name): [string, Rule] => [`zero_optimization.${name}`, kept(name)]),
);
/** Names of earlier releases. */
const OLD_BUCKETS: Readonly<Record<string, Rule>> = Object.fromEntries(
  ["max_live_parameters", "max_reuse_distance", "param_persistence_threshold", "prefetch_bucket_size"].map(
    (name): [string, Rule] => [`zero_optimization.${name}`, kept(`stage3_${name}`)],
  ),
);
/** DeepSpeed's own check: ZeroStageEnum (runtime/zero/config.py). */
const stage = rule.word((draft, value) => {
  if (/^[0-3]$/.test(value)) draft.zero = Number(value) as Draft["zero"];
  return /^[0-3]$/.test(value);
});

/** DeepSpeed's own JSON; `auto` is left to the Trainer, whose values are those of the other options. */
const DEEPSPEED: ConfigFormat = {
  name: "DeepSpeed",
  recognises: (flat, syntax) =>
    syntax === "json" &&
    [...flat.keys()].some((key) => /^(zero_optimization|train_(micro_)?batch_size|(bf16|fp16)\.enabled)/.test(key)),
  start: (draft) => {
    draft.framework = "deepspeed";
  },
  keys: {
    train_micro_batch_size_per_gpu: rule.size("batch"),
    train_batch_size: rule.size("globalBatch"),
    gradient_accumulation_steps: rule.size("accumulate"),
    "bf16.enabled": rule.bf16,
    "bf16.bf16_optimizer_states": rule.narrowStates,
    "fp16.enabled": rule.fp16,
    "optimizer.type": rule.optimizer,
    "zero_optimization.stage": stage,
    "zero_optimization.offload_optimizer.device": offload("states"),
    "zero_optimization.offload_param.device": offload("parameters"),
    ...BUCKETS,
    ...OLD_BUCKETS,
  },
  without: [
    "optimizer.params",
    "scheduler",
    "fp16.",
    "bf16.",
    "steps_per_print",
    "wall_clock",
    "zero_optimization.offload_",
    "zero_optimization.stage3_gather",
    "zero_optimization.gather_16bit",
    "zero_optimization.reduce_scatter",
    "zero_optimization.allgather_partitions",
    "zero_optimization.round_robin",
    "zero_allow",
    "zero_force",
    "flops_profiler",
    "prescale",
    "tensorboard",
    "wandb",
    "csv_monitor",
    "dump_state",
  ],
};

const accelerateStrategy = rule.word((draft, value) => {
  const zero = /FULL_SHARD|HYBRID_SHARD$|^1$|^4$/i.test(value)
    ? 3
    : /GRAD_OP|^2$|^5$|HYBRID_SHARD_ZERO2/i.test(value)
      ? 2
      : /NO_SHARD|^3$/i.test(value)
        ? 0
        : null;
  if (zero !== null) draft.zero = zero;
  return zero !== null;
});
const SECTIONS = [
  ["fsdp_config.", "FSDP"],
  ["deepspeed_config.", "DEEPSPEED"],
] as const;
const ACCELERATE: ConfigFormat = {
  name: "accelerate",
  recognises: (flat) => flat.has("distributed_type") || flat.has("compute_environment"),
  start: nothing,
  // commands/launch.py, _validate_launch_command: a section counts where `distributed_type` names it
  unused: (flat) => {
    const type = flat.get("distributed_type") ?? "NO";
    return SECTIONS.filter(([, its]) => its !== type).map(([group]) => [group, `distributed_type is ${type}`]);
  },
  keys: {
    distributed_type: rule.word((draft, value) => {
      draft.framework = value === "DEEPSPEED" ? "deepspeed" : "torch";
      if (value === "FSDP") draft.zero ??= 3;
      return /^(NO|MULTI_GPU|FSDP|DEEPSPEED)$/.test(value);
    }),
    num_processes: rule.size("gpus"),
    mixed_precision: rule.products,
    "fsdp_config.fsdp_sharding_strategy": accelerateStrategy,
    "fsdp_config.fsdp_reshard_after_forward": rule.word((draft, value) => {
      const zero = /^true$|FULL_SHARD/i.test(value) ? 3 : /^false$|GRAD_OP/i.test(value) ? 2 : null;
      if (zero !== null) draft.zero = zero;
      return zero !== null;
    }),
    "fsdp_config.fsdp_offload_params": rule.flag((draft, on) => {
      if (on) draft.offload = "all";
    }),
    "fsdp_config.fsdp_activation_checkpointing": rule.checkpointing,
    "deepspeed_config.zero_stage": stage,
    "deepspeed_config.offload_optimizer_device": offload("states"),
    "deepspeed_config.offload_param_device": offload("parameters"),
    "deepspeed_config.gradient_accumulation_steps": rule.size("accumulate"),
    "parallelism_config.parallelism_config_tp_size": rule.size("tp"),
    "parallelism_config.parallelism_config_cp_size": rule.size("cp"),
    "parallelism_config.parallelism_config_dp_shard_size": rule.whole((draft, count) => {
      draft.zero ??= 3;
      draft.hybridRanks = count;
    }),
    "parallelism_config.parallelism_config_dp_replicate_size": rule.whole((draft, count) => {
      if (count <= 1) draft.hybridRanks = 0;
    }),
  },
  without: [
    "compute_environment",
    "machine_rank",
    "main_",
    "num_machines",
    "rdzv",
    "same_network",
    "tpu_",
    "use_cpu",
    "downcast",
    "dynamo",
    "gpu_ids",
    "enable_cpu_affinity",
    "fsdp_config.fsdp_auto_wrap",
    "fsdp_config.fsdp_backward_prefetch",
    "fsdp_config.fsdp_cpu_ram",
    "fsdp_config.fsdp_forward_prefetch",
    "fsdp_config.fsdp_state_dict",
    "fsdp_config.fsdp_sync",
    "fsdp_config.fsdp_transformer",
    "fsdp_config.fsdp_use_orig",
    "fsdp_config.fsdp_version",
    "deepspeed_config.gradient_clipping",
    "deepspeed_config.zero3_",
    "deepspeed_config.deepspeed_multinode",
    "deepspeed_config.deepspeed_config_file",
  ],
};

/** -1: all that no other axis takes (distributed/parallel_dims.py). */
const shardRanks = rule.word((draft, value) => {
  draft.shardRanks = Number(value) > 0 ? Number(value) : null;
  return /^(-1|[1-9]\d*)$/.test(value);
});
const wholeLoss = rule.flag((draft, on) => {
  if (on) draft.cutsLoss = false;
});

const replicas = rule.whole((draft, count) => {
  draft.copies = Math.max(1, count);
});
const TORCHTITAN: ConfigFormat = {
  name: "torchtitan",
  recognises: (flat, syntax) => syntax === "toml" && flat.has("model.flavor"),
  start: (draft) => {
    draft.framework = "torch";
    draft.zero = 3;
    draft.products = "bf16";
    draft.weights = "fp32";
    draft.optimizer = "adamw-fused";
    draft.cutsLoss = true;
    draft.stageBatch = 1;
    draft.copies = 1;
    // config_manager.py: mode "selective", selective_ac_option "2"
    draft.checkpointing = "every-2";
  },
  keys: {
    "parallelism.disable_loss_parallel": wholeLoss,
    "training.disable_loss_parallel": wholeLoss,
    "training.enable_loss_parallel": rule.flag((draft, on) => {
      draft.cutsLoss = on;
    }),
    "model.name": (draft, value) => {
      draft.model = draft.model === null ? value : `${value}-${draft.model}`;
    },
    "model.flavor": (draft, value) => {
      draft.model = draft.model === null ? value : `${draft.model}-${value}`;
    },
    "training.local_batch_size": rule.size("batch"),
    "training.batch_size": rule.size("batch"),
    "training.global_batch_size": rule.whole((draft, count) => {
      if (count > 0) draft.globalBatch = count;
    }),
    "training.seq_len": rule.size("seq"),
    "training.mixed_precision_param": rule.products,
    "training.dtype": rule.weights,
    "training.tensor_parallel_degree": rule.size("tp"),
    "training.data_parallel_shard_degree": shardRanks,
    "training.data_parallel_replicate_degree": replicas,
    "optimizer.name": rule.optimizer,
    "optimizer.fused": nothing,
    "parallelism.expert_parallel_degree": rule.single("a mixture over several cards"),
    "parallelism.expert_tensor_parallel_degree": rule.single("experts cut over several cards"),
    "parallelism.tensor_parallel_degree": rule.size("tp"),
    "parallelism.pipeline_parallel_degree": rule.size("pp"),
    "parallelism.pipeline_parallel_microbatch_size": rule.whole((draft, count) => {
      draft.stageBatch = Math.max(1, count);
    }),
    "parallelism.context_parallel_degree": rule.size("cp"),
    "parallelism.data_parallel_shard_degree": shardRanks,
    "parallelism.data_parallel_replicate_degree": replicas,
    "parallelism.fsdp_reshard_after_forward": rule.word((draft, value) => {
      if (value === "never") draft.zero = 2;
      return /^(default|always|never)$/.test(value);
    }),
    // an option of selective checkpointing is there, too, where another kind is on
    "activation_checkpoint.mode": rule.word((draft, value) => {
      draft.checkpointing =
        value === "full" ? "blocks" : value === "none" ? "none" : (draft.checkpointing ?? "every-2");
      return /^(none|full|selective)$/.test(value);
    }),
    "activation_checkpoint.selective_ac_option": rule.word((draft, value) => {
      const asked = value === "op" ? "operators" : /^[24]$/.test(value) ? `every-${value}` : null;
      if (asked !== null && (draft.checkpointing ?? "every-2") === "every-2") draft.checkpointing = asked;
      return true;
    }),
  },
  without: [
    "job.",
    "profiling.",
    "metrics.",
    "checkpoint.",
    "lr_scheduler.",
    "optimizer.",
    "training.steps",
    "training.warmup_steps",
    "training.max_norm",
    "model.norm_type",
    // of what `model.converters` names
    "quantize.",
    "float8.",
    "training.dataset",
    "training.data.",
    "training.mixed_precision_reduce",
    "training.seed",
    "model.hf_assets",
    "model.tokenizer",
    "experimental.",
    "validation.",
    "comm.",
    "debug.",
    "parallelism.enable_async",
    "parallelism.pipeline_parallel_schedule",
    "parallelism.context_parallel_rotate",
  ],
};

const LLAMA_FACTORY: ConfigFormat = {
  name: "LLaMA-Factory",
  recognises: (flat) => flat.has("model_name_or_path") && (flat.has("finetuning_type") || flat.has("template")),
  start: (draft) => {
    draft.checkpointing = "blocks";
    draft.upToLength = true;
    draft.seq = 2048;
    draft.adapters = true;
    // hparams/model_args.py and finetuning_args.py
    draft.towerTrains = false;
    draft.mostPixels = 768 * 768;
  },
  keys: {
    ...TRAINER,
    stage: rule.trains(["dpo", "kto", "rm"]),
    infer_backend: rule.otherProgram("answering (--task infer)"),
    export_dir: rule.otherProgram("merging adapters"),
    // hparams/finetuning_args.py: a reference is there for none of these
    pref_loss: rule.word((draft, value) => {
      if (/^(orpo|simpo)$/.test(value)) draft.preference = value;
      return true;
    }),
    finetuning_type: rule.tunerOf,
    cutoff_len: rule.size("seq"),
    lora_target: rule.targets,
    quantization_bit: rule.bits,
    additional_target: rule.modulesToSave,
    flash_attn: rule.attention,
    pure_bf16: rule.flag((draft, on) => {
      if (on) draft.weights = "bf16";
    }),
    use_dora: rule.flag((draft, on) => {
      draft.dora = on;
    }),
    disable_gradient_checkpointing: rule.flag((draft, on) => {
      if (on) draft.checkpointing = "none";
    }),
  },
  without: ["dataset", "media_dir", "tokenized_path"],
};

const TRL: ConfigFormat = {
  name: "TRL",
  recognises: (flat) => flat.has("model_name_or_path"),
  start: (draft) => {
    draft.seq = 1024;
    draft.upToLength = true;
    draft.batch = 8;
    draft.products = "bf16";
    draft.checkpointing = "blocks";
  },
  keys: {
    ...TRAINER,
    ...PREFERENCE_KEYS,
    // trl/trainer/grpo_config.py: no reference where nobody gives `beta`
    num_generations: (draft) => {
      draft.preference = "grpo";
      draft.beta ??= 0;
    },
    max_prompt_length: rule.size("seq"),
    vllm_enable_sleep_mode: rule.flag((draft, on) => {
      draft.engineSleeps = on;
    }),
  },
  without: ["datasets", "dataset_mixture", ...PREFERENCE_WITHOUT],
};

export const CONFIG_FORMATS: readonly ConfigFormat[] = [TORCHTITAN, ACCELERATE, DEEPSPEED, AXOLOTL, LLAMA_FACTORY, TRL];

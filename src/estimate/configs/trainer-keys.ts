/** Keys of transformers' TrainingArguments and of what peft and accelerate add: TRL, LLaMA-Factory, axolotl and ms-swift share them. */

import { table } from "../../base/table.ts";
import * as rule from "./rules.ts";
import type { Rule } from "./rules.ts";

export const TRAINER = table<Rule>({
  model_name_or_path: rule.model,
  per_device_train_batch_size: rule.size("batch"),
  gradient_accumulation_steps: rule.size("accumulate"),
  bf16: rule.bf16,
  fp16: rule.fp16,
  optim: rule.optimizer,
  gradient_checkpointing: rule.checkpointing,
  attn_implementation: rule.attention,
  use_liger_kernel: rule.liger,
  enable_liger_kernel: rule.liger,
  max_length: rule.size("seq"),
  max_seq_length: rule.size("seq"),
  packing: rule.packing,
  per_device_eval_batch_size: rule.evalBatch,
  eval_batch_size: rule.evalBatch,
  micro_eval_batch_size: rule.evalBatch,
  lora_r: rule.size("loraRank"),
  lora_rank: rule.size("loraRank"),
  lora_target_modules: rule.targets,
  oft_target: rule.targets,
  modules_to_save: rule.modulesToSave,
  lora_modules_to_save: rule.modulesToSave,
  freeze_vit: rule.freezesTower,
  freeze_vision_tower: rule.freezesTower,
  image_max_pixels: rule.mostPixels,
  use_peft: rule.usesAdapters,
  load_in_4bit: rule.fourBits,
  load_in_8bit: rule.eightBits,
  tensor_model_parallel_size: rule.single("ranks of Megatron-Core"),
  pipeline_model_parallel_size: rule.single("ranks of Megatron-Core"),
  expert_model_parallel_size: rule.single("ranks of Megatron-Core"),
  expert_parallel_size: rule.single("experts over several cards"),
  dtype: rule.weights,
  torch_dtype: rule.weights,
  model_dtype: rule.weights,
  deepspeed: rule.deepspeedName,
  fsdp: rule.fsdpName,
});

const UNMODELLED: ReadonlySet<string> = new Set(
  `optimizer lisa_activated_layers use_unsloth flash_attn_packed torch_compile
  neftune_noise_alpha loraplus_lr_ratio use_galore use_badam use_apollo
  freeze_trainable_layers quantization_method activation_offloading auto_find_batch_size eval_packing
  use_rslora ddp_bucket_cap_mb sequence_len_multiple
  freeze_llm mixture_of_depths shift_attn rope_scaling
  max_prompt_length unfrozen_parameters use_kernels torchao optim_target_modules liger_cross_entropy lora_mlp_kernel lora_qkv_kernel lora_o_kernel lora_embedding_kernel
  quantize_moe_experts lora_target_parameters freeze_language_model
  cut_cross_entropy chunked_cross_entropy use_kt gc_steps use_scattermoe use_sonicmoe experts_implementation
  gptq tiled_mlp use_onebitllms fp8 use_adam_mini use_muon relora loftq_bits use_dsv4_kernels use_glm_dsa_kernels llama4_linearized_experts expert_parallel_token_capacity
  expert_parallel_num_nvl_bytes fused_attn_kernel gemma4_hybrid_attn_impl liger_rms_norm_gated model_quantization_config use_v1_kernels dsv4_fp4_grouped_mode`.split(
    /\s+/,
  ),
);

/**
 * Beginnings of such keys: training for 8-bit formats, experts on the host, compression, a compiler, a search for settings. Each is one thing,
 * and is named once.
 */
const UNMODELLED_GROUPS =
  /^(training\.compile|qat\.|kt_(?:config\.)?|model_quantization_config_kwargs\.|compression_training\.\w+\.|autotuning\.|compile\.|model\.converters|fp8_(?:config\.)?|diffusion\.|hatchery\.|llmcompressor\.|sparse_attention\.|progressive_layer_drop\.|zero_optimization\.zenflow\.|galore_|apollo_|badam_|lisa_|relora_|torch_autocast\.)/;

/** The group of a key that is not modelled; null: it stands for itself. */
export function groupOf(key: string): string | null {
  const [group] = UNMODELLED_GROUPS.exec(key) ?? [];
  return group === undefined || group.length === key.length ? null : `${group}*`;
}
/** A key that says whether its group is on. */
export const switchesGroup = (key: string): boolean => /\.enabled?$/.test(key);
/** Says that what it belongs to is off. */
const OFF = /^(false|0|off|none|)$/i;

/** What changes memory and is not modelled, as long as it is not switched off. */
export const isUnmodelled = (key: string, value: string): boolean => namesUnmodelled(key) && !OFF.test(value);
export const namesUnmodelled = (key: string): boolean => UNMODELLED.has(key) || UNMODELLED_GROUPS.test(key);

/** What is known to change no memory, by name; beginnings end with a star. */
const WITHOUT =
  `dataset* data_* val_dataset* eval_dataset* eval_strategy eval_steps evaluation_strategy evals_per_epoch* save_* saves_per_epoch logging_* log_* output_dir
  overwrite_* seed data_seed learning_rate lr_* warmup_* weight_decay adam_* max_grad_norm gradient_clipping num_train_epochs num_epochs max_steps
  report_to run_name wandb_* mlflow_* hub_* push_to_hub trust_remote_code tokenizer* template do_train finetuning_type preprocessing_* dataloader_*
  cutoff_buffer lora_alpha lora_dropout remove_unused_columns ddp_timeout ddp_find_unused_parameters resume_* plot_loss include_num_* group_by_length
  special_tokens* bf16_full_eval chat_template* train_on_inputs strict early_stopping* xformers_attention local_rank debug auto_resume* use_cache
  type base_model_config model_type tokenizer_type hf_use_auth_token shuffle_* trainer report bos_token eos_token pad_token unk_token
  pad_to_sequence_len gradient_checkpointing_kwargs* load_from_cache_file num_workers *_file cosine_* beta_* beta max_samples cutoff disable_tqdm
  lr_scheduler* tf32 flash_attn_fuse* val_size is_* val_set_size do_eval ignore_* mask_* eval_on_start dispatch_batches quantization_type double_quantization bnb_4bit_* adapter_path
  use_logits_to_keep max_epochs padding_free eval_sample_packing cached_* early_stop* vit_gradient_checkpointing max_pixels new_special_tokens use_chat_template problem_type
  system loss_type loss_scale streaming columns lazy_tokenize split_dataset_ratio model_author model_name use_hf agent_template task_type num_labels
  add_version check_model target_parameters processor_type skip_prepare_dataset eot_tokens loss_watchdog_* infer_* export_* pretraining_dataset* eta_min flash_attn_cross_entropy torch_empty_cache_steps
  freeze_aligner freeze_multi_modal_projector experimental_skip_move_to_device model_config.output_router_logits lora_fan_in_fan_out
  model_revision revision_of_model base_model_ignore_patterns average_tokens_across_devices assistant_only_loss packing_strategy tokens tokens.* min_sample_len
  bnb_config_kwargs.* accelerator_config.* low_cpu_mem_usage flash_attn_rms_norm flex_attn_compile_kwargs.* nvfp4_merge_aware streaming_multipack_buffer_size
  max_packed_sequence_len device_map use_tensorboard use_ray ray_num_workers test_value sample_packing_sequentially use_otel_metrics otel_* rl_beta kto_* orpo_alpha
  do_causal_lm_eval center_rewards_coefficient torch_compile_mode jagged_restart_* use_eaft* eaft_* use_asft_loss asft_alpha use_dft_loss pref_* pissa_* do_predict
  predict_with_generate video_fps video_maxlen video_max_pixels fsdp_transformer_layer_cls_to_wrap _comment* comms_config.* monitor_config.* use_reentrant_gc cuda_visible_devices
  gradient_predivide_factor peft_use_rslora pretrain_multipack_attn reinit_weights gptq_disable_exllama cls_model_config nemo_gym_* flash_optimum full_finetune curriculum_sampling resize_token_embeddings_to_32x oft_block_size
  overlap_param_gather overlap_grad_reduce seq_parallel_communication_data_type
  eval_* swanlab_* comet_* trackio_* use_swanlab use_wandb hf_* adapter_name_or_path metric_for_best_model greater_is_better load_best_model_at_end prediction_loss_only`.split(
    /\s+/,
  );

export const changesNothing = (key: string): boolean =>
  WITHOUT.some((name) =>
    name.startsWith("*")
      ? key.endsWith(name.slice(1))
      : name.endsWith("*")
        ? key.startsWith(name.slice(0, -1))
        : key === name,
  );

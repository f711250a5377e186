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
  lora_r: rule.size("loraRank"),
  lora_rank: rule.size("loraRank"),
  lora_target_modules: rule.targets,
  modules_to_save: rule.modulesToSave,
  lora_modules_to_save: rule.modulesToSave,
  freeze_vit: rule.freezesTower,
  freeze_vision_tower: rule.freezesTower,
  image_max_pixels: rule.mostPixels,
  use_peft: rule.usesAdapters,
  load_in_4bit: rule.fourBits,
  dtype: rule.weights,
  torch_dtype: rule.weights,
  model_dtype: rule.weights,
  deepspeed: rule.deepspeedName,
  fsdp: rule.fsdpName,
});

const UNMODELLED: ReadonlySet<string> = new Set(
  `optimizer lisa_activated_layers use_unsloth flash_attn_packed torch_compile
  load_in_8bit neftune_noise_alpha loraplus_lr_ratio use_galore use_badam use_apollo
  freeze_trainable_layers quantization_method activation_offloading auto_find_batch_size eval_packing
  eval_batch_size micro_eval_batch_size use_rslora ddp_bucket_cap_mb sequence_len_multiple
  freeze_llm video_max_pixels mixture_of_depths shift_attn rope_scaling
  max_prompt_length unfrozen_parameters use_kernels torchao optim_target_modules liger_rope liger_rms_norm
  liger_glu_activation liger_layer_norm liger_cross_entropy lora_mlp_kernel lora_qkv_kernel lora_o_kernel lora_embedding_kernel
  quantize_moe_experts lora_target_parameters freeze_language_model
  cut_cross_entropy chunked_cross_entropy resize_token_embeddings_to_32x use_kt gc_steps use_scattermoe use_sonicmoe experts_implementation
  fused_attn_kernel gemma4_hybrid_attn_impl liger_rms_norm_gated model_quantization_config use_v1_kernels dsv4_fp4_grouped_mode`.split(
    /\s+/,
  ),
);

/** Beginnings of such keys: training for 8-bit formats, experts on the host, compression, a compiler, a search for settings. */
const UNMODELLED_GROUPS =
  /^(training\.compile|qat\.|kt_|model_quantization_config_kwargs\.|compression_training\.|autotuning\.|compile\.|model\.converters)/;
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

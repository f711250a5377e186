/** axolotl's YAML. */

import type { ConfigFormat } from "./formats.ts";
import { PREFERENCE_KEYS } from "./preferences.ts";
import * as rule from "./rules.ts";
import { TRAINER } from "./trainer-keys.ts";

export const AXOLOTL: ConfigFormat = {
  name: "axolotl",
  recognises: (flat) => flat.has("base_model"),
  start: (draft) => {
    draft.weights = "bf16";
    draft.upToLength = true;
  },
  keys: {
    ...TRAINER,
    sample_packing: rule.packing,
    base_model: rule.model,
    sequence_len: rule.size("seq"),
    micro_batch_size: rule.size("batch"),
    batch_size: rule.size("globalBatch"),
    optimizer: rule.optimizer,
    rl: rule.trains(["dpo", "kto", "orpo", "simpo", "grpo"]),
    "trl.max_completion_length": PREFERENCE_KEYS["max_completion_length"]!,
    "trl.beta": PREFERENCE_KEYS["beta"]!,
    "trl.use_vllm": PREFERENCE_KEYS["use_vllm"]!,
    "trl.vllm_mode": PREFERENCE_KEYS["vllm_mode"]!,
    reward_model: rule.flag((draft, on) => {
      if (on) draft.preference = "rm";
    }),
    process_reward_model: rule.flag((draft, on) => {
      if (on) draft.labels = 2;
    }),
    float16: rule.fp16,
    bfloat16: rule.bf16,
    freeze_mm_modules: rule.freezesTower,
    dp_replicate_size: rule.copies,
    adapter: rule.tunerOf,
    lora_target_linear: rule.allLinear,
    peft_use_dora: rule.flag((draft, on) => {
      draft.dora = on;
    }),
    flash_attention: rule.flash,
    liger_fused_linear_cross_entropy: rule.ligerPart("fused_linear_cross_entropy"),
    liger_rope: rule.ligerPart("rope"),
    liger_rms_norm: rule.ligerPart("rms_norm"),
    liger_glu_activation: rule.ligerPart("swiglu"),
    sdp_attention: rule.flag(() => {}),
    gradient_checkpointing: rule.word((draft, value) => {
      draft.checkpointing = value === "false" ? "none" : "blocks";
      return /^(true|false|offload)/.test(value);
    }),
    bf16: rule.word((draft, value) => {
      if (value !== "false") draft.products = "bf16";
      return /^(true|false|auto|full)$/.test(value);
    }),
    fp16: rule.fp16,
    tensor_parallel_size: rule.size("tp"),
    context_parallel_size: rule.size("cp"),
    dp_shard_size: rule.whole((draft, count) => {
      draft.zero = 3;
      draft.hybridRanks = count;
    }),
    fsdp: rule.fsdpName,
    "fsdp_config.offload_params": rule.flag((draft, on) => {
      if (on) draft.offload = "all";
    }),
    "fsdp_config.reshard_after_forward": rule.flag((draft, on) => {
      draft.zero = on ? 3 : 2;
    }),
  },
  without: [
    "fsdp_config.",
    "fsdp_version",
    "trl.",
    "vllm.",
    "datasets",
    "chat_template",
    "special_tokens",
    "plugins",
    "liger_layer_norm",
  ],
};

/** Options of `swift sft`, `swift pt` and `swift rlhf`; weights are loaded in the type that is named, adapters are the default. */

import type { ConfigFormat } from "./formats.ts";
import { PREFERENCE_KEYS, PREFERENCE_WITHOUT } from "./preferences.ts";
import * as rule from "./rules.ts";
import { TRAINER } from "./trainer-keys.ts";

export const SWIFT: ConfigFormat = {
  name: "ms-swift",
  recognises: () => false,
  start: (draft) => {
    draft.adapters = true;
    draft.loraRank = 8;
    draft.batch = 1;
    draft.products = "bf16";
    draft.weights = "bf16";
    draft.checkpointing = "blocks";
    draft.upToLength = true;
    // arguments/base_args/base_args.py: without `max_length`, max_model_len
    draft.longestOfModel = true;
    draft.towerTrains = false;
  },
  keys: {
    ...TRAINER,
    model: rule.model,
    tuner_type: rule.tunerOf,
    train_type: rule.tunerOf,
    target_modules: rule.targets,
    attn_impl: rule.attention,
    use_dora: rule.flag((draft, on) => {
      draft.dora = on;
    }),
    quant_bits: rule.bits,
    max_pixels: rule.mostPixels,
    gradient_checkpointing: rule.checkpointing,
    // Ulysses: between layers each rank has its part of every sequence, inside attention its heads of all of it
    sequence_parallel_size: rule.whole((draft, count) => {
      draft.sequenceRanks = Math.max(1, count);
    }),
    // a pair is compared: what is asked, and what answers it
    task_type: (draft, value) => {
      draft.task = value;
      if (value === "embedding") draft.sequencesOfSample = 2;
    },
    num_labels: rule.whole((draft, count) => {
      draft.labels = Math.max(1, count);
    }),
    ...PREFERENCE_KEYS,
  },
  without: [
    ...PREFERENCE_WITHOUT,
    "vit_lr",
    "aligner_lr",
    "router_aux",
    "quant_method",
    "experts_impl",
    "max_model_len",
    "label_names",
    "problem_type",
    "rpo_alpha",
    "init_weights",
    "tuner_backend",
    "label_smoothing",
    "add_non_thinking_prefix",
  ],
};

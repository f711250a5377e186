/** The program of a DeepSpeed run: what a person starts with `deepspeed` or torchrun. */

import { table } from "../../base/table.ts";
import { CONFIG_FILE } from "../program.ts";
import { ATTENTION_NAMES } from "../recipe.ts";
import { METHODS, OPTIMIZERS, PRECISIONS, row } from "../techniques.ts";
import { CHECKPOINTING, LIGER_IMPORTS } from "../model-changes.ts";
import { answersOfCompanions, companionLines, comparisonLines } from "./companions.ts";
import {
  adapterLines,
  choosesByName,
  evaluationLines,
  frozenLines,
  indented,
  ligerLines,
  LOSS_BY_ROWS,
  lossLines,
  quantizationLines,
} from "./program-lines.ts";
import type { ShardedJob } from "./sharded-job.ts";

/** What transformers' Trainer puts in the place of `auto`, by the model's width (integrations/deepspeed.py). */
const FILLED = table<(hidden: number) => number>({
  reduce_bucket_size: (hidden) => hidden * hidden,
  stage3_prefetch_bucket_size: (hidden) => Math.floor(0.9 * hidden * hidden),
  stage3_param_persistence_threshold: (hidden) => 10 * hidden,
});

const narrowed = ({ narrowStates }: ShardedJob["sharding"]): Record<string, boolean> =>
  narrowStates === true ? { bf16_master_weights_and_grads: true, bf16_optimizer_states: true } : {};

/** DeepSpeed's JSON for a job: what was said, over what the recipe means. */
export function deepspeedConfig({ job, recipe, sharding }: ShardedJob): Record<string, unknown> {
  const { zero, offload, deepspeed } = sharding;
  const { weights } = row(PRECISIONS, recipe.precision);
  const device = offload === "nvme" ? "nvme" : "cpu";
  return {
    train_micro_batch_size_per_gpu: recipe.batch,
    gradient_accumulation_steps: recipe.accumulate,
    ...(weights === "bfloat16" ? { bf16: { enabled: true, ...narrowed(sharding) } } : {}),
    ...(weights === "float16" ? { fp16: { enabled: true } } : {}),
    zero_allow_untested_optimizer: true,
    zero_optimization: {
      stage: zero,
      ...(offload === "none" ? {} : { offload_optimizer: { device } }),
      ...(zero === 3 && (offload === "all" || offload === "nvme") ? { offload_param: { device } } : {}),
      ...Object.fromEntries(
        Object.entries(deepspeed).flatMap(([key, value]) => {
          const fill = Object.hasOwn(FILLED, key) ? FILLED[key] : undefined;
          return value !== "auto" ? [[key, value]] : fill === undefined ? [] : [[key, fill(job.model.hidden)]];
        }),
      ),
    },
  };
}

/** Under stage 3 in parts like the model, else whole on every rank (trl, prepare_deepspeed). */
const frozenPlace =
  ({ sharding }: ShardedJob) =>
  (make: string): string[] =>
    sharding.zero === 3
      ? [
          "with deepspeed.zero.Init(config_dict_or_path=ds_config):",
          `    companion = ${make}`,
          "companion = deepspeed.initialize(model=companion.requires_grad_(False).eval(), config=ds_config)[0]",
        ]
      : [`companion = ${make}.to(device).requires_grad_(False).eval()`];

const python = (value: unknown): string =>
  value === true
    ? "True"
    : value === false
      ? "False"
      : value === null
        ? "None"
        : Array.isArray(value)
          ? `[${value.map(python).join(", ")}]`
          : typeof value === "object"
            ? `{${Object.entries(value as object)
                .map(([key, item]) => `${JSON.stringify(key)}: ${python(item)}`)
                .join(", ")}}`
            : JSON.stringify(value);

export function deepspeedProgram(sharded: ShardedJob): string {
  const { recipe, head, sharding, configuration } = sharded;
  const method = row(METHODS, recipe.method);
  const precision = row(PRECISIONS, recipe.precision);
  const optimizer = row(OPTIMIZERS, recipe.optimizer);
  const checkpointing = row(CHECKPOINTING, recipe.checkpointing);
  const attention = recipe.attention === "sdpa" ? "" : `, attn_implementation="${ATTENTION_NAMES[recipe.attention]}"`;
  const make = `model = ${head.auto}.from_config(config, dtype=dtype${attention})`;
  const made = Object.entries(head.training);
  const quantized = method.quantized;
  return [
    "import os",
    ...(choosesByName(sharding, method.adapters) ? ["import re"] : []),
    "",
    "import deepspeed",
    "import torch",
    ...optimizer.imports,
    ...checkpointing.imports,
    ...(recipe.loss === "liger" ? LIGER_IMPORTS : []),
    `from transformers import AutoConfig, ${head.auto}${quantized ? ", BitsAndBytesConfig" : ""}`,
    ...(method.adapters
      ? [`from peft import LoraConfig, get_peft_model${quantized ? ", prepare_model_for_kbit_training" : ""}`]
      : []),
    "",
    `batch = ${recipe.batch}`,
    `length = ${recipe.seq}`,
    `accumulate = ${recipe.accumulate}`,
    'local_rank = int(os.environ["LOCAL_RANK"])',
    'device = torch.device("cuda", local_rank)',
    `dtype = torch.${precision.weights}`,
    "torch.cuda.set_device(device)",
    "deepspeed.init_distributed()",
    `ds_config = ${python(deepspeedConfig(sharded))}`,
    "",
    `config = AutoConfig.from_pretrained("${CONFIG_FILE}")`,
    ...configuration,
    ...(quantized
      ? quantizationLines(head.auto, attention, sharding)
      : sharding.zero === 3
        ? ["with deepspeed.zero.Init(config_dict_or_path=ds_config):", `    ${make}`]
        : [make]),
    ...(quantized && recipe.checkpointing === "blocks" ? [] : checkpointing.lines),
    ...(recipe.loss === "liger" ? ligerLines(sharding) : []),
    ...(method.adapters ? adapterLines(recipe, method.dora, sharding) : frozenLines(sharding)),
    ...(method.trains === "head"
      ? ["model.requires_grad_(False)", "model.get_output_embeddings().requires_grad_(True)"]
      : []),
    "model.train()",
    "trained = [p for p in model.parameters() if p.requires_grad]",
    ...optimizer.lines,
    "engine, optimizer, _, _ = deepspeed.initialize(model=model, optimizer=optimizer, model_parameters=trained, config=ds_config)",
    "del model, trained",
    "",
    ...companionLines(sharded, frozenPlace(sharded)),
    ...comparisonLines(sharded),
    ...((sharding.lossRows ?? 0) > 0 ? LOSS_BY_ROWS : []),
    "# the second step has the optimizer's states from its beginning",
    "for step in range(2):",
    ...indented([
      "for micro_batch in range(accumulate):",
      ...indented([
        ...made.map(([name, value]) => `${name} = ${value}`),
        ...answersOfCompanions(
          sharded,
          made.map(([name]) => `${name}=${name}`),
        ),
        ...lossLines(
          "engine",
          made.map(([name]) => `${name}=${name}`),
          sharding,
          false,
        ),
        "engine.backward(loss)",
        "engine.step()",
      ]),
      ...evaluationLines(
        sharding,
        made.map(([name, value]) => [name, value]),
        "engine",
        null,
      ),
      'torch.cuda.nvtx.mark(f"after step {step + 1}")',
    ]),
    "",
  ].join("\n");
}

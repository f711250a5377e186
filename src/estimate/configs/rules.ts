/** What keys of configurations mean: one rule for each meaning, shared by the formats that have it. */

import { table } from "../../base/table.ts";
import { ReadingError } from "../layout/reading.ts";
import type { Draft } from "./draft.ts";

/** Puts the value of a key into the draft. Throws {@link ReadingError}. */
export type Rule = (draft: Draft, value: string, name: string) => void;

const broken = (name: string, value: string): ReadingError => new ReadingError("launch_bad_value", { name, value });

export const whole =
  (put: (draft: Draft, count: number) => void): Rule =>
  (draft, value, name) => {
    const count = Number(value);
    if (!Number.isSafeInteger(count) || count < 0) throw broken(name, value);
    put(draft, count);
  };
/** A size: 0 is none. */
export const size = (
  field: "batch" | "seq" | "accumulate" | "loraRank" | "gpus" | "tp" | "pp" | "cp" | "globalBatch",
): Rule =>
  whole((draft, count) => {
    if (count > 0) draft[field] = count;
  });
export const flag =
  (put: (draft: Draft, on: boolean) => void): Rule =>
  (draft, value, name) => {
    const on = /^(true|1|yes|y)$/i.test(value);
    if (!on && !/^(false|0|no|n|none)$/i.test(value)) throw broken(name, value);
    put(draft, on);
  };
export const word =
  (put: (draft: Draft, text: string) => boolean): Rule =>
  (draft, value, name) => {
    if (!put(draft, value)) throw broken(name, value);
  };

/** What a run does: texts, or preferences and rewards by one of the names that are given. */
export const trains =
  (preferences: readonly string[]): Rule =>
  (draft, value, name) => {
    if (/^(sft|pt|false)$/.test(value)) return;
    if (!preferences.includes(value))
      throw new ReadingError("launch_other_program", { name: `${name}: ${value}`, what: "another training" });
    draft.preference = value;
  };

/** A key that only a configuration has which does not train. */
export const otherProgram =
  (what: string): Rule =>
  (_, __, name) => {
    throw new ReadingError("launch_other_program", { name, what });
  };

/** Whole rows of the greatest length. */
export const packing = flag((draft, on) => {
  if (on) draft.upToLength = false;
});
export const evalBatch = whole((draft, count) => {
  draft.evalBatch = count;
});

export const model: Rule = (draft, value) => {
  draft.model = value;
};
export const bf16 = flag((draft, on) => {
  if (on && draft.products === "fp16") throw new ReadingError("launch_contradiction", { a: "bf16", b: "fp16" });
  if (on) draft.products = "bf16";
  else draft.products ??= null;
});
export const fp16 = flag((draft, on) => {
  if (on && draft.products === "bf16") throw new ReadingError("launch_contradiction", { a: "fp16", b: "bf16" });
  if (on) draft.products = "fp16";
});
const TYPES = table<Draft["products"]>({
  bfloat16: "bf16",
  bf16: "bf16",
  float16: "fp16",
  fp16: "fp16",
  float32: "fp32",
  fp32: "fp32",
  no: "fp32",
  auto: null,
});
const typeOf = (value: string): Draft["products"] | undefined => TYPES[value.replace(/^torch\./, "").toLowerCase()];
export const products = word((draft, value) => {
  const type = typeOf(value);
  if (type !== undefined && type !== null) draft.products = type;
  return type !== undefined || value === "fp8" || value === "false";
});
export const weights = word((draft, value) => {
  const type = typeOf(value);
  if (type !== undefined && type !== null) draft.weights = type;
  return type !== undefined;
});

/** Names of optimizers as transformers' TrainingArguments has them. */
const OPTIMIZERS: readonly (readonly [RegExp, string])[] = [
  [/^paged_adamw_8bit$/, "adamw-paged-8bit"],
  [/^paged_adamw(_32bit)?$/, "adamw-paged"],
  [/^(adamw|adam|ademamix)_((bnb|torch)_)?8bit$/, "adamw-8bit"],
  // torchao's; its states are half as large as what is taken
  [/^adamw_torch_4bit$/, "adamw-8bit"],
  [/^(paged_)?lion_8bit$/, "lion-8bit"],
  [/^lion(_32bit)?$/, "lion"],
  [/^adamw_(torch_)?fused$|^adamw_apex_fused$/, "adamw-fused"],
  [/^adamw(_torch|_hf)?$/i, "adamw"],
  [/^adam$/i, "adam"],
  // two float32 states, as Adam
  [/^(fused)?lamb$/i, "adam"],
  [/^adafactor$/, "adafactor"],
  [/^sgd$/i, "sgd"],
  [/^rmsprop$/, "rmsprop"],
  [/^adagrad$/, "adagrad"],
];
export const optimizer = word((draft, value) => {
  const found = OPTIMIZERS.find(([pattern]) => pattern.test(value));
  if (value.endsWith("4bit")) draft.taken.push([value, "states of 8 bits, at most twice as large"]);
  if (found !== undefined) draft.optimizer = found[1];
  return found !== undefined;
});
export const checkpointing = flag((draft, on) => {
  draft.checkpointing = on ? "blocks" : "none";
});
export const attention = word((draft, value) => {
  // kernels that keep no scores take what FlashAttention takes
  const kind = /flash|fa2|fa3|xformers|flex/.test(value)
    ? "flash"
    : /sdpa|auto/.test(value)
      ? "sdpa"
      : /eager|disabled/.test(value)
        ? "eager"
        : null;
  if (kind !== null) draft.attention = kind;
  return kind !== null;
});
/** Fused norms, feed-forward parts, positions and loss. */
export const liger = flag((draft, on) => {
  if (on) draft.loss = "liger";
});
/** One of Liger's kernels by its own name; those that nobody names stay off. */
export const ligerPart = (part: string): Rule =>
  flag((draft, on) => {
    if (!on) return;
    draft.loss = "liger";
    draft.ligerParts.add(part);
  });
export const flash = flag((draft, on) => {
  if (on) draft.attention = "flash";
});
export const tuner = word((draft, value) => {
  if (!/^(lora|qlora|dora|full|none|sft)$/i.test(value)) return false;
  draft.adapters = /lora|dora/i.test(value);
  if (/^q/i.test(value)) draft.quantized = true;
  if (/^dora$/i.test(value)) draft.dora = true;
  return true;
});
export const usesAdapters = flag((draft, on) => {
  draft.adapters = on;
});
export const fourBits = flag((draft, on) => {
  if (on && draft.eightBits) throw new ReadingError("launch_contradiction", { a: "4-bit weights", b: "8-bit weights" });
  draft.quantized ||= on;
});
export const eightBits = flag((draft, on) => {
  if (on && draft.quantized) throw new ReadingError("launch_contradiction", { a: "8-bit weights", b: "4-bit weights" });
  draft.quantized ||= on;
  draft.eightBits ||= on;
});
export const bits = word((draft, value) => {
  draft.quantized = value === "4" || value === "8";
  draft.eightBits = value === "8";
  return /^(4|8|0|16)$/.test(value);
});
export const narrowStates = flag((draft, on) => {
  draft.narrowStates = on;
});
/** Adapters that are no products of two narrow matrices, but of their size: taken for low-rank ones, and said. */
const LIKE_LORA = /^(adalora|adapter|boft|oft|bone|longlora|vera)$/;
export const tunerOf: Rule = (draft, value, name) => {
  // ms-swift, tuner_plugin/lora_llm.py: adapters of the language model, and towers that train whole
  if (value === "lora_llm") {
    draft.adapters = draft.towerTrains = draft.towerWhole = true;
    return;
  }
  if (LIKE_LORA.test(value)) draft.taken.push([`${name} ${value}`, "lora"]);
  tuner(draft, LIKE_LORA.test(value) ? "lora" : value, name);
};
/** What another program does with the same configuration. */
export const single =
  (what: string): Rule =>
  (_, value, name) => {
    if (!/^([01]|false|none)$/i.test(value))
      throw new ReadingError("launch_other_program", { name: `${name}: ${value}`, what });
  };
export const targets: Rule = (draft, value) => {
  const all = /^(all|all-linear|true)$/.test(value);
  draft.loraTargets = all ? ["all-linear"] : value.split(/[,\s]+/).filter((name) => /^[\w.-]+$/.test(name));
};
export const allLinear = flag((draft, on) => {
  if (on) draft.loraTargets = ["all-linear"];
});

/** What transformers' Trainer fills in from the model's width (integrations/deepspeed.py). */
const TRAINER_FILLS = ["reduce_bucket_size", "stage3_prefetch_bucket_size", "stage3_param_persistence_threshold"];

/** Two ways to shard at once: transformers' Trainer and ms-swift (arguments/sft_args.py, _init_fsdp) refuse them. */
function refuseBoth(draft: Draft, other: Draft["framework"]): void {
  if (draft.framework === other) throw new ReadingError("launch_contradiction", { a: "fsdp", b: "deepspeed" });
}

/** `zero3_offload`, `examples/deepspeed/ds_z2_config.json`: what names of files and short names say. */
export const deepspeedName = word((draft, value) => {
  const stage = /(?:zero|z)[-_]?([0-3])/i.exec(value.split("/").at(-1)!);
  if (stage === null) return false;
  refuseBoth(draft, "torch");
  draft.framework = "deepspeed";
  draft.zero = Number(stage[1]) as Draft["zero"];
  // files of this name leave the buckets of stage 3 to the Trainer
  if (draft.zero === 3) draft.deepspeed = Object.fromEntries(TRAINER_FILLS.map((key) => [key, "auto"]));
  if (/offload/i.test(value)) draft.offload = draft.zero === 3 ? "all" : "optimizer";
  return true;
});
export const fsdpName: Rule = (draft, value) => {
  if (/^(|false|no)$/i.test(value)) return;
  refuseBoth(draft, "deepspeed");
  draft.framework = "torch";
  draft.zero = /shard_grad_op/.test(value) ? 2 : /no_shard/.test(value) ? 0 : 3;
  if (/offload/.test(value)) draft.offload = "all";
};

/** Words of a list, as a shell or YAML says it. */
const listed = (value: string): string[] => value.split(/[,\s[\]'"]+/).filter((name) => /^[\w.-]+$/.test(name));
export const modulesToSave: Rule = (draft, value) => {
  draft.modulesToSave = listed(value);
};
export const freezesTower = flag((draft, on) => {
  draft.towerTrains = !on;
});
export const mostPixels = whole((draft, count) => {
  if (count > 0) draft.mostPixels = count;
});

/** Ranks that hold copies; one: all share. */
export const copies = word((draft, value) => {
  if (value === "1") draft.hybridRanks = 0;
  return /^\d+$/.test(value);
});

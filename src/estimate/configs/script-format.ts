/** A Python program that trains with Unsloth or with transformers, peft and TRL: the plain arguments of its calls, as a configuration. */

import { pythonCalls, type PythonCall } from "./python-calls.ts";
import type { ConfigFormat } from "./formats.ts";
import type { Flat } from "./flat-text.ts";
import { PREFERENCE_KEYS, PREFERENCE_WITHOUT } from "./preferences.ts";
import * as rule from "./rules.ts";
import { TRAINER } from "./trainer-keys.ts";

/** Calls by what their arguments are for, the first that fits; arguments of the trainer's settings stand without a group. */
const CALLS: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)Fast\w*Model\.from_pretrained$/, "unsloth."],
  [/(^|\.)Fast\w*Model\.get_peft_model$/, "adapters."],
  [/(^|\.)AutoModel\w*\.from_pretrained$/, "model."],
  [/(^|\.)LoraConfig$/, "adapters."],
  [/(^|\.)get_peft_model$/, "peft."],
  [/(^|\.)BitsAndBytesConfig$/, "bits."],
  [/(^|\.)(SFT|DPO|KTO|ORPO|CPO|GRPO|Reward)Config$/, ""],
  [/(^|\.)(Unsloth|Seq2Seq)?TrainingArguments$/, ""],
  [/(^|\.)(SFT|DPO|KTO|ORPO|CPO|GRPO|Reward|Unsloth)?Trainer$/, "trainer."],
];

/** What is loaded first is trained; a later one loads what came of it. */
const LOADS: ReadonlySet<string> = new Set(["unsloth.", "model."]);

const groupOf = ({ name }: PythonCall): string | undefined => CALLS.find(([its]) => its.test(name))?.[1];
/** Settings that train by preferences. */
const PREFERENCES: readonly (readonly [RegExp, string])[] = [
  [/DPO(Config|Trainer)$/, "dpo"],
  [/KTO(Config|Trainer)$/, "kto"],
  [/ORPO(Config|Trainer)$/, "orpo"],
  [/CPO(Config|Trainer)$/, "cpo"],
  [/GRPO(Config|Trainer)$/, "grpo"],
  [/Reward(Config|Trainer)$/, "rm"],
];

/** Objects that a program hands on. */
const OBJECTS = /^(trainer|peft)\.|\.(tokenizer|quantization_config|token|device_map|\d)$|^\d$/;

export interface ScriptText {
  readonly flat: Flat;
  /** Arguments that only the running program knows. */
  readonly open: readonly (readonly [string, string])[];
}

/** Null where no call of the text loads a model and trains it. */
export function scriptText(text: string): ScriptText | null {
  const { calls, open } = pythonCalls(text);
  const flat = new Map<string, string>();
  const computed: [string, string][] = [];
  for (const call of calls) {
    const group = groupOf(call);
    if (group === undefined || (LOADS.has(group) && flat.has(`${group}calls`))) continue;
    flat.set(`${group}calls`, "true");
    for (const [name, value] of call.args) flat.set(`${group}${name}`, value);
    for (const name of open.get(call)!.filter((its) => !OBJECTS.test(`${group}${its}`)))
      computed.push([`${group}${name}`, "not known before it runs"]);
  }
  const preference = PREFERENCES.find(([its]) => calls.some(({ name }) => its.test(name)));
  if (preference !== undefined) flat.set("trains", preference[1]);
  if (flat.has("peft.calls") && !flat.has("adapters.calls")) computed.push(["adapters", "lora"]);
  const loads = [...LOADS].some((group) => flat.has(`${group}calls`));
  return loads && (flat.has("trainer.calls") || flat.has("calls")) ? { flat, open: computed } : null;
}

const nothing = (): void => {};
/** Copies in 4 bits that Unsloth publishes beside a model. */
const COPY_IN_4_BITS = /-(unsloth-)?bnb-4bit$/i;

const model: rule.Rule = (draft, value) => {
  draft.model = value.replace(COPY_IN_4_BITS, "");
  if (COPY_IN_4_BITS.test(value)) draft.quantized = true;
};

const FROM_PRETRAINED = {
  "0": model,
  attn_implementation: rule.attention,
  dtype: rule.weights,
  torch_dtype: rule.weights,
  load_in_4bit: rule.fourBits,
  load_in_8bit: rule.eightBits,
};
const grouped = (group: string, keys: Readonly<Record<string, rule.Rule>>): Record<string, rule.Rule> =>
  Object.fromEntries(Object.entries(keys).map(([key, its]) => [`${group}${key}`, its]));

export const SCRIPT: ConfigFormat = {
  name: "a Python program",
  recognises: () => false,
  start: (draft) => {
    draft.upToLength = true;
    draft.batch = 8;
  },
  keys: {
    ...TRAINER,
    ...PREFERENCE_KEYS,
    trains: (draft, value) => {
      draft.preference = value;
    },
    calls: nothing,
    // unsloth/models/loader.py: weights in 4 bits where nobody says otherwise, products in 16
    "unsloth.calls": (draft) => {
      draft.quantized = true;
      draft.products = "bf16";
      draft.taken.push(["Unsloth's own kernels", "those of transformers and peft, which need more"]);
    },
    ...grouped("unsloth.", {
      ...FROM_PRETRAINED,
      model_name: model,
      max_seq_length: rule.size("seq"),
      load_in_4bit: rule.flag((draft, on) => {
        draft.quantized = on;
      }),
      load_in_8bit: rule.flag((draft, on) => {
        if (on) draft.quantized = draft.eightBits = true;
      }),
      full_finetuning: rule.flag((draft, on) => {
        if (on) draft.quantized = draft.adapters = false;
      }),
    }),
    "model.calls": nothing,
    ...grouped("model.", { ...FROM_PRETRAINED, pretrained_model_name_or_path: model }),
    "bits.calls": nothing,
    ...grouped("bits.", { load_in_4bit: rule.fourBits, load_in_8bit: rule.eightBits }),
    "adapters.calls": (draft) => {
      draft.adapters = true;
    },
    // another kind of adapters, whose configuration is not read
    "peft.calls": (draft) => {
      draft.adapters = true;
    },
    ...grouped("adapters.", {
      r: rule.size("loraRank"),
      target_modules: rule.targets,
      modules_to_save: rule.modulesToSave,
      use_dora: rule.flag((draft, on) => {
        draft.dora = on;
      }),
      use_gradient_checkpointing: rule.word((draft, value) => {
        draft.checkpointing = value === "false" ? "none" : "blocks";
        if (value === "unsloth")
          draft.taken.push(["inputs of blocks", "kept on the card (Unsloth moves them to the host)"]);
        return /^(true|false|unsloth)$/.test(value);
      }),
    }),
    "trainer.calls": nothing,
    "trainer.max_seq_length": rule.size("seq"),
    "trainer.packing": rule.packing,
  },
  without: ["trainer.", "0", "model.", "adapters.", "peft.", "bits.", "unsloth.", "label_names", ...PREFERENCE_WITHOUT],
};

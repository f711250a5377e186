/** Training by preferences and rewards: what lies beside the model that trains, by `--rlhf_type` of ms-swift and the like. */

import { table } from "../../base/table.ts";
import { ReadingError } from "../layout/reading.ts";
import type { Sharding } from "../sharded/sharded-job.ts";
import type { Draft } from "./draft.ts";
import * as rule from "./rules.ts";
import type { Rule } from "./rules.ts";

interface Preference {
  /** Sequences of one sample. */
  readonly sequences: number;
  /** A model that stays as it was is asked, too; with adapters it is the model without them. `beta`: where that is not 0. */
  readonly reference: "always" | "beta" | "never";
  readonly usualBeta: number;
  /** Answers are written while training, and their log-probabilities are compared. */
  readonly writes: boolean;
  /** Models that only answer, by what names them; values are those of a second reward model that trains, taken as one that does not. */
  readonly others: readonly ("rewardModel" | "teacherModel")[];
}

const pairs = { sequences: 2, usualBeta: 0.1, writes: false, others: [] } as const;

const PREFERENCES = table<Preference>({
  dpo: { ...pairs, reference: "always" },
  simpo: { ...pairs, reference: "never" },
  cpo: { ...pairs, reference: "never" },
  orpo: { ...pairs, reference: "never" },
  kto: { ...pairs, sequences: 1, reference: "always" },
  rm: { ...pairs, reference: "never" },
  grpo: { sequences: 1, reference: "beta", usualBeta: 0.04, writes: true, others: [] },
  ppo: { sequences: 1, reference: "always", usualBeta: 0.05, writes: true, others: ["rewardModel", "rewardModel"] },
  gkd: { sequences: 1, reference: "never", usualBeta: 0.5, writes: false, others: ["teacherModel"] },
});

function preferenceOf(type: string): Preference {
  const found = PREFERENCES[type];
  if (found === undefined)
    throw new ReadingError("launch_other_program", {
      name: `--rlhf_type ${type}`,
      what: "training with further models or generated tokens",
    });
  return found;
}

/** Sequences of a sample. Throws {@link ReadingError} for what is not known. */
export const startPreference = (type: string): number => preferenceOf(type).sequences;

/** Tokens that come behind what is given. */
export const answersOf = ({ preference, answerTokens }: Draft): number =>
  preference !== null && preferenceOf(preference).writes ? (answerTokens ?? USUAL_ANSWER) : 0;

/** ms-swift's `max_completion_length` and `response_length`. */
const USUAL_ANSWER = 512;

export function companionsOf(draft: Draft): Pick<Sharding, "companions"> {
  if (draft.preference === null) return {};
  const { reference, usualBeta, writes, others } = preferenceOf(draft.preference);
  const compares = reference === "always" || (reference === "beta" && (draft.beta ?? usualBeta) > 0);
  const isCopy = compares && !draft.adapters;
  const named = others.map((field) => draft[field] ?? draft.model ?? "");
  if (!isCopy && !writes && named.length === 0) return {};
  const engine =
    writes && draft.engine === "same"
      ? {
          share: draft.engineShare,
          sleeps: draft.engineSleeps,
          modelLeaves: draft.engineLeaves.model,
          statesLeave: draft.engineLeaves.states,
        }
      : null;
  if (writes && draft.engine === "none") draft.taken.push(["writing answers", "no more than training takes"]);
  return { companions: { answers: writes ? answersOf(draft) : null, reference: isCopy, others: named, engine } };
}

export const PREFERENCE_KEYS = table<Rule>({
  rlhf_type: (draft, value) => {
    draft.preference = value;
  },
  max_completion_length: rule.whole((draft, count) => {
    draft.answerTokens = count;
  }),
  response_length: rule.whole((draft, count) => {
    draft.answerTokens = count;
  }),
  beta: (draft, value, name) => {
    if (!Number.isFinite(Number(value))) throw new ReadingError("launch_bad_value", { name, value });
    draft.beta = Number(value);
  },
  reward_model: (draft, value) => {
    draft.rewardModel = value.replaceAll("'", "");
  },
  teacher_model: (draft, value) => {
    draft.teacherModel = value;
  },
  use_vllm: rule.flag((draft, on) => {
    draft.engine = on ? (draft.engine === "same" ? "same" : "apart") : "none";
  }),
  vllm_mode: rule.word((draft, value) => {
    draft.engine = value === "colocate" ? "same" : "apart";
    return /^(colocate|server)$/.test(value);
  }),
  vllm_gpu_memory_utilization: (draft, value, name) => {
    const share = Number(value);
    if (!(share > 0 && share <= 1)) throw new ReadingError("launch_bad_value", { name, value });
    draft.engineShare = share;
  },
  sleep_level: rule.whole((draft, level) => {
    draft.engineSleeps = level > 0;
  }),
  offload_model: rule.flag((draft, on) => {
    draft.engineLeaves.model = on;
  }),
  offload_optimizer: rule.flag((draft, on) => {
    draft.engineLeaves.states = on;
  }),
});

/** What such trainings are told and their memory does not follow from. */
export const PREFERENCE_WITHOUT: readonly string[] = [
  "num_generations",
  "vllm_",
  "move_model_batches",
  "reward_",
  "overlong_filter",
  "log_completions",
  "num_iterations",
  "temperature",
  "top_p",
  "top_k",
  "repetition_penalty",
  "external_plugins",
  "epsilon",
  "scale_rewards",
  "dynamic_sample",
  "max_resample",
  "soft_cache_length",
  "async_generate",
  "lmbda",
  "sft_alpha",
  "seq_kd",
  "cliprange",
  "vf_coef",
  "kl_coef",
  "gamma",
  "lam",
  "local_rollout",
  "stop_words",
  "steps_per_generation",
  "generation_batch_size",
  "importance_sampling",
  "delta",
  "multi_turn",
  "ref_model",
];

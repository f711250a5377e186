/** English wording of training by preferences and by rewards. */

export const enAlignment = {
  option_reference:
    "dpo, grpo, ppo: what answers are compared with: another copy, the model without its adapters, or nothing",
  option_reward: "grpo, ppo: the model that gives rewards; grpo without it takes a function",
  option_sleep: "grpo with --engine vllm: 1 puts the engine's weights on the host while the model trains, 2 drops them",
  example_estimate_dpo: "phases of a step of DPO with adapters",
  example_estimate_grpo: "GRPO with vLLM on the same card, asleep while the model trains",
  alignment_needs_text: "{name}: training by preferences or rewards needs a decoder that writes text",
  alignment_title: "{model} · {task} on {gpu}",
  alignment_line: "{recipe} · {reference}",
  alignment_reference_copy: "reference: another copy",
  alignment_reference_same: "reference: the model without its adapters",
  alignment_reference_none: "no reference",
  alignment_worst: "most is needed in {phase}: {used}, {allocated} of it allocated by the program that trains",
  alignment_column_phase: "phase",
  alignment_column_allocated: "allocated",
  alignment_column_reserved: "reserved",
  alignment_column_engine: "engine",
  alignment_column_process: "with context",
  alignment_column_left: "left",
  alignment_phase_start: "models loaded",
  alignment_phase_generate: "answers are written",
  alignment_phase_old: "their probabilities",
  alignment_phase_reference: "reference forward",
  alignment_phase_values: "values",
  alignment_phase_reward: "rewards",
  alignment_phase_forward: "forward",
  alignment_phase_backward: "backward",
  alignment_phase_update: "optimizer",
  alignment_phase_sync: "weights to the engine",
  alignment_shows: "--show-program prints the program.",
  alignment_rules:
    "One program with all models ran two steps, as TRL's trainers do them; each row is the highest point of a phase. Reserved is what the allocator holds by then: what one phase leaves cached counts in the next. Every sequence has all its tokens.",
  alignment_sleep_0:
    "{engine} {version} holds {budget} all the time (TRL's default share of the card is 0.3, --memory-fraction).",
  alignment_sleep_1:
    "{engine} {version} takes {budget} while it writes. Asleep it leaves its cache, and its weights lie on the host; graphs, buffers and cached activations stay.",
  alignment_sleep_2:
    "{engine} {version} takes {budget} while it writes. Asleep it leaves its cache and its weights, which come anew from the model; graphs, buffers and cached activations stay.",
};

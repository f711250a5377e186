/** Models beside the one that trains, in preferences and rewards: what they lie as, when they run, and what an engine on the same card takes. */

import { CONFIG_FILE } from "../program.ts";
import { LOG_PROBS } from "../alignment/program.ts";
import { indented } from "./program-lines.ts";
import type { ShardedJob } from "./sharded-job.ts";

export interface Engine {
  /** Of the card, while it writes. */
  readonly share: number;
  /** It gives weights and cache back while the model trains. */
  readonly sleeps: boolean;
  /** What of the training lies on the host while it writes. */
  readonly modelLeaves: boolean;
  readonly statesLeave: boolean;
}

export interface Companions {
  /** Tokens of an answer whose log-probabilities are compared; null: the loss is that of texts. */
  readonly answers: number | null;
  /** A copy of the model that stays as it was. */
  readonly reference: boolean;
  /** Names of further models that only answer: rewards, values, a teacher. */
  readonly others: readonly string[];
  readonly engine: Engine | null;
}

/** The file from which a program reads the configuration of a further model. */
export const companionFile = (index: number): string => `companion-${index}.json`;

/** Lines that make them; `place` puts one where it lies. */
export function companionLines({ head, sharding }: ShardedJob, place: (make: string) => readonly string[]): string[] {
  const { companions } = sharding;
  if (companions === undefined) return [];
  const files = [...(companions.reference ? [CONFIG_FILE] : []), ...companions.others.map((_, i) => companionFile(i))];
  if (files.length === 0) return [];
  return [
    "companions = []",
    `for file in ${JSON.stringify(files)}:`,
    ...indented([
      "companion_config = AutoConfig.from_pretrained(file)",
      ...place(`${head.auto}.from_config(companion_config, dtype=dtype)`),
      "companions.append(companion)",
    ]),
    "",
  ];
}

/** Lines of a micro-batch before the model's own: each of the others answers. */
export const answersOfCompanions = (
  { sharding: { companions } }: ShardedJob,
  callArguments: readonly string[],
): string[] => {
  if (companions === undefined || (!companions.reference && companions.others.length === 0)) return [];
  const asked = callArguments.filter((word) => !word.startsWith("labels=")).join(", ");
  const kept = companions.answers === null ? "" : `, logits_to_keep=${companions.answers + 1}`;
  return [
    "with torch.no_grad():",
    "    for companion in companions:",
    `        theirs = companion(${asked}${kept}).logits`,
    "        del theirs",
  ];
};

/** `log_probs`, where answers are compared. */
export const comparisonLines = ({ sharding: { companions } }: ShardedJob): readonly string[] =>
  typeof companions?.answers === "number" ? ["", "from torch.nn import functional as F", "", ...LOG_PROBS] : [];

/** The loss of what was generated (TRL, GRPOTrainer): logits of the answer alone, divided by a temperature in their place. */
export const answerLoss = (call: string, callArguments: readonly string[], answers: number): string[] => [
  `logits = ${call}(${callArguments.filter((word) => !word.startsWith("labels=")).join(", ")}, logits_to_keep=${answers + 1}).logits`,
  `logits = logits[:, -${answers + 1} : -1]`,
  "logits.div_(1.0)  # the temperature",
  `loss = -log_probs(logits, input_ids[:, -${answers}:]).mean()`,
  "del logits",
];

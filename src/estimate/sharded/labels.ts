/** Decoders that say something of a whole sequence in the place of its next tokens: a class, a value, or the states themselves. */

import type { Head } from "../../models/heads.ts";

export interface Labelled {
  readonly head: Head;
  /** Lines after the configuration is read. */
  readonly configuration: readonly string[];
}

/** `labels`: values of a sequence; 0: its states; null: the vocabulary's of each token. */
export function labelled(head: Head, labels: number | null): Labelled {
  if (labels === null || !head.hasLength || head.encoderDecoder) return { head, configuration: [] };
  const { labels: _, ...inputs } = head.training;
  if (labels === 0) return { head: { ...head, auto: "AutoModel", training: inputs }, configuration: [] };
  const type = labels === 1 ? "dtype" : "torch.int64";
  return {
    head: {
      ...head,
      auto: "AutoModelForSequenceClassification",
      training: { ...inputs, labels: `torch.zeros(batch, dtype=${type}, device=device)` },
    },
    configuration: [`config.num_labels, config.pad_token_id = ${labels}, config.pad_token_id or 0`],
  };
}

/** Sequences are compared by the directions of their last states. */
export const statesLoss = (call: string, callArguments: readonly string[]): string[] => [
  `states = ${call}(${callArguments.join(", ")}).last_hidden_state[:, -1]`,
  "states = torch.nn.functional.normalize(states, dim=-1)",
  "likeness = states @ states.t()",
  "loss = torch.nn.functional.cross_entropy(likeness, torch.arange(likeness.shape[0], device=device))",
];

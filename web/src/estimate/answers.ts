/** Answers to what is asked behind buttons. */

import { signal } from "@preact/signals";
import type { Diagnostic } from "../../../src/base/diagnostic.ts";
import type { Changes, Estimate, Largest, SizeName, Sweep } from "../../../src/estimate/index.ts";

/** They belong to what was simulated last. */
export interface Answers {
  readonly changes: Changes | null;
  readonly largest: readonly Largest[];
  readonly sweep: Sweep | null;
  /** Of all cards. */
  readonly cards: readonly Estimate[] | null;
  /** Why the last question has no answer. */
  readonly problem: Diagnostic | null;
}
export const NO_ANSWERS: Answers = { changes: null, largest: [], sweep: null, cards: null, problem: null };
export const answers = signal<Answers>(NO_ANSWERS);

export type Question =
  | { readonly id: "changes" }
  | { readonly id: "largest"; readonly size: SizeName }
  | { readonly id: "sweep"; readonly size: SizeName; readonly values: readonly number[] }
  | { readonly id: "cards" };
export type QuestionId = Question["id"];

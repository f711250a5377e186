/** How a program of another kind of training differs from one with labels. */

/** What another kind of training puts in the place of a batch with labels and its loss. */
export interface OtherTraining {
  readonly imports: readonly string[];
  /** Of transformers. */
  readonly names: readonly string[];
  readonly sizes: readonly (readonly [string, number])[];
  readonly configuration: readonly string[];
  /** Beside the one that trains. */
  readonly models: readonly string[];
  /** Expression of all parameters that train; null: the model's. */
  readonly trained: string | null;
  readonly loss: readonly string[];
  readonly steps: readonly string[];
}

/**
 * Selective checkpointing: results of chosen operators are kept while a region runs first, and handed out in their
 * order when it runs again (torch/utils/checkpoint.py, create_selective_checkpoint_contexts).
 */

import { TorchError } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import type { Session } from "./session.ts";

/** Null: made again. */
type Entry = { readonly tensors: readonly (Tensor | null)[]; readonly list: boolean } | null | "used";

/** What one region keeps. */
export class KeptResults {
  private readonly entries = new Map<string, Entry[]>();

  put(op: string, index: number, entry: Entry): void {
    const list = this.entries.get(op) ?? [];
    list[index] = entry;
    this.entries.set(op, list);
  }

  take(op: string, index: number): Entry | undefined {
    const list = this.entries.get(op);
    const entry = list?.[index];
    if (list && entry && entry !== "used") list[index] = "used";
    return entry;
  }

  get tensors(): Tensor[] {
    return [...this.entries.values()].flatMap((list) =>
      list.flatMap((entry) => (entry && entry !== "used" ? entry.tensors.filter((t) => t !== null) : [])),
    );
  }

  release(): void {
    for (const list of this.entries.values())
      for (const entry of list) if (entry && entry !== "used") for (const t of entry.tensors) t?.release();
    this.entries.clear();
  }
}

/** The state between entering and leaving a region. */
export class SelectiveMode {
  private readonly counts = new Map<string, number>();
  private readonly store: KeptResults;
  /** Whether an operator's result is kept; null while the region runs again. */
  private readonly keeps: ((op: string) => boolean) | null;

  constructor(store: KeptResults, keeps: ((op: string) => boolean) | null) {
    this.store = store;
    this.keeps = keeps;
  }

  /** Computes what is not looked at, and neither is what it calls in turn. */
  pass(session: Session, compute: () => unknown): unknown {
    session.selective = null;
    try {
      return compute();
    } finally {
      session.selective = this;
    }
  }

  /** The operator's result: computed, or what was kept of it. What `compute` calls in turn is not looked at. */
  run(session: Session, op: string, compute: () => unknown): unknown {
    const alone = (): unknown => this.pass(session, compute);
    const index = this.counts.get(op) ?? 0;
    this.counts.set(op, index + 1);
    if (this.keeps) {
      const result = alone();
      this.store.put(op, index, this.keeps(op) ? kept(session, result) : null);
      return result;
    }
    const entry = this.store.take(op, index);
    if (entry === undefined) throw new TorchError(`aten.${op} encountered during backward but not found in storage.`);
    if (entry === "used")
      throw new TorchError(
        "Trying to backward an extra time. You are only allowed to backward once on any region computed under selective activation checkpoint.",
      );
    if (entry === null) return alone();
    for (const t of entry.tensors) if (t) session.pool.add(t);
    return entry.list ? [...entry.tensors] : entry.tensors[0];
  }
}

/** Aliases that hold the storages without the graph. */
function kept(session: Session, result: unknown): Entry {
  const alias = (t: unknown): Tensor | null => (t instanceof Tensor ? session.alias(t) : null);
  return Array.isArray(result) ? { tensors: result.map(alias), list: true } : { tensors: [alias(result)], list: false };
}

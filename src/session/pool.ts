/**
 * Who owns tensors that no variable holds yet: the running scope. Every tensor that an op makes belongs to the scope
 * until it ends; what the scope returns moves out, all else is given back. This is C++'s rule for temporaries and locals.
 */

import type { Tensor } from "../tensor/tensor.ts";

export class TensorPool {
  private readonly items: Tensor[] = [];

  get size(): number {
    return this.items.length;
  }

  /** What the running scopes own, outermost first. */
  get tensors(): readonly Tensor[] {
    return this.items;
  }

  /** Takes over one reference. */
  add(tensor: Tensor): void {
    this.items.push(tensor);
  }

  /** Gives back everything added since `mark`. */
  release(mark: number): void {
    while (this.items.length > mark) (this.items.pop() as Tensor).release();
  }

  /** Ends a scope: its results stay, owned by the surrounding scope. */
  leave(mark: number, results: unknown): void {
    if (this.items.length === mark) return;
    if (this.items.length === mark + 1 && this.items[mark] === results) return;
    const kept = hold(results);
    this.release(mark);
    for (const t of kept) this.items.push(t);
  }

  /** Ends a scope: the caller owns one reference to each result. */
  leaveOwned(mark: number, results: unknown): void {
    hold(results);
    this.release(mark);
  }

  /** Gives back one tensor of the running scope early. */
  drop(tensor: Tensor): void {
    const at = this.items.lastIndexOf(tensor);
    if (at < 0) return;
    this.items.splice(at, 1);
    tensor.release();
  }
}

function hold(results: unknown): Tensor[] {
  const kept: Tensor[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (value && typeof value === "object" && "storage" in value) kept.push((value as Tensor).retain());
  };
  visit(results);
  return kept;
}

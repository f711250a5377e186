/** A graph node that runs the derivative rows of an operator. */

import type { Args, BackwardContext, Derivative, TensorMeta } from "../ops/row.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { AutogradHost } from "./host.ts";
import type { SavedEnd } from "../trace/model.ts";
import { Node } from "./node.ts";
import { freedError, SavedTensor } from "./saved.ts";

/** A differentiable argument: its name and, in the flat list of node outputs, where its gradients go. */
export interface InputSlot {
  readonly name: string;
  readonly start: number;
  /** -1 for a single tensor, else the length of the list. */
  readonly length: number;
}

export class FormulaNode extends Node {
  readonly derivatives: readonly Derivative[];
  private readonly slots: readonly InputSlot[];
  private readonly args: Args;
  readonly meta: Record<string, TensorMeta | (TensorMeta | null)[] | null>;
  /** By name; a list argument keeps a list. */
  readonly saved = new Map<string, SavedTensor | (SavedTensor | null)[] | null>();
  private readonly ran: readonly string[];
  /** A plain number is a tensor to PyTorch's formulas: it is gone after backward as other saved values are, and no hook sees it. */
  private number: "none" | "kept" | "gone" = "none";

  constructor(
    host: AutogradHost,
    name: string,
    derivatives: readonly Derivative[],
    slots: readonly InputSlot[],
    args: Args,
    meta: Record<string, TensorMeta | (TensorMeta | null)[] | null>,
    needed: readonly string[],
  ) {
    super(host, name);
    this.derivatives = derivatives;
    this.slots = slots;
    this.args = args;
    this.meta = meta;
    this.ran = needed;
  }

  save(name: string, value: Tensor | readonly (Tensor | null)[] | null, isOutput: boolean): void {
    const keep = (t: Tensor | null, slot: string): SavedTensor | null =>
      t ? new SavedTensor(this, this.host, t, isOutput, slot) : null;
    if (value === null) this.saved.set(name, null);
    else if (isList(value))
      this.saved.set(
        name,
        value.map((t, i) => keep(t, `${name}[${i}]`)),
      );
    else this.saved.set(name, keep(value, name));
  }

  saveNumber(): void {
    this.number = "kept";
  }

  /** Inputs that need a gradient, by name. */
  get neededNames(): readonly string[] {
    return this.ran;
  }

  override apply(grads: readonly (Tensor | null)[], needed: readonly boolean[]): (Tensor | null)[] {
    const outputs: (Tensor | null)[] = new Array(this.edges.length).fill(null);
    const first = grads.find((g) => g !== null);
    if (!first) return outputs;
    const host = this.host;
    const needs: Record<string, boolean> = {};
    for (const slot of this.slots) {
      const n = Math.max(slot.length, 1);
      needs[slot.name] = false;
      for (let i = 0; i < n; i++) if (needed[slot.start + i]) needs[slot.name] = true;
    }
    const unpacked: Tensor[] = [];
    const open = (s: SavedTensor | null): Tensor | null => {
      if (!s) return null;
      const t = s.unpack(this);
      unpacked.push(t);
      return t;
    };
    // Formulas ask for saved tensors by name when they need them, as unpacking may run a hook.
    const cache = new Map<string, unknown>();
    const saved = new Proxy(
      {},
      {
        get: (_, name: string) => {
          if (!cache.has(name)) {
            const s = this.saved.get(name) ?? null;
            cache.set(name, Array.isArray(s) ? s.map(open) : open(s));
          }
          return cache.get(name);
        },
      },
    );
    const context: BackwardContext = {
      grad: grads[0] ?? first,
      grads,
      saved,
      args: this.args,
      meta: this.meta,
      needs,
      ops: host.ops,
      statement: (run) => host.scope(run),
      drop: (t) => host.drop(t),
      readBack: (number, from) => host.readBack(number, from),
      rules: host.rules,
      gpu: host.gpu,
      temporaries: host.temporaries,
      gradEnabled: host.gradEnabled,
    };
    try {
      if (this.number === "gone") throw freedError();
      // PyTorch unpacks every saved variable before the first formula runs.
      for (const name of this.saved.keys()) void (saved as Args)[name];
      for (const derivative of this.derivatives) {
        if (!derivative.of.some((name) => needs[name])) continue;
        const result = host.own(() => asList(derivative.formula(context), derivative.of.length));
        this.place(derivative, result, needed, outputs);
      }
      return outputs;
    } catch (error) {
      for (const t of outputs) t?.release();
      throw error;
    } finally {
      for (const t of unpacked) t.release();
    }
  }

  private place(
    derivative: Derivative,
    result: readonly (Tensor | null)[],
    needed: readonly boolean[],
    outputs: (Tensor | null)[],
  ): void {
    let next = 0;
    for (const name of derivative.of) {
      const slot = this.slots.find((s) => s.name === name);
      const n = slot ? Math.max(slot.length, 1) : 1;
      for (let i = 0; i < n; i++) {
        const grad = result[next++] ?? null;
        if (!grad) continue;
        if (slot && needed[slot.start + i]) outputs[slot.start + i] = grad;
        else grad.release();
      }
    }
  }

  override releaseVariables(end: SavedEnd): void {
    for (const s of this.saved.values())
      if (Array.isArray(s)) for (const one of s) one?.release(end);
      else s?.release(end);
    if (this.number === "kept") this.number = "gone";
  }

  override keptTensors(): [string, SavedTensor][] {
    const found: [string, SavedTensor][] = [];
    for (const [name, s] of this.saved) {
      const list = Array.isArray(s) ? s : [s];
      list.forEach((one, i) => one && found.push([Array.isArray(s) ? `${name}[${i}]` : name, one]));
    }
    return found;
  }
}

const isList = (v: Tensor | readonly (Tensor | null)[]): v is readonly (Tensor | null)[] => Array.isArray(v);

function asList(value: Tensor | null | readonly (Tensor | null)[], expected: number): readonly (Tensor | null)[] {
  if (value === null) return new Array<null>(expected).fill(null);
  return isList(value) ? value : [value];
}

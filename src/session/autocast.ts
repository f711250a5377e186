/** Autocast: which arguments are cast before an op runs, and the cache of cast weights (aten/src/ATen/autocast_mode.cpp). */

import type { TorchRules } from "../torch/changes.ts";
import type { CompiledOp } from "../ops/registry.ts";
import type { Args, Ops } from "../ops/row.ts";
import { type DType, FLOAT16, FLOAT32, FLOAT64, isFloating, isReducedFloat, promoteTypes } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";

export interface AutocastState {
  enabled: boolean;
  dtype: DType;
  cacheEnabled: boolean;
  nesting: number;
}

/** What casting needs from the session. */
export interface CastHost {
  readonly ops: Ops;
  readonly rules: TorchRules;
  readonly gradEnabled: boolean;
  readonly inferenceMode: boolean;
  /** A compiled function neither reads nor fills the cache (torch/_functorch: disable_autocast_cache). */
  readonly follower: object | null;
  remark(tensor: Tensor, note: string): void;
  withGrad<T>(enabled: boolean, run: () => T): T;
}

export class Autocast {
  readonly states: Record<"cuda" | "cpu", AutocastState> = {
    cuda: { enabled: false, dtype: FLOAT16, cacheEnabled: true, nesting: 0 },
    cpu: { enabled: false, dtype: FLOAT16, cacheEnabled: true, nesting: 0 },
  };
  /** Cast copies of leaf weights by the weight; held until the outermost block ends. Weights are held too. */
  private readonly cache = new Map<Tensor, Tensor>();

  get anyEnabled(): boolean {
    return this.states.cuda.enabled || this.states.cpu.enabled;
  }

  /** Cast copies that are kept, and the weights they are of. */
  get cachedCopies(): readonly Tensor[] {
    return [...this.cache].flat();
  }

  clearCache(): void {
    const entries = [...this.cache];
    this.cache.clear();
    for (const [weight, copy] of entries) {
      copy.release();
      weight.release();
    }
  }

  /** The state that applies to a call with these tensors, or null. */
  stateFor(tensors: readonly Tensor[]): AutocastState | null {
    const state = this.states[tensors.some((t) => t.isCuda) ? "cuda" : "cpu"];
    return state.enabled ? state : null;
  }

  /** Arguments as the op shall see them; the same object when nothing changes. */
  castArguments(op: CompiledOp, args: Args, host: CastHost): Args {
    const policy = op.row.autocast;
    if (!policy) return args;
    const tensors = op.tensorArgs.flatMap((a) => tensorsOf(args[a.name]));
    const state = this.stateFor(tensors);
    if (!state) return args;
    if (typeof policy === "object") throw new TorchError(policy.refuses);
    if (policy === "float32-dtype") {
      if (
        args.dtype === null &&
        tensors.every((t) => isFloating(t.dtype)) &&
        tensors.some((t) => isReducedFloat(t.dtype))
      )
        return { ...args, dtype: FLOAT32 };
      return args;
    }
    let target = policy === "low" ? state.dtype : FLOAT32;
    if (policy === "promote") {
      target = state.dtype;
      for (const t of tensors) if (isFloating(t.dtype)) target = promoteTypes(target, t.dtype);
    }
    const result: Args = { ...args };
    // Compiled by GCC, C++ evaluates the casts of a call's arguments from the last to the first.
    const isList = op.tensorArgs.length === 1 && op.tensorArgs[0].type === "Tensor[]";
    const inOrder = isList || op.row.castsInOrder ? op.tensorArgs : [...op.tensorArgs].reverse();
    for (const a of inOrder) {
      const value = args[a.name];
      if (Array.isArray(value))
        result[a.name] = value.map((t: Tensor | null) => t && this.cast(t, target, state, host));
      else if (isTensor(value)) result[a.name] = this.cast(value, target, state, host);
    }
    return result;
  }

  private cast(tensor: Tensor, target: DType, state: AutocastState, host: CastHost): Tensor {
    if (!isFloating(tensor.dtype) || tensor.dtype === target || tensor.dtype === FLOAT64) return tensor;
    if (tensor.device === "meta") return tensor;
    const cacheable =
      state.cacheEnabled &&
      host.follower === null &&
      !(host.inferenceMode && host.rules.autocastCacheKeepsGraph) &&
      target === state.dtype &&
      tensor.dtype === FLOAT32 &&
      tensor.requiresGrad &&
      tensor.isLeaf &&
      tensor.viewBase === null;
    if (!cacheable) return host.ops.to(tensor, target);
    const known = this.cache.get(tensor);
    if (known) return known;
    // made where no graph is recorded, a copy without one would also serve later calls that record one
    const graph = host.gradEnabled || host.rules.autocastCacheKeepsGraph;
    const copy = host.withGrad(graph, () => host.ops.to(tensor, target) as Tensor);
    host.remark(copy, "autocast_weight");
    this.cache.set(tensor.retain(), copy.retain());
    return copy;
  }
}

const isTensor = (v: unknown): v is Tensor => typeof v === "object" && v !== null && "storage" in v;

function tensorsOf(value: unknown): Tensor[] {
  if (Array.isArray(value)) return value.filter(isTensor);
  return isTensor(value) ? [value] : [];
}

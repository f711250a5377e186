/**
 * Follows the operators of a compiled function while nothing has memory, and notes them as a graph. In-place operators make a new value
 * of the same storage (functionalization), equal calls are one (torch/_functorch/compile_utils.py, fx_graph_cse).
 */

import type { CompiledOp } from "../ops/registry.ts";
import type { Args } from "../ops/row.ts";
import type { Session } from "../session/session.ts";
import { numel } from "../tensor/shape.ts";
import { isGpu, Tensor, type GpuName, type Storage } from "../tensor/tensor.ts";
import { kindOf, PARTS, type Kind, type Parts } from "./kinds.ts";
import type { Call, Value } from "./value.ts";

const FLOAT_BYTES = 4;

export class Recorder {
  readonly values: Value[] = [];
  /** Inputs of the graph: tensors that were there before. */
  readonly inputs = new Map<Tensor, Value>();
  isBackward = false;
  recordsGraph = false;
  private readonly session: Session;
  private readonly unbacked = new Set<Storage>();
  private readonly byTensor = new Map<Tensor, Value>();
  private readonly byStorage = new Map<Storage, { value: Value; key: string }[]>();
  /** Of a storage that was written in place: the value that it has since. */
  private readonly written = new Map<Storage, Value>();
  private readonly known = new Map<string, readonly Value[]>();
  private name = "";
  private group = -1;
  private depth = 0;
  private call: Call | null = null;
  private askedInCall: Storage[] = [];

  constructor(session: Session) {
    this.session = session;
  }

  /** Storages that were asked for and have no memory yet. */
  get storages(): ReadonlySet<Storage> {
    return this.unbacked;
  }

  /** All that operators made or read, in the order in which it was first seen. */
  get tensors(): Tensor[] {
    return [...this.byTensor.keys()];
  }

  /** Memory was asked for. */
  asked(storage: Storage): void {
    this.unbacked.add(storage);
    this.askedInCall.push(storage);
  }

  /** What is to happen when the running call runs: a library takes its workspace. */
  later(work: () => void): void {
    this.call?.later.push(work);
  }

  /** Runs an operator; what it calls in turn is part of it. */
  run(op: CompiledOp, args: Args, compute: () => unknown): unknown {
    if (this.depth > 0) return compute();
    const call: Call = { scratch: [], later: [] };
    this.call = call;
    this.askedInCall = [];
    this.depth++;
    let result: unknown;
    try {
      result = compute();
    } finally {
      this.depth--;
      this.call = null;
    }
    const made = new Set([result].flat().map((t) => (t instanceof Tensor ? t.storage : null)));
    for (const storage of this.askedInCall) if (!made.has(storage)) call.scratch.push(storage.nbytes);
    this.note(op, args, result, call);
    return result;
  }

  tangent(tensor: Tensor): Value {
    const value = this.add("input", [], tensor, tensor.storage, tensor.storage.nbytes, { isTangent: true });
    this.byTensor.set(tensor, value);
    return value;
  }

  /** The value of a tensor; one that was there before becomes an input. */
  valueOf(tensor: Tensor): Value {
    const written = this.written.get(tensor.storage);
    const own = this.byTensor.get(tensor);
    if (own !== undefined && (written === undefined || own.index >= written.index)) return own;
    if (written !== undefined) return written;
    const key = geometry(tensor);
    const listed = this.byStorage.get(tensor.storage);
    const same = listed?.find((one) => one.key === key) ?? listed?.[0];
    if (same !== undefined) return same.value;
    const isFree = FREE.has(this.session.memory.categoryOf(tensor.storage.traceBlock) ?? "");
    const value = this.add("input", [], tensor, tensor.storage, tensor.storage.nbytes, { isFree });
    this.inputs.set(tensor, value);
    this.remember(tensor, value);
    return value;
  }

  private note(op: CompiledOp, args: Args, result: unknown, call: Call): void {
    const read = op.tensorArgs.flatMap((a) => [args[a.name]].flat()).filter((t): t is Tensor => t instanceof Tensor);
    const made = [result].flat().filter((t): t is Tensor => t instanceof Tensor);
    if (![...read, ...made].some((t) => isGpu(t.device))) return;
    const inputs = read.filter((t) => isGpu(t.device)).map((t) => this.valueOf(t));
    const parts = PARTS.get(op.baseName);
    const kind = kindOf(op.name, op.baseName);
    const target = op.mutates ? made[0] : undefined;
    const key = target || kind === "random" || parts?.drawn !== undefined ? null : this.keyOf(op, args, inputs);
    const known = key === null ? undefined : this.known.get(key);
    let values: readonly Value[];
    if (known?.length === made.length) {
      values = known;
      made.forEach((t, i) => this.remember(t, known[i]!));
      return;
    }
    this.name = op.baseName;
    if (parts?.widened && made[0] !== undefined && made[0].dtype.itemBytes < FLOAT_BYTES)
      values = [this.widened(inputs, made[0])];
    else if (parts && !parts.widened) values = this.parts(parts, inputs, made, call);
    else {
      this.group = made.length > 1 ? this.values.length : -1;
      values = made.filter((t) => isGpu(t.device)).map((t) => this.result(kind, inputs, t, call));
      this.group = -1;
    }
    if (target) {
      const [first] = values;
      if (first) this.written.set(target.storage, first);
    }
    if (key !== null && values.length === made.length) this.known.set(key, values);
  }

  private keyOf(op: CompiledOp, args: Args, inputs: readonly Value[]): string {
    const rest = op.args.map(({ name }) => {
      const value = args[name] as unknown;
      if (value instanceof Tensor) return isGpu(value.device) ? "t" : `c${value.id}`;
      return JSON.stringify(value, (_, v) => (v instanceof Tensor ? (isGpu(v.device) ? "t" : `c${v.id}`) : v)) ?? "";
    });
    // what checkpointing computes again is not what forward made
    const again = this.isBackward && this.recordsGraph ? "again " : "";
    return `${again}${op.name} ${inputs.map((v) => v.index).join(",")} ${rest.join(";")}`;
  }

  private parts(parts: Parts, inputs: readonly Value[], made: readonly Tensor[], call: Call): readonly Value[] {
    const values: Value[] = new Array<Value>(made.length);
    const whole = made[parts.result]!;
    const domain = Math.max(whole.numel, ...inputs.map(({ sizes }) => numel(sizes)));
    const stats: Value[] = [];
    for (const at of parts.stats ?? [])
      if (made[at] !== undefined) stats.push((values[at] = this.result("reduction", inputs, made[at], call, domain)));
    const rows = whole.sizes.length > 0 ? whole.numel / Math.max(1, whole.sizes.at(-1)!) : 1;
    for (let i = 0; i < (parts.hidden ?? 0); i++)
      stats.push(
        this.add("reduction", [...inputs, ...stats], null, null, rows * FLOAT_BYTES, { domain, sizes: [rows] }),
      );
    if (parts.drawn !== undefined && made[parts.drawn] !== undefined) {
      const drawn = this.add("random", [], null, null, whole.numel * FLOAT_BYTES, {
        domain,
        sizes: whole.sizes,
        device: whole.device as GpuName,
      });
      stats.push((values[parts.drawn] = this.result("pointwise", [drawn], made[parts.drawn]!, call)));
    }
    values[parts.result] = this.result("pointwise", [...inputs, ...stats], whole, call);
    return values;
  }

  private widened(inputs: readonly Value[], made: Tensor): Value {
    const domain = Math.max(...inputs.map(({ sizes }) => numel(sizes)));
    const wide = this.add("reduction", inputs, null, null, made.numel * FLOAT_BYTES, { domain, sizes: made.sizes });
    return this.result("pointwise", [wide], made, NO_CALL);
  }

  private result(kind: Kind, inputs: readonly Value[], tensor: Tensor, call: Call, domain?: number): Value {
    const bytes = tensor.numel * tensor.dtype.itemBytes;
    const over = domain ?? (kind === "reduction" ? Math.max(...inputs.map(({ sizes }) => numel(sizes))) : tensor.numel);
    const value = this.add(kind, inputs, tensor, tensor.storage, bytes, {
      domain: over,
      call: kind === "call" ? call : null,
    });
    this.remember(tensor, value);
    return value;
  }

  private remember(tensor: Tensor, value: Value): void {
    this.byTensor.set(tensor, value);
    const listed = this.byStorage.get(tensor.storage);
    const one = { value, key: geometry(tensor) };
    if (listed === undefined) this.byStorage.set(tensor.storage, [one]);
    else listed.push(one);
  }

  private add(
    kind: Value["kind"],
    inputs: readonly Value[],
    tensor: Tensor | null,
    storage: Storage | null,
    bytes: number,
    rest: Partial<Value>,
  ): Value {
    const { frame, op, module } = this.session.place;
    const distinct = [...new Set(inputs)];
    const value: Value = {
      index: this.values.length,
      name: kind === "input" ? "" : this.name,
      kind,
      bytes,
      domain: tensor?.numel ?? 0,
      inputs: distinct,
      users: [],
      isBackward: this.isBackward,
      isFree: false,
      isTangent: false,
      call: null,
      group: this.group,
      storage,
      tensor,
      device: (tensor?.device ?? distinct[0]?.device ?? "cuda") as GpuName,
      dtype: tensor?.dtype.name ?? "float32",
      sizes: tensor?.sizes ?? [],
      mode: `${kind === "input" ? tensor?.requiresGrad : this.recordsGraph} ${this.session.savedTensorHooks !== null}`,
      frame,
      op,
      module,
      ...rest,
    };
    for (const input of distinct) input.users.push(value);
    this.values.push(value);
    return value;
  }
}

const NO_CALL: Call = { scratch: [], later: [] };
const FREE = new Set(["parameter", "buffer"]);
const geometry = (t: Tensor): string => `${t.sizes.join(",")} ${t.strides.join(",")} ${t.offset} ${t.dtype.name}`;

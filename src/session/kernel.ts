/** What one leaf op may do while it runs: make results and views, take scratch memory and workspaces. */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { TorchRules } from "../torch/changes.ts";
import type { CompiledOp } from "../ops/registry.ts";
import type { Args, Kernel, Ops } from "../ops/row.ts";
import { cxxName } from "../tensor/cxx-names.ts";
import { type DType, promoteTypes } from "../tensor/dtype.ts";
import {
  contiguousStrides,
  inferDenseStrides,
  numel,
  sameShape,
  storageBytes,
  TorchError,
  type Shape,
} from "../tensor/shape.ts";
import { isGpu, type Storage, Tensor, type DeviceType, type ViewOrigin } from "../tensor/tensor.ts";
import type { Session } from "./session.ts";

const nothing = (): void => {};

export class KernelCall implements Kernel {
  private readonly session: Session;
  private readonly op: CompiledOp;
  private readonly args: Args;
  target: Tensor | null;
  private readonly outs: Tensor[] | null;
  readonly recordsGraph: boolean;
  private readonly viewOrigin: ViewOrigin;
  private device: DeviceType | null = null;
  private readonly held: Storage[] = [];
  private readsUnresolved = false;

  constructor(session: Session, op: CompiledOp, args: Args, target: Tensor | null, recordsGraph: boolean) {
    this.session = session;
    this.op = op;
    this.args = args;
    this.target = target;
    this.recordsGraph = recordsGraph;
    const several = op.results[0]?.type === "Tensor[]";
    this.viewOrigin = !session.gradEnabled ? "untracked" : several ? "several" : "tracked";
    this.outs = session.pendingOut ?? (session.composedOut?.names.includes(op.name) ? session.composedOut.outs : null);
    session.pendingOut = null;
  }

  get rules(): TorchRules {
    return this.session.rules;
  }
  get gpu(): GpuRow {
    return this.session.gpu;
  }
  get ops(): Ops {
    return this.session.ops;
  }
  get defaultDtype(): DType {
    return this.session.defaultDtype;
  }
  get temporaries(): boolean {
    return this.session.temporaries && isGpu(this.deviceOfArguments());
  }

  output(sizes: Shape, dtype: DType, strides?: Shape, device?: DeviceType): Tensor {
    this.resolveArguments();
    if (this.target) return this.intoTarget(sizes, dtype);
    const out = this.outs?.shift();
    if (out) return this.intoOut(out, sizes, dtype);
    const where = device ?? this.deviceOfArguments();
    const { memory } = this.session;
    const before = memory.defaultCategory;
    if (isGpu(where) && this.comesFromOutside()) memory.defaultCategory = "input";
    try {
      return this.session.newTensor(sizes, strides ?? contiguousStrides(sizes), dtype, where);
    } finally {
      memory.defaultCategory = before;
    }
  }

  like(like: Tensor, dtype: DType = like.dtype): Tensor {
    return this.output(like.sizes, dtype, preservedStrides(like));
  }

  view(base: Tensor, sizes: Shape, strides: Shape, offset = base.offset, alias = false, dtype = base.dtype): Tensor {
    const tensor = new Tensor(base.storage, sizes, strides, offset, dtype);
    tensor.version = base.version;
    tensor.isInference = base.isInference;
    if (!alias && !base.isInference) {
      tensor.viewBase = (base.viewBase ?? base).retain();
      tensor.viewOrigin = this.viewOrigin === "tracked" ? base.viewOrigin : this.viewOrigin;
      tensor.gradFnVersion = tensor.version.value;
    }
    tensor.unresolved = base.unresolved && dtype === base.dtype;
    this.session.pool.add(tensor);
    return tensor;
  }

  scratch(bytes: number, what: string, device: DeviceType = this.deviceOfArguments()): () => void {
    if (!this.session.temporaries || !isGpu(device) || bytes <= 0) return nothing;
    const storage = this.hold(bytes, what, device);
    return () => {
      const at = this.held.indexOf(storage);
      if (at >= 0) this.held.splice(at, 1)[0].release();
    };
  }

  inOrder(order: readonly number[], makers: readonly (() => Tensor)[]): Tensor[] {
    const results: Tensor[] = [];
    for (const at of this.temporaries && !this.outs ? order : makers.keys()) results[at] = makers[at]();
    return results;
  }

  into(outs: readonly Tensor[], run: () => unknown): void {
    this.session.scope(() => {
      this.session.pendingOut = [...outs];
      run();
    });
  }

  /** Gives back the scratch memory, last taken first. */
  finish(): void {
    for (let s = this.held.pop(); s; s = this.held.pop()) s.release();
  }

  /** Kernels that read memory as it is get copies of lazily conjugated arguments (MathBitsFallback.h). */
  private resolveArguments(): void {
    this.deviceOfArguments();
    if (!this.readsUnresolved || this.op.row.readsUnresolved) return;
    this.readsUnresolved = false;
    for (const a of this.op.tensorArgs) {
      const value = this.args[a.name];
      for (const t of Array.isArray(value) ? value : [value])
        if (t instanceof Tensor && t.unresolved && t.isCuda) this.holdCopy(t);
    }
  }

  private hold(bytes: number, what: string, device: DeviceType = this.deviceOfArguments()): Storage {
    const storage = this.session.memory.allocate(device, bytes, what);
    storage.retain();
    this.held.push(storage);
    return storage;
  }

  /** A copy that lives until the kernel returns. */
  private holdCopy(tensor: Tensor): void {
    const { session } = this;
    const copy = session.ops.clone(tensor);
    copy.storage.retain();
    this.held.push(copy.storage);
    session.drop(copy);
  }

  statement<T>(run: () => T): T {
    return this.session.scope(run);
  }

  cublasWorkspace(): void {
    const device = this.deviceOfArguments();
    if (isGpu(device)) this.session.cublasWorkspace(device);
  }

  cublasLtWorkspace(): void {
    const device = this.deviceOfArguments();
    if (!isGpu(device)) return;
    const transientBytes = this.session.cublasLtWorkspace(device);
    if (transientBytes > 0) this.hold(transientBytes, "cublaslt_workspace_call");
  }

  keepOnce(what: string, bytes: number, before: readonly number[] = []): void {
    const device = this.deviceOfArguments();
    const { session } = this;
    if (!this.temporaries || !isGpu(device) || !session.workspaces.lacks(what, device)) return;
    if (session.follower)
      return session.follower.later(() => session.workspaces.keepOnce(what, bytes, device, session.streamOn(device)));
    for (const scratch of before) this.scratch(scratch, what)();
    session.workspaces.keepOnce(what, bytes, device, session.streamOn(device));
  }

  assume(code: string, args: Record<string, string | number> = {}): void {
    this.session.assume(code, { op: this.op.name, ...args });
  }

  readBack(number: number, from: Tensor): number {
    return this.session.readBack(number, from);
  }

  drop(tensor: Tensor): void {
    this.session.drop(tensor);
  }

  /** The device that results live on: a number on the CPU does not decide it. */
  private deviceOfArguments(): DeviceType {
    if (this.device) return this.device;
    let found: Tensor | null = null;
    for (const a of this.op.tensorArgs) {
      const value = this.args[a.name];
      for (const t of Array.isArray(value) ? value : [value]) {
        if (!(t instanceof Tensor)) continue;
        if (t.unresolved) this.readsUnresolved = true;
        if (!found || (found.rank === 0 && found.device === "cpu" && t.device !== "cpu")) found = t;
        else if (found.device !== t.device && t.rank > 0 && found.rank > 0 && !this.op.row.mixedDevices)
          throw mixedDevices(this.session, found, t);
      }
    }
    this.device = found?.device ?? (this.args.device as DeviceType | null | undefined) ?? "cpu";
    return this.device;
  }

  /** Made outside of any module and from nothing on the device: data that the program brings. */
  private comesFromOutside(): boolean {
    const { place } = this.session;
    if (place.module >= 0 || place.phase !== "other") return false;
    for (const a of this.op.tensorArgs) {
      const value = this.args[a.name];
      for (const t of Array.isArray(value) ? value : [value]) if (t instanceof Tensor && t.isCuda) return false;
    }
    return true;
  }

  private intoTarget(sizes: Shape, dtype: DType): Tensor {
    const target = this.target as Tensor;
    this.target = null;
    this.deviceOfArguments();
    if (!sameShape(sizes, target.sizes))
      throw new TorchError(
        `output with shape [${target.sizes.join(", ")}] doesn't match the broadcast shape [${sizes.join(", ")}]`,
      );
    checkCast(dtype, target.dtype);
    return target;
  }

  private intoOut(out: Tensor, sizes: Shape, dtype: DType): Tensor {
    checkCast(dtype, out.dtype);
    out.version.value++;
    out.learn(null);
    if (this.session.composedOut && numel(sizes) === out.numel && !sameShape(out.sizes, sizes)) {
      const folded = new Tensor(out.storage, sizes, contiguousStrides(sizes), out.offset, out.dtype);
      this.session.pool.add(folded);
      return folded;
    }
    if (!sameShape(out.sizes, sizes)) {
      const strides = contiguousStrides(sizes);
      const bytes = storageBytes(sizes, strides, out.dtype.itemBytes, out.offset);
      if (numel(sizes) > 0 && bytes > out.storage.nbytes) {
        this.session.memory.resize(out.storage, bytes, this.session.streamOn(out.device));
        this.session.memory.describe(out.storage, out.dtype.name, sizes);
      }
      out.sizes = [...sizes];
      out.strides = strides;
    }
    return out;
  }
}

/** Strides of empty_like with preserve_format. */
export function preservedStrides(like: Tensor): number[] {
  return like.isNonOverlappingAndDense ? [...like.strides] : inferDenseStrides(like.sizes, like.strides);
}

function checkCast(from: DType, to: DType): void {
  if (from.kind > to.kind && promoteTypes(from, to) !== to)
    throw new TorchError(`result type ${cxxName(from)} can't be cast to the desired output type ${cxxName(to)}`);
}

function mixedDevices({ memory }: Session, a: Tensor, b: Tensor): TorchError {
  const name = (t: Tensor): string => memory.shownName(t.device);
  return new TorchError(
    `Expected all tensors to be on the same device, but found at least two devices, ${name(a)} and ${name(b)}!`,
  );
}

/** One simulated process: modes, threads, memory, graph and trace. A program's calls go through here; sessions share nothing. */

import type { CachingAllocator } from "../alloc/index.ts";
import { AccumulateGrad } from "../autograd/accumulate.ts";
import type { AutogradHost } from "../autograd/host.ts";
import type { Edge, Node } from "../autograd/node.ts";
import type { RangeRecorder } from "../autograd/ranges.ts";
import type { GpuRow } from "../gpus/catalogue.ts";
import type { TorchRules } from "../torch/changes.ts";
import { type CompiledOp, findOp, nearestOps } from "../ops/registry.ts";
import type { CompositeContext, Ops } from "../ops/row.ts";
import { FLOAT32, type DType } from "../tensor/dtype.ts";
import { TorchError, type Shape, storageBytes } from "../tensor/shape.ts";
import { HostRandom } from "../tensor/host-random.ts";
import { Storage, Tensor, type DeviceType, type GpuName } from "../tensor/tensor.ts";
import type { TraceBuilder } from "../trace/builder.ts";
import type { SavedEnd } from "../trace/model.ts";
import { Autocast } from "./autocast.ts";
import { callOp } from "./dispatch.ts";
import { DeviceMemory, type ProgramPoint } from "./memory.ts";
import type { Follower } from "./follower.ts";
import { KeptSteps } from "./kept-steps.ts";
import { noPython, type PythonCallbacks } from "./python-callbacks.ts";
import { TensorPool } from "./pool.ts";
import type { SelectiveMode } from "./selective.ts";
import { Subclasses } from "./subclass.ts";
import { Workspaces } from "./workspaces.ts";
import { gradientEdge, setHistoryOfView } from "./history.ts";

export interface SessionOptions {
  readonly gpu: GpuRow;
  /** How many GPUs the process sees; default 1. */
  readonly devices?: number;
  readonly rules: TorchRules;
  readonly allocator: CachingAllocator;
  /** The allocator of another GPU that the process begins to use. */
  readonly anotherAllocator: (device: GpuName) => CachingAllocator;
  readonly trace: TraceBuilder;
  readonly kernelTemporaries: boolean;
  /** Whether a program that reads numbers from the device gets placeholders for all of them. */
  readonly unreadableDevice?: boolean;
  readonly nothingComputed?: boolean;
  readonly attention: "auto" | "math";
  /** Bytes of the cuBLAS workspace of each thread's handle; 0 for none. */
  readonly cublasWorkspaceBytes: number;
  /** cuBLASLt: how many bytes, and whether they stay with the handle. */
  readonly cublasLt: { readonly bytes: number; readonly mode: string };
}

type Thread = "main" | "backward";

export class Session implements AutogradHost, CompositeContext {
  readonly gpu: GpuRow;
  /** How many GPUs the process sees. */
  readonly devices: number;
  readonly rules: TorchRules;
  readonly temporaries: boolean;
  readonly unreadableDevice: boolean;
  readonly attention: "auto" | "math";
  readonly trace: TraceBuilder;
  readonly place: ProgramPoint = { frame: -1, op: -1, module: -1, phase: "other" };
  readonly memory: DeviceMemory;
  readonly workspaces: Workspaces;
  readonly autocast = new Autocast();
  /** Recognises caches of inference. */
  readonly steps: KeptSteps;
  readonly pool = new TensorPool();
  readonly subclasses = new Subclasses();
  readonly ops: Ops;
  python: PythonCallbacks = noPython;
  /** The name of the innermost operator or node that runs; empty where none does. */
  running = "";
  /** What runs inside what, while a profiler wants to know. */
  ranges: RangeRecorder | null = null;
  /** Told of the nodes from which a backward is about to start. */
  onBackward: ((roots: readonly Node[]) => void) | null = null;
  gradEnabled = true;
  inferenceMode = false;
  autocastSuspended = false;
  defaultDtype: DType = FLOAT32;
  /** Who follows the operators of a compiled function, or null. */
  follower: Follower | null = null;
  /** Selective checkpointing: who keeps and hands out results, or null. */
  selective: SelectiveMode | null = null;
  savedTensorHooks: { pack: number; unpack: number } | null = null;
  /** Results that an out= call wants written, or null. */
  pendingOut: Tensor[] | null = null;
  /** Inside a composite with out=: the ops whose result is that of the composite, and where it goes. */
  composedOut: { readonly names: readonly string[]; readonly outs: Tensor[] } | null = null;
  thread: Thread = "main";
  /** A thread of the program's own in the place of the main one, or null. */
  worker: string | null = null;
  /** How often an optimizer has stepped, and gradients were computed. */
  optimizerSteps = 0;
  /** The line that made the first optimizer, or -1. */
  optimizerMade = -1;
  backwardRuns = 0;
  /** How often Python called an operator. */
  operatorCalls = 0;
  /** The CPU's random numbers: of the default generator, or of the one that the running call was given. */
  random = new HostRandom();
  private readonly generators = new Map<number, HostRandom>([[0, this.random]]);
  /** Number of the current stream of the GPU that is used first. */
  stream = 0;
  private readonly otherStreams = new Map<DeviceType, number>();
  private readonly sequences: Record<Thread, number> = { main: 0, backward: 0 };
  private readonly called = new Map<string, CompiledOp>();
  private readonly options: SessionOptions;

  constructor(options: SessionOptions) {
    this.options = options;
    this.gpu = options.gpu;
    this.devices = options.devices ?? 1;
    this.rules = options.rules;
    this.temporaries = options.kernelTemporaries;
    this.unreadableDevice = options.unreadableDevice ?? false;
    this.attention = options.attention;
    this.trace = options.trace;
    this.memory = new DeviceMemory(options.allocator, options.trace, this.place, options.anotherAllocator);
    this.workspaces = new Workspaces(this.memory);
    this.steps = new KeptSteps(options.trace, this.memory, this.place);
    this.ops = this.makeOps();
  }

  readBack = (number: number, from: Tensor): number =>
    this.options.nothingComputed && from.device === "cuda" ? 0 : number;
  get frame(): number {
    return this.place.frame;
  }
  get module(): number {
    return this.place.module;
  }
  /** Whether operators on tensors that need gradients are recorded now. */
  get recordsGraph(): boolean {
    return this.gradEnabled && !this.inferenceMode;
  }
  get autocastEnabled(): boolean {
    return this.autocast.anyEnabled && !this.autocastSuspended;
  }

  /** Calls an op by name with positional arguments; the results belong to the running scope. */
  call(name: string, args: readonly unknown[]): unknown {
    this.operatorCalls++;
    return callOp(this, this.operator(name), args);
  }

  /** Names of the operators that were called until now, by Python and by each other. */
  get calledOperators(): string[] {
    return [...this.called.keys()];
  }

  private operator(name: string): CompiledOp {
    const known = this.called.get(name);
    if (known) return known;
    const op = findOp(name);
    if (!op) throw unknownOp(name);
    this.called.set(name, op);
    return op;
  }

  /** A generator of the CPU by its number; 0 is the default one. */
  generator(number: number): HostRandom {
    let found = this.generators.get(number);
    if (found === undefined) this.generators.set(number, (found = new HostRandom(number)));
    return found;
  }

  private makeOps(): Ops {
    // a name that is not there yet falls through to the proxy once, and is a plain property from then on
    const missing = new Proxy({} as Ops, {
      get: (_, name: string) => {
        const op = this.operator(name);
        const f = (...args: unknown[]): unknown => callOp(this, op, args);
        Object.defineProperty(ops, name, { value: f });
        return f;
      },
    });
    const ops: Ops = Object.create(missing) as Ops;
    return ops;
  }

  scope<T>(work: () => T): T {
    const mark = this.pool.size;
    try {
      const result = work();
      this.pool.leave(mark, result);
      return result;
    } catch (error) {
      this.pool.release(mark);
      throw error;
    }
  }

  statement<T>(work: () => T): T {
    return this.scope(work);
  }

  own<T extends Tensor | null | readonly (Tensor | null)[]>(work: () => T): T {
    const mark = this.pool.size;
    try {
      const result = work();
      this.pool.leaveOwned(mark, result);
      return result;
    } catch (error) {
      this.pool.release(mark);
      throw error;
    }
  }

  drop(tensor: Tensor): void {
    this.pool.drop(tensor);
  }

  withGrad<T>(enabled: boolean, work: () => T): T {
    const before = this.gradEnabled;
    this.gradEnabled = enabled;
    try {
      return work();
    } finally {
      this.gradEnabled = before;
    }
  }

  /** A new tensor with its own memory, in the running scope. */
  newTensor(sizes: Shape, strides: Shape, dtype: DType, device: DeviceType): Tensor {
    let storage: Storage;
    const negative = sizes.find((s) => s < 0);
    if (negative !== undefined)
      throw new TorchError(`Trying to create tensor with negative dimension ${negative}: [${sizes.join(", ")}]`);
    try {
      storage = this.memory.allocate(
        device,
        storageBytes(sizes, strides, dtype.itemBytes),
        null,
        this.streamOn(device),
      );
    } catch (error) {
      if (error instanceof TorchError && error.kind === "OutOfMemoryError")
        this.trace.describeFailure(dtype.name, sizes);
      throw error;
    }
    if (storage.traceBlock >= 0) this.memory.describe(storage, dtype.name, sizes);
    const tensor = new Tensor(storage, sizes, strides, 0, dtype);
    tensor.isInference = this.inferenceMode;
    this.pool.add(tensor);
    return tensor;
  }

  /** Says more about the memory of a tensor. */
  remark(tensor: Tensor, note: string): void {
    if (tensor.storage.traceBlock >= 0) this.trace.remark(tensor.storage.traceBlock, note);
  }

  alias(tensor: Tensor): Tensor {
    if (tensor.subclass) return this.own(() => this.withGrad(false, () => this.ops.detach(tensor) as Tensor));
    const copy = new Tensor(tensor.storage, tensor.sizes, tensor.strides, tensor.offset, tensor.dtype);
    copy.version = tensor.version;
    copy.isInference = tensor.isInference;
    return copy;
  }

  nextSequence(): number {
    return this.sequences[this.thread]++;
  }

  asBackwardThread<T>(work: () => T): T {
    const [thread, phase] = [this.thread, this.place.phase];
    this.thread = this.place.phase = "backward";
    try {
      return work();
    } finally {
      [this.thread, this.place.phase] = [thread, phase];
    }
  }

  inNode<T>(node: Node, work: () => T): T {
    const { place, running } = this;
    const { module } = place;
    [place.module, this.running] = [node.module, node.name];
    try {
      return work();
    } finally {
      [place.module, this.running] = [module, running];
    }
  }

  private get handleThread(): string {
    return this.thread === "main" ? (this.worker ?? this.thread) : this.thread;
  }

  /** Number of the current stream of a device. */
  streamOn(device: DeviceType): number {
    return device === "cuda" ? this.stream : (this.otherStreams.get(device) ?? 0);
  }

  setStream(device: DeviceType, stream: number): void {
    if (device === "cuda") this.stream = stream;
    else this.otherStreams.set(device, stream);
  }

  /** The handle's workspace of the running thread: taken at the thread's first product on the device, kept for ever. */
  cublasWorkspace(device: GpuName): void {
    if (this.follower) return this.follower.later(() => this.cublasWorkspace(device));
    this.workspaces.keep("cublas", this.options.cublasWorkspaceBytes, device, this.handleThread, this.streamOn(device));
  }

  /** Keeps a persistent cuBLASLt workspace after the handle's (as an H100 did, and releases from 2.9 on), or returns the bytes that one call takes and gives back. */
  cublasLtWorkspace(device: GpuName): number {
    const { bytes, mode } = this.options.cublasLt;
    if (this.follower && mode === "persistent") {
      this.follower.later(() => void this.cublasLtWorkspace(device));
      return 0;
    }
    if (mode === "persistent" && this.temporaries) this.cublasWorkspace(device);
    if (mode === "persistent")
      this.workspaces.keep("cublaslt", bytes, device, this.handleThread, this.streamOn(device));
    return mode === "transient" ? bytes : 0;
  }

  assume(code: string, args: Record<string, string | number> = {}): void {
    this.trace.assumption(code, args, this.place.frame);
  }

  becameGradient(tensor: Tensor): void {
    if (tensor.subclass === null) this.memory.categorize(tensor.storage, "gradient");
    else this.subclasses.onGradient(tensor);
  }

  becameSaved(tensor: Tensor, node: Node, slot: string): number {
    const block = tensor.storage.traceBlock;
    if (block < 0) return -1;
    this.memory.keptForBackward(tensor.storage);
    const { frame, module } = node;
    return this.trace.saved({
      block,
      node: node.name,
      slot,
      shape: tensor.sizes,
      dtype: tensor.dtype.name,
      frame,
      module,
    });
  }

  savedEnded(saved: number, end: SavedEnd): void {
    this.trace.savedEnded(saved, end, this.place.frame);
  }

  /** Where the gradient of a tensor goes, or null. */
  edgeOf(tensor: Tensor): Edge | null {
    return gradientEdge(this, tensor);
  }

  /** The node that accumulates into a leaf; the caller holds it or passes it on. */
  accumulatorOf(leaf: Tensor): AccumulateGrad {
    return (leaf.gradAccumulator as AccumulateGrad | null) ?? new AccumulateGrad(this, leaf);
  }

  setHistory(tensor: Tensor, node: Node): void {
    setHistoryOfView(this, tensor, node);
  }

  shownName(device: DeviceType): string {
    return this.memory.shownName(device);
  }

  callPython(id: number, tensors: readonly (Tensor | null)[]): readonly (Tensor | null)[] {
    return this.python.call(id, tensors);
  }
  dropPython(id: number): void {
    this.python.drop(id);
  }
  packPython(pack: number, tensor: Tensor): number {
    return this.withGrad(false, () => this.python.pack(pack, tensor));
  }
  unpackPython(unpack: number, packed: number): Tensor {
    return this.python.unpack(unpack, packed);
  }
}

function unknownOp(name: string): TorchError {
  const near = nearestOps(name);
  return new TorchError(
    `vramscope has no row for the operator '${name}'${near.length ? `; the nearest ones are ${near.join(", ")}` : ""}`,
    "UnsupportedOp",
  );
}

/**
 * Fake tensors: geometry over a reference-counted storage, without values.
 *
 * Reference counts are explicit because memory must be given back at the statement at which PyTorch would give it
 * back, not when a garbage collector comes by; they are also what `use_count()` answers in the autograd engine.
 * Mirrors c10/core/StorageImpl.h and c10/core/TensorImpl.h.
 */

import {
  asElement,
  type Contents,
  type Known,
  type KnownValues,
  LaterContents,
  LaterValues,
  mostValues,
  elementOffsets,
  roundingOf,
} from "./contents.ts";
import type { DType } from "./dtype.ts";
import { isContiguous, isNonOverlappingAndDense, numel, type Shape } from "./shape.ts";

/** `cuda` is the GPU that the process uses first; the others go by their number. */
export type GpuName = "cuda" | `cuda:${number}`;
export type DeviceType = "cpu" | "meta" | GpuName;

export const isGpu = (device: DeviceType): device is GpuName => device !== "cpu" && device !== "meta";
/** The number in a name that has one. */
export const gpuNumber = (device: DeviceType): number => Number(device.slice(device.indexOf(":") + 1));

/** Whoever gives bytes to storages and takes them back. */
export interface StorageOwner {
  freeStorage(storage: Storage): void;
}

export class Storage {
  refs = 0;
  nbytes: number;
  readonly device: DeviceType;
  /** The owner's handle of the memory, or null when there is none (CPU, meta, zero bytes). */
  block: unknown = null;
  /** Index of the block in the trace, or -1. */
  traceBlock = -1;
  /** What is known of the elements; null for nothing. */
  contents: Contents | null = null;
  /** What the elements most likely are where nothing is known of them; only a program that asks is told. */
  likely: Contents | null = null;
  /** What it holds follows from known numbers alone, and is more than is kept. */
  isExceeding = false;
  /** How many different values there are at most, where nobody knows them. */
  mostDistinct = Infinity;
  private readonly owner: StorageOwner;

  constructor(owner: StorageOwner, device: DeviceType, nbytes: number) {
    this.owner = owner;
    this.device = device;
    this.nbytes = nbytes;
  }

  retain(): void {
    this.refs++;
  }

  release(): void {
    if (--this.refs === 0) this.owner.freeStorage(this);
  }
}

/** A node of the autograd graph as tensors see it; the autograd layer implements it. */
export interface GraphNode {
  refs: number;
  retain(): void;
  release(): void;
  /** The tensor that is its result `outputNr` is gone. */
  forget(outputNr: number): void;
}

/** Python hooks by id, and how to let go of one. */
export interface HookList {
  ids: number[];
  readonly drop: (id: number) => void;
}

/** Counts in-place changes; shared by a tensor, its views and its detached copies. */
export interface VersionCounter {
  value: number;
}

/** `untracked`: made while no graph was recorded. `several`: one of several views that one op returned. */
export type ViewOrigin = "tracked" | "untracked" | "several";

let nextId = 1;

export class Tensor {
  readonly id = nextId++;
  refs = 1;
  storage: Storage;
  sizes: Shape;
  strides: Shape;
  offset: number;
  dtype: DType;

  private leafRequiresGrad = false;
  gradFn: GraphNode | null = null;
  /** Which output of `gradFn` this is. */
  outputNr = 0;
  /** The accumulated gradient of a leaf (or of a tensor that retains it). */
  grad: Tensor | null = null;
  /** Not counted: the node that accumulates into a leaf, while some graph holds it. */
  gradAccumulator: GraphNode | null = null;
  /** The tensor that this is a differentiable view of, held; null for others. */
  viewBase: Tensor | null = null;
  /** How a view came about; views that autograd did not see as single ones must not change in place. */
  viewOrigin: ViewOrigin = "tracked";
  /** Value of the version counter when `gradFn` was set; a view whose base changed since needs a new one. */
  gradFnVersion = 0;
  version: VersionCounter = { value: 0 };
  isInference = false;
  /** Gradient kept for a non-leaf by retain_grad(). */
  retainsGrad = false;
  /** Ids of Python hooks, in order; null for none. */
  hooks: HookList | null = null;
  postAccumulateHooks: HookList | null = null;
  /** Python objects that wrap this tensor now. */
  wrappers = 0;
  /** Its values are those in memory, conjugated or negated (a lazy conj() or the imaginary part of one). */
  unresolved = false;
  /** True for a number that Python passed as a 0-dim tensor: it does not take part in promotion as a tensor. */
  wrappedNumber = false;
  /** Set on a tensor without memory of its own, whose operators Python runs (`__torch_dispatch__`); called when it is gone. */
  subclass: { readonly forget: (tensor: Tensor) => void } | null = null;

  constructor(storage: Storage, sizes: Shape, strides: Shape, offset: number, dtype: DType) {
    storage.retain();
    this.storage = storage;
    this.sizes = sizes;
    this.strides = strides;
    this.offset = offset;
    this.dtype = dtype;
  }

  /** A view needs a gradient when its base does, also one made under no_grad. */
  get requiresGrad(): boolean {
    return this.leafRequiresGrad || this.gradFn !== null || (this.viewBase?.requiresGrad ?? false);
  }
  set requiresGrad(value: boolean) {
    this.leafRequiresGrad = value;
  }
  /** Whether gradients can arrive at the tensor itself when it has no grad_fn. */
  get accumulates(): boolean {
    return this.leafRequiresGrad && this.gradFn === null;
  }
  /** Whether something is known of the elements: found out without making numbers that are found later. */
  get hasContents(): boolean {
    return this.storage.contents?.dtype === this.dtype;
  }
  /** What the elements are, row-major, where all are known. */
  get values(): KnownValues | null {
    const { contents } = this.storage;
    if (contents === null || contents.dtype !== this.dtype) return null;
    const n = this.numel;
    if (n > mostValues(this.dtype) && !(contents instanceof LaterContents)) return null;
    if (contents.elements === null) return Array.from({ length: n }, () => contents.fill);
    const { elements } = contents;
    if (this.isContiguous) {
      const whole = elements.slice(this.offset, this.offset + n);
      return whole.length < n || whole.includes(undefined) ? null : (whole as number[]);
    }
    const found: number[] = [];
    for (const at of elementOffsets(this.sizes, this.strides, this.offset)) {
      const v = elements[at];
      if (v === undefined) return null;
      found.push(v);
    }
    return found;
  }
  /** The number that all elements are, where one fills the storage. */
  get fill(): number | null {
    const { contents } = this.storage;
    return contents !== null && contents.dtype === this.dtype && contents.isFilled ? contents.fill : null;
  }
  /** The elements of a tensor that has all of its storage, where nobody has looked at them yet. */
  get unseen(): LaterValues | null {
    const { contents, nbytes } = this.storage;
    const isWhole = this.numel * this.dtype.itemBytes === nbytes && this.isContiguous;
    return contents instanceof LaterContents && contents.dtype === this.dtype && isWhole ? contents.unseen : null;
  }
  /** Writes what the elements are, in the tensor's dtype; null forgets the storage. */
  learn(known: Known | LaterValues | null, drawn = false): void {
    const { storage, dtype } = this;
    storage.likely = null;
    storage.isExceeding = false;
    storage.mostDistinct = Infinity;
    if (known === null) {
      storage.contents = null;
      return;
    }
    if (known instanceof LaterValues) {
      if (this.numel * dtype.itemBytes === storage.nbytes && this.isContiguous)
        storage.contents = new LaterContents(dtype, known);
      else this.learn(known.get(), known.drawn);
      return;
    }
    const before = storage.contents?.dtype === dtype ? storage.contents : null;
    const whole = this.offset === 0 && this.numel * dtype.itemBytes === storage.nbytes;
    if (typeof known === "number" && whole) {
      storage.contents = { dtype, isFilled: true, elements: null, fill: asElement(known, dtype), drawn };
      return;
    }
    const length = Math.ceil(storage.nbytes / dtype.itemBytes);
    if (Math.max(length, this.numel) > mostValues(dtype)) {
      storage.contents = null;
      return;
    }
    const round = roundingOf(dtype);
    let elements: (number | undefined)[];
    if (whole && typeof known !== "number" && this.isContiguous && known.length === length) elements = known.map(round);
    else {
      // nobody else holds the list: one element written into many costs one
      elements = before?.elements ?? Array.from({ length }, () => before?.fill);
      elementOffsets(this.sizes, this.strides, this.offset).forEach((at, i) => {
        // a storage may have been made smaller than what its tensors name
        if (at < elements.length) elements[at] = round(typeof known === "number" ? known : known[i]);
      });
    }
    storage.contents = { dtype, isFilled: false, elements, fill: 0, drawn: drawn || (before?.drawn ?? false) };
  }
  /** Says what the elements most likely are, of which nothing is known; null says nothing. */
  expect(likely: Known | LaterValues | null): void {
    const { storage } = this;
    if (storage.contents !== null) return;
    this.learn(likely);
    storage.likely = storage.contents;
    storage.contents = null;
  }
  /** What they most likely are, where nothing is known. */
  get likelyValues(): KnownValues | null {
    const { storage } = this;
    if (storage.contents !== null || storage.likely === null) return null;
    storage.contents = storage.likely;
    try {
      return this.values;
    } finally {
      storage.contents = null;
    }
  }
  get rank(): number {
    return this.sizes.length;
  }
  get device(): DeviceType {
    return this.storage.device;
  }
  get isCuda(): boolean {
    return isGpu(this.storage.device);
  }
  get numel(): number {
    return numel(this.sizes);
  }
  get isLeaf(): boolean {
    return this.gradFn === null;
  }
  get isContiguous(): boolean {
    return isContiguous(this.sizes, this.strides);
  }
  get isNonOverlappingAndDense(): boolean {
    return isNonOverlappingAndDense(this.sizes, this.strides);
  }
  /** Bytes of the elements, not of the storage. */
  get nbytes(): number {
    return this.numel * this.dtype.itemBytes;
  }
  size(dim: number): number {
    return this.sizes[dim < 0 ? dim + this.sizes.length : dim];
  }

  retain(): this {
    this.refs++;
    return this;
  }

  release(): void {
    if (--this.refs === 0) destroy(this);
  }

  /** Replaces the storage, as resize_, set_ and `.data =` do. */
  setStorage(storage: Storage): void {
    storage.retain();
    const old = this.storage;
    this.storage = storage;
    old.release();
  }
}

/** Whether one reference less gives back no memory and ends no node: others hold the tensor, or all that it holds. */
export function endsQuietly(t: Tensor): boolean {
  if (t.refs > 1) return true;
  const isPlain = t.hooks === null && t.postAccumulateHooks === null && t.subclass === null && t.grad === null;
  if (!isPlain || t.retainsGrad || t.storage.refs === 1) return false;
  return (t.gradFn === null || t.gradFn.refs > 1) && (t.viewBase === null || t.viewBase.refs > 1);
}

const doomed: Tensor[] = [];
let destroying = false;

/** Lets go of all that a dead tensor holds. A queue instead of recursion: graphs can be 100,000 nodes deep. */
function destroy(tensor: Tensor): void {
  doomed.push(tensor);
  if (destroying) return;
  destroying = true;
  try {
    for (let t = doomed.pop(); t; t = doomed.pop()) {
      for (const list of [t.hooks, t.postAccumulateHooks]) for (const id of list?.ids ?? []) list?.drop(id);
      if (t.retainsGrad) t.gradFn?.forget(t.outputNr);
      t.subclass?.forget(t);
      t.storage.release();
      if (t.gradFn) {
        const fn = t.gradFn;
        t.gradFn = null;
        fn.release();
      }
      if (t.grad) {
        const g = t.grad;
        t.grad = null;
        g.release();
      }
      if (t.viewBase) {
        const b = t.viewBase;
        t.viewBase = null;
        b.release();
      }
    }
  } finally {
    destroying = false;
  }
}

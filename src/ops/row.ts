/**
 * What an operator row says of one overload, or of several that differ in whether an operand is a number: its result, what it saves for
 * backward, its backward formulas (written in ops), its temporaries and workspaces, how autocast treats it, and what Python calls it.
 */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { TorchRules } from "../torch/changes.ts";
import type { TorchVersion } from "../torch/releases.ts";
import type { DType } from "../tensor/dtype.ts";
import type { Operators } from "./operators.d.ts";
import type { Shape } from "../tensor/shape.ts";
import type { DeviceType, Tensor } from "../tensor/tensor.ts";
import type { ValueRule } from "./values.ts";

/** Arguments by their names in the schema. Values follow the schema's types; `any` because each row has its own. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Args = Record<string, any>;
export type Value = Tensor | (Tensor | null)[] | number | boolean | string | null;

/** Calls of other operators by name, positionally as in their schemas: `o.mul(grad, other)`. */
export type Ops = Operators;

/** The operator of a name that is computed: of a family of rows that differ by a word. Its arguments are not checked. */
export const named = (o: Ops, name: string): AnyOperator => (o as unknown as Record<string, AnyOperator>)[name];
// oxlint-disable-next-line typescript/no-explicit-any
type AnyOperator = (...args: any[]) => any;

/** What a leaf row's forward may do. Everything it makes through `output` and `view` is its result's. */
export interface Kernel {
  readonly rules: TorchRules;
  readonly gpu: GpuRow;
  readonly ops: Ops;
  /** False under `--kernel-temporaries off`. */
  readonly temporaries: boolean;
  /** The dtype of numbers and of new tensors that name none (torch.set_default_dtype). */
  readonly defaultDtype: DType;
  /** A result on the device of the first tensor argument; contiguous unless strides are given. */
  output(sizes: Shape, dtype: DType, strides?: Shape, device?: DeviceType): Tensor;
  /** A result with the geometry of `like` (preserve_format) and another dtype if given. */
  like(like: Tensor, dtype?: DType): Tensor;
  /** A differentiable view of `base`; an alias that autograd does not track as a view when `alias` is true. */
  view(base: Tensor, sizes: Shape, strides: Shape, offset?: number, alias?: boolean, dtype?: DType): Tensor;
  /**
   * Memory that the kernel takes and gives back before it returns; `what` names it in the trace. The function that comes
   * back gives it back earlier. On the device of the first tensor argument unless one is named.
   */
  scratch(bytes: number, what: string, device?: DeviceType): () => void;
  /**
   * Results in the schema's order, asked for in the order of the CUDA function: by the places of `order`. Without temporaries, as the
   * corpora's recorder asks, in the schema's.
   */
  inOrder(order: readonly number[], makers: readonly (() => Tensor)[]): Tensor[];
  /** Runs another operator with `out=`: it makes no results of its own. */
  into(outs: readonly Tensor[], run: () => unknown): void;
  /** The cuBLAS workspace of this thread's handle: taken at its first product and kept. */
  cublasWorkspace(): void;
  /** The cuBLASLt workspace of a call, by the version's rules. */
  cublasLtWorkspace(): void;
  /** What a library takes once per process and GPU and keeps; `before` is taken and given back first. */
  keepOnce(what: string, bytes: number, before?: readonly number[]): void;
  /** What the host reads where the device has this number: itself, and zero on a machine that computes nothing. */
  readBack(number: number, from: Tensor): number;
  /** Notes in the report something that was assumed or is not verified. */
  assume(code: string, args?: Record<string, string | number>): void;
  /** Gives back a tensor that an op in this kernel made, before the kernel returns. */
  drop(tensor: Tensor): void;
  /** Runs a statement: what it makes and does not return dies at its end, as C++ temporaries do. */
  statement<T>(run: () => T): T;
  /** Where the result goes in place; null where it is a new tensor. */
  readonly target: Tensor | null;
  /** True when a graph will be recorded for this call. */
  readonly recordsGraph: boolean;
}

export interface TensorMeta {
  readonly sizes: Shape;
  readonly strides: Shape;
  readonly dtype: DType;
  readonly device: DeviceType;
}

/** What a backward formula sees. */
export interface BackwardContext {
  /** Gradient of the first result; for rows with several results see `grads`. */
  readonly grad: Tensor;
  readonly grads: readonly (Tensor | null)[];
  /** Saved tensors by name. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly saved: Record<string, any>;
  /** Arguments that are not tensors, by name. */
  readonly args: Args;
  /** Geometry of tensor arguments and results by name, without holding them. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly meta: Record<string, any>;
  /** Which inputs need a gradient, by name (for tensor lists: true when any does). */
  readonly needs: Record<string, boolean>;
  readonly ops: Ops;
  /** Runs a statement: what it makes and does not return dies at its end, as C++ temporaries do. */
  statement<T>(run: () => T): T;
  /** Gives back a local before the formula ends. */
  drop(tensor: Tensor): void;
  readBack(number: number, from: Tensor): number;
  readonly rules: TorchRules;
  readonly gpu: GpuRow;
  /** True under create_graph: formulas with another form for it use that one. */
  readonly gradEnabled: boolean;
  readonly temporaries: boolean;
}

export interface Derivative {
  /** Name of the argument, or several for a joint formula that returns them in this order. */
  readonly of: readonly string[];
  /** Arguments and results that the formula mentions: exactly these are saved. */
  readonly saves: readonly string[];
  /** What some releases save beside it. */
  readonly savesUnder: readonly { readonly applies: (rules: TorchRules) => boolean; readonly name: string }[];
  readonly formula: (c: BackwardContext) => Tensor | null | readonly (Tensor | null)[];
  /** PyTorch has no formula: the result needs a gradient, and backward says that there is none. */
  readonly refuses?: true;
}

/**
 * `low`: to the autocast dtype. `float32`: up to float32. `promote`: to the widest. `float32-dtype`: like float32 through a
 * dtype argument. `refuses`: an error with this text.
 */
export type AutocastPolicy = "low" | "float32" | "promote" | "float32-dtype" | { readonly refuses: string };

export interface OpRow {
  readonly schema: string;
  /** A leaf: makes its results. Exactly one of `forward` and `composite` is present. */
  readonly forward?: (a: Args, k: Kernel) => Value;
  /** Results that carry no gradient though their type could, by name (`not_differentiable` in derivatives.yaml). */
  readonly notDifferentiable?: readonly string[];
  /** Written in other operators; autograd sees those. */
  readonly composite?: (a: Args, o: Ops, c: CompositeContext) => Value | undefined;
  /** Of a composite: one kernel in PyTorch, so a subclass of Tensor runs it as a whole. */
  readonly isOneCall?: true;
  readonly derivatives?: readonly Derivative[];
  /** Of a composite: the ops that write into `out=`; without it, the finished result is copied there. */
  readonly outFrom?: readonly string[];
  /** The name PyTorch gives the graph node; default: the op's name in CamelCase with `Backward0`. */
  readonly node?: string | ((a: Args) => string);
  readonly autocast?: AutocastPolicy;
  /** What its results hold where what it reads is small and known; without it they hold unknown values. */
  readonly values?: ValueRule;
  /** How many different values its result has at most, where nobody knows them: an index along a dimension is below its size. */
  readonly mostDistinct?: (a: Args) => number;
  /** What all elements of its result, or of each result, most likely are where nobody knows what it reads. */
  readonly likely?: number | readonly (number | null)[];
  /** PyTorch's operator that this row is a part of, where the row is ours: profilers, traces and policies know that one. */
  readonly as?: string;
  /** The operator that PyTorch runs inside for the result, where the row makes it in one step: a trace names who asked for memory. */
  readonly inside?: string | ((a: Args) => string);
  /** A tensor of no content, which another operator fills: a trace names that one, or the node whose formula asks. */
  readonly namedAround?: true;
  /** Autocast casts its arguments from the first to the last: Python calls it, where others are called from C++. */
  readonly castsInOrder?: boolean;
  /** There is an in-place variant `name_` whose result is the first argument. */
  readonly inplace?: boolean;
  /** The row changes these arguments in place and returns the first of them. */
  readonly mutates?: readonly string[];
  /** The result holds the operands one after another: what a cache that grows is made with. */
  readonly joins?: boolean;
  /** In place, it writes some places of its first argument and leaves the others. */
  readonly writesPart?: boolean;
  /** It makes nothing, only another name for its input: selective checkpointing neither keeps nor counts it. */
  readonly onlyRenames?: boolean;
  /** Its kernel reads lazily conjugated and negated tensors as they are; others get copies. */
  readonly readsUnresolved?: boolean;
  /** Tensor arguments may live on different devices. */
  readonly mixedDevices?: boolean;
  /**
   * Where Python finds it: as torch.name, as a method of Tensor; default both. `nn`: as torch._C._nn.name. `foreach`: as torch.name, which
   * looks at its lists first. `none`: only torch._C.ops.
   */
  readonly python?: "both" | "function" | "method" | "nn" | "foreach" | "none";
  /** Other names of its function and method, and with `_` of those in place: `subtract` of `sub` (torchgen: "alias for"). */
  readonly aliases?: readonly string[];
  /** Its names in torch.special, where they are not its own without `special_`. */
  readonly special?: readonly string[];
  /** Python takes a number for its first operand, too (python_arg_parser.cpp: allow_numbers_as_tensors). */
  readonly takesNumbers?: true;
  /** Tensor's methods behind Python's operators: `__add__`, `__radd__`, and of the in-place variant `__iadd__`. */
  readonly signs?: readonly string[];
  /** It draws numbers: Python takes `generator=`. */
  readonly draws?: boolean;
  /**
   * It makes a tensor that reads no memory: Python takes `layout=`, `pin_memory=` and `requires_grad=`, too. Where it lies if no device is
   * named: on the default one (torch.utils._device: _device_constructors), on the CPU, or beside `self`.
   */
  readonly factory?: "default" | "cpu" | "self";
  /** Whether Python takes `out=`; default: where the results are tensors and no argument is changed. */
  readonly takesOut?: false;
  /** Whose operator it is, when it is not PyTorch's: the trace shows `library::name`. Such a row is reported as unverified. */
  readonly library?: string;
  /** First release that has the name; default all. Older ones do not find it. */
  readonly since?: TorchVersion;
  /** First release that has its gradient; default all. Backward of older ones says that there is none. */
  readonly gradientSince?: TorchVersion;
  /**
   * Where the rule was read or seen, clauses with `; ` between them: `derivatives.yaml: NAME`, `native_functions.yaml: NAME`, `case NAME` for a program of
   * the corpus that runs it, or a file and symbol of PyTorch, a section of the reference, a publication.
   */
  readonly evidence?: string;
}

export interface CompositeContext {
  readonly rules: TorchRules;
  readonly gpu: GpuRow;
  readonly defaultDtype: DType;
  readonly gradEnabled: boolean;
  readonly autocastEnabled: boolean;
  readonly temporaries: boolean;
  readonly attention: "auto" | "math";
  statement<T>(run: () => T): T;
  drop(tensor: Tensor): void;
  /** Runs with autograd recording off or on. */
  withGrad<T>(enabled: boolean, run: () => T): T;
  readBack(number: number, from: Tensor): number;
  assume(code: string, args?: Record<string, string | number>): void;
}

/** Declares the rows of one file; only there to give them their type. */
export const defineOps = (rows: readonly OpRow[]): readonly OpRow[] => rows;

/** A derivative of one argument. */
export const d = (
  of: string,
  saves: string,
  formula: (c: BackwardContext) => Tensor | null | readonly (Tensor | null)[],
  savesUnder: Derivative["savesUnder"] = [],
): Derivative => ({ of: words(of), saves: words(saves), savesUnder, formula });

const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

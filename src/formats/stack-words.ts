/** What single lines of a recorded call stack tell: whose code it is, and what was going on. Rows of patterns, Python's and C++'s. */

import type { Category, Phase } from "../trace/model.ts";
import { withoutOverload } from "./overload-names.ts";
import type { SnapshotFrame } from "./snapshot-columns.ts";

/** Whose code a line is: the user's, an installed package's, PyTorch's own in Python, or compiled. */
export type Owner = "user" | "package" | "torch" | "compiled";

const TORCH =
  /[\\/](?:site|dist)-packages[\\/]torch[\\/]|[\\/]torch[\\/](?:nn|optim|autograd|utils|_\w+|cuda|distributed|fx)[\\/]/;
const PACKAGE = /[\\/](?:site|dist)-packages[\\/]|[\\/]lib[\\/]python\d|^<(?:frozen|__array)/;
const PYTHON = /\.pyx?$|^<.*>$/;
/** Notebooks' cells have names of their own. */
const NOTEBOOK = /^<ipython-input-|[\\/]ipykernel_\d+[\\/]/;

export function ownerOf({ file }: SnapshotFrame): Owner {
  if (NOTEBOOK.test(file)) return "user";
  if (!PYTHON.test(file)) return "compiled";
  if (TORCH.test(file)) return "torch";
  return PACKAGE.test(file) ? "package" : "user";
}

/** What a line says about the moment: the strongest sign of a stack counts, then the innermost. */
interface PhaseSign {
  readonly phase: Phase;
  /** Where a stack has several signs: backward runs forward code again (checkpoints), and a step may call both. */
  readonly strength: number;
  readonly file?: RegExp;
  readonly name?: RegExp;
}

const PHASE_SIGNS: readonly PhaseSign[] = [
  { phase: "backward", strength: 2, name: /^torch::autograd::Engine::/ },
  {
    phase: "backward",
    strength: 2,
    file: /torch[\\/]utils[\\/]checkpoint\.py$/,
    name: /^(?:unpack_hook|recompute_fn|backward)$/,
  },
  {
    phase: "backward",
    strength: 1,
    file: /torch[\\/]autograd[\\/]__init__\.py$/,
    name: /^(?:backward|grad|_make_grads)$/,
  },
  { phase: "backward", strength: 1, file: /torch[\\/]autograd[\\/]graph\.py$/, name: /^_engine_run_backward$/ },
  { phase: "backward", strength: 1, file: /torch[\\/]_tensor\.py$/, name: /^backward$/ },
  { phase: "optimizer", strength: 1, file: /torch[\\/]optim[\\/](?!lr_scheduler)/ },
  { phase: "optimizer", strength: 1, file: /[\\/](?:bitsandbytes|apex|deepspeed)[\\/].*optim/, name: /step/ },
  {
    phase: "forward",
    strength: 1,
    file: /torch[\\/]nn[\\/]modules[\\/]module\.py$/,
    name: /^_(?:wrapped_)?call_impl$/,
  },
];

/** The phase that a line is a sign of, and how strong; null when it says nothing. */
export function phaseSign({ file, name }: SnapshotFrame): { readonly phase: Phase; readonly strength: number } | null {
  return PHASE_SIGNS.find((sign) => (sign.file?.test(file) ?? true) && (sign.name?.test(name) ?? true)) ?? null;
}

/** What a line says about the block that was taken under it. */
interface PurposeSign {
  readonly category: Category;
  readonly note: string | null;
  readonly file?: RegExp;
  readonly name?: RegExp;
}

const PURPOSE_SIGNS: readonly PurposeSign[] = [
  { category: "workspace", note: "cublaslt_workspace", name: /CUDABlasLtWorkspace|getCUDABlasLt/ },
  {
    category: "workspace",
    note: "cublas_workspace",
    name: /getCurrentCUDABlasHandle|CUDABlasWorkspace|createCublasWorkspace/i,
  },
  { category: "workspace", note: null, name: /^(?:at::native::)?(?:\(anonymous namespace\)::)?Workspace::Workspace/ },
  { category: "gradient", note: null, name: /^torch::autograd::AccumulateGrad::/ },
  { category: "parameter", note: null, file: /torch[\\/]nn[\\/]parameter\.py$/ },
  {
    category: "parameter",
    note: null,
    file: /torch[\\/]nn[\\/]modules[\\/]module\.py$/,
    name: /^(?:_apply|convert|to_empty)$/,
  },
  {
    category: "parameter",
    note: null,
    file: /torch[\\/]nn[\\/]modules[\\/]\w+\.py$/,
    name: /^(?:__init__|reset_parameters)$/,
  },
  { category: "input", note: null, file: /torch[\\/]utils[\\/]data[\\/]/ },
];

export function purposeSign({ file, name }: SnapshotFrame): PurposeSign | null {
  return PURPOSE_SIGNS.find((sign) => (sign.file?.test(file) ?? true) && (sign.name?.test(name) ?? true)) ?? null;
}

/** Operators that only take memory for another one, or bring data from outside. */
const TAKES_MEMORY = /^(?:empty|new_empty|resize)/;
const BRINGS_DATA = /^(?:_to_copy|to|rand|ones|zeros|full|arange|tensor|linspace|normal)/;
/** `at::_ops::add_Tensor::call(...)`: name and overload, joined. */
const OPERATOR = /^at::_ops::(\w+)::(?:call|redispatch)\(/;

/** Name of the operator that a compiled line enters, without its overload, or null. */
export function operatorOf({ name }: SnapshotFrame): string | null {
  const joined = OPERATOR.exec(name)?.[1];
  return joined === undefined ? null : withoutOverload(joined);
}

export const takesMemoryOnly = (operator: string): boolean => TAKES_MEMORY.test(operator);
export const bringsData = (operator: string): boolean => BRINGS_DATA.test(operator);

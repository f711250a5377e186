/**
 * One op call from arguments to results: autocast, then either the composite, or the leaf with its graph node.
 * Mirrors the order of torch/csrc/autograd/generated/VariableType: node and saved inputs before the kernel, history and
 * saved results after it.
 */

import { FormulaNode, type InputSlot } from "../autograd/formula-node.ts";
import type { Node } from "../autograd/node.ts";
import type { CompiledOp } from "../ops/registry.ts";
import { missing } from "../ops/pointwise.ts";
import type { Args, Derivative, TensorMeta } from "../ops/row.ts";
import { FLOAT32, isComplex, isFloating } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import { connect, metaOf, setHistory, setHistoryOfView } from "./history.ts";
import { KernelCall } from "./kernel.ts";
import { learn } from "./learning.ts";
import type { Session } from "./session.ts";
import type { TorchRules } from "../torch/changes.ts";
import { releaseNumber } from "../torch/releases.ts";

export function callOp(session: Session, op: CompiledOp, positional: readonly unknown[]): unknown {
  const { ranges, place } = session;
  if (ranges === null) return callNow(session, op, positional);
  ranges.begin(op.atenName, "op", place.frame, place.module, positional);
  let result: unknown = null;
  try {
    result = callNow(session, op, positional);
    return result;
  } finally {
    ranges.end(result);
  }
}

function callNow(session: Session, op: CompiledOp, positional: readonly unknown[]): unknown {
  let args = bind(op, positional);
  const { pool } = session;
  const mark = pool.size;
  try {
    const outs = session.pendingOut;
    if (outs) {
      checkOut(session, op, args, outs);
      if (op.row.composite) return composeInto(session, op, args, outs);
    }
    let result: unknown;
    // what autocast runs in 16 bits are the operators that compute products
    if (op.row.autocast === "low" && !session.recordsGraph) session.steps.multiplied(op, args);
    if (op.row.autocast && session.autocastEnabled) {
      const cast = session.autocast.castArguments(op, args, session);
      const suspended = session.autocastSuspended;
      session.autocastSuspended = true;
      args = cast;
      try {
        result = run(session, op, args);
      } finally {
        session.autocastSuspended = suspended;
      }
    } else result = run(session, op, args);
    pool.leave(mark, result);
    return result;
  } catch (error) {
    pool.release(mark);
    throw error;
  }
}

/** out= is for code that autograd does not follow: only an operator without a gradient writes there whatever it reads. */
function checkOut(session: Session, op: CompiledOp, args: Args, outs: readonly Tensor[]): void {
  const hasGradient = op.row.composite || (op.derivatives.length > 0 && !op.derivatives[0].refuses);
  if (!session.gradEnabled || !hasGradient) return;
  const inputs = op.tensorArgs.flatMap((a) => args[a.name] as unknown);
  if ([...inputs, ...outs].some(wantsGrad))
    throw new TorchError(
      `${op.plainName}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.`,
    );
}

/** A composite with out=: the op that makes its result writes there, or the result is copied. */
function composeInto(session: Session, op: CompiledOp, args: Args, outs: Tensor[]): unknown {
  const mark = session.pool.size;
  session.pendingOut = null;
  if (op.row.outFrom) session.composedOut = { names: op.row.outFrom, outs: [...outs] };
  let result: unknown;
  try {
    result = run(session, op, args);
  } finally {
    session.composedOut = null;
  }
  const results = (Array.isArray(result) ? result : [result]) as Tensor[];
  results.forEach((made, i) => {
    const out = outs[i];
    if (!out || made === out) return;
    if (made.storage !== out.storage) {
      session.pendingOut = [out];
      session.ops._copy_into_out(made);
    } else {
      out.sizes = made.sizes;
      out.strides = made.strides;
    }
  });
  session.pool.release(mark);
  return outs.length === 1 ? outs[0] : outs;
}

function bind(op: CompiledOp, positional: readonly unknown[]): Args {
  const args: Args = {};
  for (let i = 0; i < op.args.length; i++) {
    const argument = op.args[i];
    let value = positional[i];
    if (value === undefined) {
      value = op.defaults[i];
      if (value === undefined && !argument.type.endsWith("?"))
        throw new TorchError(`${op.plainName}() missing argument '${argument.name}'`, "TypeError");
      value ??= null;
    }
    if (typeof value === "number" && (argument.type.startsWith("Operand") || argument.type.startsWith("Scalar")))
      value = { scalar: Number.isInteger(value) ? "int" : "float", value };
    args[argument.name] = value;
  }
  return args;
}

function run(session: Session, op: CompiledOp, args: Args): unknown {
  const around = session.running;
  session.running = op.atenName;
  try {
    const isComposite = op.row.composite && !isOneCallOfSubclass(session, op, args);
    return isComposite ? runComposite(session, op, args) : runLeaf(session, op, args, around);
  } finally {
    session.running = around;
  }
}

function isOneCallOfSubclass(session: Session, op: CompiledOp, args: Args): boolean {
  if (!op.row.isOneCall || !session.subclasses.takes(op, args)) return false;
  return !session.gradEnabled || !op.tensorArgs.some(({ name }) => [args[name]].flat().some(wantsGrad));
}

function runComposite(session: Session, op: CompiledOp, args: Args): unknown {
  const result = op.row.composite?.(args, session.ops, session) ?? null;
  if (!op.inplace) {
    if (op.row.values || op.row.likely) learn(session, op, args, result, null);
    return result;
  }
  const target = args[op.args[0].name] as Tensor;
  session.ops.copy_(target, result as Tensor);
  return target;
}

function runLeaf(session: Session, op: CompiledOp, args: Args, around: string): unknown {
  const { place } = session;
  const opBefore = place.op;
  place.op = session.trace.op(op.row.namedAround && around ? around : op.allocatingName(args));
  if (op.row.library) session.assume("unverified_op", { op: op.atenName });
  try {
    const needed = session.gradEnabled && !session.inferenceMode ? neededInputs(op, args) : none;
    const target = op.mutates ? (args[op.args[0].name] as Tensor) : null;
    if (target) checkInPlace(session, target, needed.length > 0);
    const node = needed.length ? makeNode(session, op, args, needed) : null;
    try {
      const kernel = new KernelCall(session, op, args, op.inplace ? target : null, node !== null);
      let result: unknown;
      if (session.follower) session.follower.recordsGraph = session.gradEnabled;
      try {
        // a kernel runs below autograd: the ops that it is written in record nothing
        result = session.withGrad(false, () => {
          const compute = (): unknown =>
            session.subclasses.takes(op, args)
              ? inPython(session, op, args)
              : (op.row.forward as NonNullable<typeof op.row.forward>)(args, kernel);
          if (session.follower) return session.follower.run(op, args, compute);
          const { selective } = session;
          if (selective === null) return compute();
          return op.row.onlyRenames ? selective.pass(session, compute) : selective.run(session, op.plainName, compute);
        });
      } finally {
        kernel.finish();
      }
      if (target) target.version.value++;
      if ((op.row.values || op.row.likely || target) && !session.subclasses.takes(op, args))
        learn(session, op, args, result, target);
      if (node) record(session, op, node, result, target);
      else if ((op.row.joins || target) && !session.recordsGraph) session.steps.ran(op, args, result);
      return result;
    } finally {
      node?.release();
    }
  } finally {
    place.op = opBefore;
  }
}

/** The operator as a subclass of Tensor runs it. */
function inPython(session: Session, op: CompiledOp, args: Args): unknown {
  const results = session.python.operator(op, args);
  for (const t of results) if (t) session.pool.add(t);
  if (op.mutates) return args[op.args[0].name];
  return op.results[0]?.type === "Tensor[]" || op.results.length > 1 ? results : (results[0] ?? null);
}

const none: readonly string[] = [];
/** Holds the place of a result that was not wanted; no gradient ever arrives there. */
const nobody: TensorMeta = { sizes: [], strides: [], dtype: FLOAT32, device: "cuda" };

function neededInputs(op: CompiledOp, args: Args): readonly string[] {
  let names: string[] | null = null;
  for (const a of op.differentiable) {
    const value = args[a.name];
    const needs = Array.isArray(value) ? value.some(wantsGrad) : wantsGrad(value);
    if (needs) (names ??= []).push(a.name);
  }
  return names ?? none;
}

const wantsGrad = (v: unknown): boolean => v instanceof Tensor && v.requiresGrad;

function checkInPlace(session: Session, target: Tensor, recorded: boolean): void {
  if (target.isInference && !session.inferenceMode)
    throw new TorchError(
      "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.",
    );
  if (!session.gradEnabled) return;
  if (recorded && target.viewBase && target.viewOrigin !== "tracked") throw changedView(session, target);
  if (target.requiresGrad && target.isLeaf && !target.viewBase)
    throw new TorchError("a leaf Variable that requires grad is being used in an in-place operation.");
  if (target.viewBase?.requiresGrad && target.viewBase.isLeaf)
    throw new TorchError("a view of a leaf Variable that requires grad is being used in an in-place operation.");
}

function changedView(session: Session, view: Tensor): TorchError {
  const node = view.gradFn as Node | null;
  const name = session.rules.shortNodeNamesInErrors ? node?.name.replace(/Backward\d*$/, "") : node?.name;
  const where = node
    ? `Output ${view.outputNr} of ${name} is a view and is being modified inplace.`
    : "A view was created in no_grad mode and is being modified inplace with grad mode enabled.";
  const why =
    view.viewOrigin === "several"
      ? "This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one."
      : "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).";
  return new TorchError(`${where} ${why}`);
}

/** The formulas of a release, which refuse where it has none yet. An overload with a number has none for that operand. */
function derivativesOf(op: CompiledOp, rules: TorchRules, args: Args): readonly Derivative[] {
  const since = op.row.gradientSince;
  const tooOld = since && releaseNumber(rules.version) < releaseNumber(since);
  const isOfNumber = ({ of }: Derivative): boolean => of.length === 1 && isNumber(args[of[0]]);
  if (!tooOld && !op.derivatives[0]?.refuses)
    return op.derivatives.some(isOfNumber) ? op.derivatives.filter((known) => !isOfNumber(known)) : op.derivatives;
  return op.derivatives.map((known) => missing(op.baseName, known.of.join(" ")));
}

/** The node with its edges and saved inputs. The caller owns one reference. */
function makeNode(session: Session, op: CompiledOp, args: Args, needed: readonly string[]): FormulaNode {
  const slots: InputSlot[] = [];
  const inputs: (Tensor | null)[] = [];
  for (const a of op.differentiable) {
    const value = args[a.name];
    if (Array.isArray(value)) {
      slots.push({ name: a.name, start: inputs.length, length: value.length });
      for (const t of value) inputs.push(t instanceof Tensor && t.requiresGrad ? t : null);
    } else {
      slots.push({ name: a.name, start: inputs.length, length: -1 });
      inputs.push(value instanceof Tensor && value.requiresGrad ? value : null);
    }
  }
  const meta: Record<string, TensorMeta | (TensorMeta | null)[] | null> = {};
  const rest: Args = {};
  for (const a of op.args) {
    const value = args[a.name];
    if (value instanceof Tensor) meta[a.name] = metaOf(value);
    else if (Array.isArray(value) && (a.type === "Tensor[]" || a.type === "Tensor?[]"))
      meta[a.name] = value.map((t) => (t instanceof Tensor ? metaOf(t) : null));
    else rest[a.name] = value;
  }
  const derivatives = derivativesOf(op, session.rules, args);
  const ownName = typeof op.row.node === "function" ? op.row.node(args) : op.nodeName;
  const node = new FormulaNode(
    session,
    derivatives[0].refuses ? "torch::autograd::NotImplemented" : ownName,
    derivatives,
    slots,
    rest,
    meta,
    needed,
  );
  try {
    for (const name of savedNames(op, derivatives, needed, session.rules)) {
      if (!(name in args)) continue;
      const value = args[name];
      if (value instanceof Tensor || Array.isArray(value)) checkSavable(session, value);
      if (value instanceof Tensor) node.save(name, beforeChange(session, op, name, value), false);
      else if (Array.isArray(value)) node.save(name, value as (Tensor | null)[], false);
      else {
        node.save(name, null, false);
        if (isNumber(value)) node.saveNumber();
      }
      if (!(value instanceof Tensor) && !Array.isArray(value)) rest[name] = value;
    }
    connect(session, node, inputs);
  } catch (error) {
    node.release();
    throw error;
  }
  return node;
}

const isNumber = (value: unknown): boolean => typeof value === "object" && value !== null && "scalar" in value;

/** A formula that needs what an in-place op overwrites keeps a copy of it (original_self in VariableType). */
function beforeChange(session: Session, op: CompiledOp, name: string, value: Tensor): Tensor {
  if (!op.mutates || name !== op.args[0].name) return value;
  return session.withGrad(false, () => session.ops.clone(value) as Tensor);
}

function checkSavable(session: Session, value: Tensor | unknown[]): void {
  if (session.inferenceMode) return;
  for (const t of Array.isArray(value) ? value : [value])
    if (t instanceof Tensor && t.isInference)
      throw new TorchError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
      );
}

/** Names that the formulas which will run mention, each once; saved and unpacked in the order of their names. */
function savedNames(
  op: CompiledOp,
  derivatives: readonly Derivative[],
  needed: readonly string[],
  rules: TorchRules,
): string[] {
  const names = new Set<string>();
  for (const derivative of derivatives) {
    const runs = derivative.of.some((n) => needed.includes(n));
    for (const name of derivative.saves) {
      const guard = op.saveGuards.get(name) ?? null;
      if (guard === null ? runs || derivatives.length > 1 : needed.includes(guard)) names.add(name);
    }
    for (const { applies, name } of derivative.savesUnder) if (runs && applies(rules)) names.add(name);
  }
  return [...names].sort();
}

/** History and saved results. */
function record(session: Session, op: CompiledOp, node: FormulaNode, result: unknown, target: Tensor | null): void {
  const results = target ? [target] : Array.isArray(result) ? (result as (Tensor | null)[]) : [result as Tensor | null];
  if (target) setHistoryOfView(session, target, node);
  else
    results.forEach((t, i) => {
      const carries = !op.row.notDifferentiable?.includes(op.results[i]?.name);
      if (t instanceof Tensor && carries && (isFloating(t.dtype) || isComplex(t.dtype))) setHistory(t, node);
      else if (t instanceof Tensor) node.results.push(metaOf(t));
      else if (op.results.length > 1) node.results.push(nobody);
    });
  const byName = new Map<string, Tensor | (Tensor | null)[] | null>();
  op.results.forEach((r, i) => {
    const value = r.type === "Tensor[]" ? (results as (Tensor | null)[]) : (results[i] ?? null);
    byName.set(r.name || "result", value);
    node.meta[r.name || "result"] = value instanceof Tensor ? metaOf(value) : null;
  });
  for (const name of savedNames(op, node.derivatives, node.neededNames, session.rules)) {
    const value = byName.get(name);
    if (value !== undefined) node.save(name, value, true);
  }
}

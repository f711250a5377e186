/** A call of a compiled function: it runs while nothing has memory, then takes what inductor's code would take. */

import { runBackward, type Root } from "../autograd/engine.ts";
import type { Edge, Node } from "../autograd/node.ts";
import { connect, metaOf, setHistory } from "../session/history.ts";
import type { Session } from "../session/session.ts";
import { contiguousStrides } from "../tensor/shape.ts";
import { Tensor, type Storage } from "../tensor/tensor.ts";
import { CompiledNode, type GradientPlace } from "./node.ts";
import { keptValues } from "./partition.ts";
import { planOf, type Step } from "./plan.ts";
import { play } from "./play.ts";
import { Recorder } from "./recorder.ts";
import { rootOf, type Value } from "./value.ts";

/** What was made of a graph: the next call with the same one takes it over. */
interface Compiled {
  readonly values: readonly Value[];
  readonly kept: readonly Value[];
  readonly forward: readonly Step[];
  readonly backward: readonly Step[];
  readonly gradients: readonly (GradientPlace | null)[];
  /** What stands for the gradients of the results. */
  readonly tangents: readonly Value[];
}

const compiled = new WeakMap<Session, Map<string, Compiled>>();

/** Begins a compiled function. Null inside another one, and where tensors lie on several GPUs in parts: such code runs as eager code. */
export function beginRegion(session: Session): Recorder | null {
  if (session.follower !== null) return null;
  if (session.subclasses.any) {
    session.assume("compile_runs_eager");
    return null;
  }
  session.assume("compile_by_rule");
  const recorder = new Recorder(session);
  session.follower = recorder;
  session.memory.unbacked = recorder;
  return recorder;
}

/** The function raised: what is left gets memory. */
export function leaveRegion(session: Session, recorder: Recorder): void {
  stop(session);
  backTheRest(session, recorder);
}

/** Ends it: its results and what it keeps get their memory. */
export function endRegion(session: Session, recorder: Recorder): void {
  const outputs = recorder.tensors.filter((t) => t.wrappers > 0 && recorder.storages.has(t.storage));
  const roots = session.recordsGraph ? outputs.filter((t) => t.gradFn !== null) : [];
  const inputs = [...recorder.inputs.keys()].filter((t) => t.requiresGrad);
  const values = outputs.map((t) => recorder.valueOf(t));
  const known = knownOf(session);
  const key = keyOf(recorder.values, values, roots.length, inputs.length);
  let made = known.get(key);
  if (made === undefined) {
    made = compile(session, recorder, values, roots, inputs);
    known.set(key, made);
  }
  stop(session);
  const before = outputs.map((t) => t.gradFn);
  for (const t of outputs) t.gradFn = null;
  const bases = outputs.map((t) => t.viewBase);
  // what it was a view of led to the graph of the function's own operators
  for (const t of outputs) t.viewBase = null;
  const node = roots.length > 0 ? new CompiledNode(session, made.backward, made.gradients, made.tangents) : null;
  try {
    if (node) connect(session, node, inputs);
    if (node) for (const t of roots) setHistory(t, node);
    for (const old of [...before, ...bases]) old?.release();
    const places = new Map(outputs.map((t, i) => [rootOf(made.values[values[i]!.index]!), t.storage]));
    const memory = new Map<Value, Storage>();
    play(session, made.forward, memory, places);
    if (node) keep(session, node, made, memory, recorder);
    for (const storage of memory.values()) storage.release();
  } finally {
    node?.release();
    backTheRest(session, recorder);
  }
}

function compile(
  session: Session,
  recorder: Recorder,
  values: readonly Value[],
  roots: readonly Tensor[],
  inputs: readonly Tensor[],
): Compiled {
  const hasBackward = roots.length > 0 && inputs.length > 0;
  recorder.isBackward = hasBackward;
  const gradients = hasBackward ? gradientsOf(session, recorder, roots, inputs) : [];
  const wanted = gradients.flatMap((place) => (place ? [place.value] : []));
  const kept = hasBackward ? keptValues(recorder.values, values, wanted) : [];
  const isOutput = new Set(values.map(rootOf));
  const tangents = recorder.values.filter(({ isTangent }) => isTangent);
  const backward = planOf(
    wanted,
    new Set([...kept, ...tangents]),
    (value) => value.isTangent || value.kind !== "input",
    (value) => value.isTangent || isOutput.has(value),
  );
  const never = (): boolean => false;
  const forward = planOf([...values, ...kept], new Set(), never, never);
  return { values: recorder.values, kept, forward, backward, gradients, tangents };
}

/** The node keeps what the cut says; parameters and other inputs are held by it, too, as its tensors. */
function keep(
  session: Session,
  node: CompiledNode,
  made: Compiled,
  memory: ReadonlyMap<Value, Storage>,
  recorder: Recorder,
): void {
  const storageOf = (root: Value): Storage | null =>
    memory.get(root) ?? (root.kind === "input" ? recorder.values[root.index]!.storage : null);
  for (const root of new Set(made.kept.map(rootOf))) {
    const storage = storageOf(root);
    if (storage === null || root.isFree) continue;
    const dtype = root.tensor?.dtype ?? session.defaultDtype;
    const tensor = new Tensor(storage, root.sizes, contiguousStrides(root.sizes), 0, dtype);
    node.keep(root, tensor);
    tensor.release();
  }
}

function stop(session: Session): void {
  session.follower = null;
  session.memory.unbacked = null;
}

/** What lives on without being a result: an object of the program holds it. */
function backTheRest(session: Session, recorder: Recorder): void {
  for (const storage of recorder.storages)
    if (storage.refs > 0 && storage.block === null && storage.nbytes > 0)
      session.memory.back(storage, session.streamOn(storage.device));
}

function knownOf(session: Session): Map<string, Compiled> {
  let known = compiled.get(session);
  if (known === undefined) compiled.set(session, (known = new Map()));
  return known;
}

function keyOf(values: readonly Value[], outputs: readonly Value[], roots: number, inputs: number): string {
  const lines = values.map(
    (v) => `${v.name} ${v.bytes} ${v.isFree} ${v.mode} ${v.inputs.map(({ index }) => index).join(",")}`,
  );
  return `${lines.join("\n")}\n${outputs.map(({ index }) => index).join(",")} ${roots} ${inputs}`;
}

/** Runs backward on the graph to see what it would do, with gradients that nobody has yet. */
function gradientsOf(
  session: Session,
  recorder: Recorder,
  roots: readonly Tensor[],
  inputs: readonly Tensor[],
): (GradientPlace | null)[] {
  // a backward inside backward (reentrant checkpointing) adds to the leaves: these see fresh ones, and keep what they had
  const had = inputs.map((t) => t.grad);
  for (const t of inputs) t.grad = null;
  const captures: Edge[] = inputs.map((t) => session.edgeOf(t)!);
  let places: (GradientPlace | null)[] = [];
  session.scope(() => {
    const starts: Root[] = roots.map((t) => {
      const grad = session.newTensor(t.sizes, contiguousStrides(t.sizes), t.dtype, t.device);
      recorder.tangent(grad);
      return { edge: { node: t.gradFn as Node, inputNr: t.outputNr }, grad };
    });
    const found = session.asBackwardThread(() =>
      runBackward(session, starts, { keepGraph: true, createGraph: false, captures }),
    );
    const placeOf = (t: Tensor): GradientPlace => ({ value: recorder.valueOf(t), meta: metaOf(t), offset: t.offset });
    places = found.map((t, i) => {
      const grad = t ?? inputs[i]!.grad;
      return grad && placeOf(grad);
    });
    for (const t of found) t?.release();
  });
  inputs.forEach((t, i) => {
    t.grad?.release();
    t.grad = had[i] ?? null;
  });
  return places;
}

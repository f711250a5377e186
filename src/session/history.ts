/** Links between tensors and the graph: gradient edges, and new history after in-place changes (autograd/variable.cpp). */

import type { Edge, Node } from "../autograd/node.ts";
import { CopySlices, ViewOfBase } from "../autograd/views.ts";
import type { TensorMeta } from "../ops/row.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Session } from "./session.ts";

export const metaOf = (t: Tensor): TensorMeta => ({
  sizes: t.sizes,
  strides: t.strides,
  dtype: t.dtype,
  device: t.device,
});

/**
 * The edge that a new node gets for this input. A fresh accumulator starts with one reference that belongs to nobody:
 * the edge list that receives it retains, so it is released here into the caller's care through `adopt`.
 */
export function gradientEdge(session: Session, tensor: Tensor): Edge | null {
  if (tensor.viewBase) refreshView(session, tensor);
  if (tensor.gradFn) return { node: tensor.gradFn as Node, inputNr: tensor.outputNr };
  if (!tensor.accumulates) return null;
  return { node: session.accumulatorOf(tensor), inputNr: 0 };
}

/** Gives `node` its edges, and fresh accumulators their only owner. */
export function connect(session: Session, node: Node, inputs: readonly (Tensor | null)[]): void {
  const fresh: Node[] = [];
  const edges = inputs.map((t): Edge | null => {
    if (!t) return null;
    const isNew = t.accumulates && t.gradAccumulator === null;
    const edge = gradientEdge(session, t);
    if (edge && isNew && edge.node === t.gradAccumulator) fresh.push(edge.node);
    return edge;
  });
  node.setEdges(edges);
  for (const n of fresh) n.release();
}

/** Makes `node` the grad_fn of a result; the reference is taken here. */
export function setHistory(tensor: Tensor, node: Node): void {
  node.retain();
  const old = tensor.gradFn;
  tensor.gradFn = node;
  tensor.outputNr = node.results.length;
  tensor.gradFnVersion = tensor.version.value;
  tensor.requiresGrad = true;
  node.results.push(metaOf(tensor));
  old?.release();
}

/** History after an in-place change: the tensor itself, or its base when it is a view. */
export function setHistoryOfView(session: Session, tensor: Tensor, node: Node): void {
  const base = tensor.viewBase;
  if (!base) {
    setHistory(tensor, node);
    return;
  }
  const copy = new CopySlices(session, base, tensor, node, metaOf(base));
  node.results.push(metaOf(tensor));
  // the inner node's first edge is the view's; CopySlices continues at the base instead
  const fresh = base.accumulates && base.gradAccumulator === null;
  const baseEdge = gradientEdge(session, base);
  copy.setEdges([baseEdge, ...node.edges.slice(1)]);
  if (fresh) baseEdge?.node.release();
  const old = base.gradFn;
  base.gradFn = copy;
  base.outputNr = 0;
  base.requiresGrad = true;
  base.gradFnVersion = base.version.value;
  old?.release();
  tensor.requiresGrad = true;
  tensor.gradFnVersion = -1;
  refreshView(session, tensor);
}

/** Gives a view whose base got new history since a grad_fn that leads to it. */
export function refreshView(session: Session, view: Tensor): void {
  const base = view.viewBase as Tensor;
  if (!base.requiresGrad || view.gradFnVersion === view.version.value) return;
  if (!base.gradFn) return;
  const node = new ViewOfBase(session, base, view, metaOf(view));
  connect(session, node, [base]);
  const old = view.gradFn;
  view.gradFn = node;
  view.outputNr = 0;
  view.requiresGrad = true;
  view.gradFnVersion = view.version.value;
  old?.release();
}

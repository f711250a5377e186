/** What Python asks of the graph: nodes, hooks, custom functions and backward. */

import { runBackward, willExecute } from "../autograd/engine.ts";
import type { Edge, Node } from "../autograd/node.ts";
import { FormulaNode } from "../autograd/formula-node.ts";
import { PythonNode } from "../autograd/python-node.ts";
import type { SavedTensor } from "../autograd/saved.ts";
import { connect, refreshView, setHistory } from "../session/history.ts";
import { KeptResults, SelectiveMode } from "../session/selective.ts";
import { TorchError } from "../tensor/shape.ts";
import type { HookList, Tensor } from "../tensor/tensor.ts";
import type { BridgeFunction, BridgeState } from "./bridge.ts";
import { ArgumentReader } from "./codec.ts";

export function graphFunctions({
  session,
  handles,
  guard,
  pythonNodes,
  stores,
}: BridgeState): Record<string, BridgeFunction> {
  const { place, pool } = session;
  const find = handles.tensor;
  const newHooks = (): HookList => ({ ids: [], drop: (id) => session.python.drop(id) });
  const at = (frame: number): void => {
    place.frame = frame;
  };

  function hooksOf(t: Tensor): number[] {
    if (t.gradFn) {
      const node = t.gradFn as Node;
      let list = node.tensorHooks.get(t.outputNr);
      if (!list) node.tensorHooks.set(t.outputNr, (list = []));
      return list;
    }
    // a leaf's hooks belong to the tensor: its accumulator comes and goes with graphs
    return (t.hooks ??= newHooks()).ids;
  }

  const outerModes: (SelectiveMode | null)[] = [];
  const enter = (mode: SelectiveMode): void => {
    outerModes.push(session.selective);
    session.selective = mode;
  };
  const storeOf = (id: number): KeptResults => {
    const known = stores.get(id) ?? new KeptResults();
    stores.set(id, known);
    return known;
  };

  return {
    /** Selective checkpointing: a region begins, by the number of its store; with a policy it runs for the first time. */
    keepResults: (store: number, policy: number): void =>
      enter(new SelectiveMode(storeOf(store), (op) => session.python.keeps(policy, op))),
    reuseResults: (store: number): void => enter(new SelectiveMode(storeOf(store), null)),
    leaveSelective: (): void => {
      session.selective = outerModes.pop() ?? null;
    },
    dropResults: (store: number, frame: number): void => {
      at(frame);
      stores.get(store)?.release();
      stores.delete(store);
    },
    gradFn: (handle: number): number => {
      const t = find(handle);
      if (t.viewBase) refreshView(session, t);
      return t.gradFn ? handles.exposeNode(t.gradFn as Node) : 0;
    },
    releaseNode: (id: number, frame: number): void => {
      at(frame);
      handles.unwrapNode(id);
    },
    /** Whether the running backward runs a node: 0 or 1, -1 outside of one. */
    nodeRuns: (id: number): number => {
      const runs = willExecute(handles.node(id));
      return runs === null ? -1 : Number(runs);
    },
    nodeName: (id: number): string => handles.node(id).name,
    nodeNext: (id: number): string =>
      handles
        .node(id)
        .edges.map((e) => (e ? `${handles.exposeNode(e.node)}:${e.inputNr}` : ":0"))
        .join(","),
    /** Names under which a node keeps something. */
    nodeSlots: (id: number): string => {
      const node = handles.node(id);
      return node instanceof FormulaNode
        ? [...node.saved].flatMap(([name, kept]) => (kept ? [name] : [])).join(",")
        : "";
    },
    /** What a node keeps under a name, unpacked; nothing when there is no such name. */
    nodeSaved: guard((id: number, name: string) => {
      const node = handles.node(id);
      const saved = node instanceof FormulaNode ? node.saved.get(name) : undefined;
      if (saved === undefined) return undefined;
      const open = (s: SavedTensor | null): Tensor | null => {
        const t = s?.unpack(node) ?? null;
        if (t) pool.add(t);
        return t;
      };
      return Array.isArray(saved) ? saved.map(open) : open(saved);
    }),
    nodeVariable: (id: number): number => {
      const { variable } = handles.node(id) as Node & { variable?: Tensor };
      return variable ? handles.expose(variable) : 0;
    },
    nodeHook: (id: number, kind: string, callback: number): void => {
      const n = handles.node(id);
      (kind === "pre" ? n.preHooks : n.postHooks).push(callback);
    },
    addHook: guard((handle: number, callback: number) => {
      const t = find(handle);
      if (!t.requiresGrad) throw new TorchError("cannot register a hook on a tensor that doesn't require gradient");
      hooksOf(t).push(callback);
    }),
    removeHook: (handle: number, callback: number): void => {
      const t = find(handle);
      const list = hooksOf(t);
      const i = list.indexOf(callback);
      if (i >= 0) {
        list.splice(i, 1);
        session.python.drop(callback);
      }
    },
    addPostAccumulateHook: (handle: number, callback: number): void => {
      (find(handle).postAccumulateHooks ??= newHooks()).ids.push(callback);
    },
    removePostAccumulateHook: (handle: number, callback: number): void => {
      const list = find(handle).postAccumulateHooks;
      if (!list?.ids.includes(callback)) return;
      list.ids = list.ids.filter((x) => x !== callback);
      session.python.drop(callback);
    },
    detachInPlace: guard((handle: number, frame: number) => {
      at(frame);
      const t = find(handle);
      if (t.viewBase && t.gradFn)
        throw new TorchError(
          "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.",
        );
      t.requiresGrad = false;
      const fn = t.gradFn;
      t.gradFn = null;
      fn?.release();
    }),
    retainGrad: guard((handle: number) => {
      const t = find(handle);
      if (!t.requiresGrad) throw new TorchError("can't retain_grad on Tensor that has requires_grad=False");
      if (t.isLeaf || t.retainsGrad) return;
      t.retainsGrad = true;
      (t.gradFn as Node).retaining.set(t.outputNr, t);
    }),
    /** A node for a custom Function: name, callback, needed inputs, saved tensors, outputs; marks the outputs. */
    pythonFunction: guard((name: string, callback: number, frame: number, ...flat: unknown[]) => {
      at(frame);
      const r = new ArgumentReader(flat, 0, find);
      const inputs = r.list(() => r.optionalTensor()) as (Tensor | null)[];
      const saved = r.list(() => r.optionalTensor()) as (Tensor | null)[];
      const outputs = r.list(() => r.tensor()) as Tensor[];
      const node = new PythonNode(session, name, callback);
      try {
        connect(
          session,
          node,
          inputs.map((t) => (t?.requiresGrad ? t : null)),
        );
        for (const t of outputs) setHistory(t, node);
        // a pack hook may raise, to stop a recomputation for one
        node.save(saved, outputs);
        pythonNodes.set(callback, node);
      } finally {
        node.release();
      }
    }),
    /** By the number of the node's callback. */
    savedTensors: guard((id: number) => {
      const tensors = (pythonNodes.get(id) as PythonNode).unpackAll();
      for (const t of tensors) pool.add(t);
      return tensors;
    }),
    /** Roots with gradients, then what is asked for; returns gradients for grad(), nothing for backward(). */
    backward: guard((frame: number, keepGraph: boolean, createGraph: boolean, mode: string, ...flat: unknown[]) => {
      session.backwardRuns++;
      at(frame);
      const r = new ArgumentReader(flat, 0, find);
      const roots = r.list(() => ({ tensor: r.tensor(), grad: r.tensor() })) as { tensor: Tensor; grad: Tensor }[];
      const wanted = r.list(() => r.tensor());
      const held: Node[] = [];
      const edgeOf = (t: Tensor, message: string): Edge => {
        const fresh = !t.gradFn && !t.gradAccumulator;
        const edge = session.edgeOf(t);
        if (!edge) throw new TorchError(message);
        if (!fresh) edge.node.retain();
        held.push(edge.node);
        return edge;
      };
      const edges = roots.map(({ tensor, grad }, i) => ({
        edge: edgeOf(tensor, `element ${i} of tensors does not require grad and does not have a grad_fn`),
        grad,
      }));
      const captures = wanted?.map((t) => edgeOf(t, "One of the differentiated Tensors does not require grad")) ?? null;
      const device = roots.some((x) => x.tensor.isCuda);
      session.onBackward?.(edges.map(({ edge }) => edge.node));
      const run = (): (Tensor | null)[] => runBackward(session, edges, { keepGraph, createGraph, captures });
      let grads: (Tensor | null)[];
      try {
        grads = device ? session.asBackwardThread(run) : run();
      } finally {
        for (const n of held) n.release();
      }
      if (mode === "backward") {
        for (let i = 0; i < grads.length; i++) {
          const g = grads[i];
          const t = (wanted as Tensor[])[i];
          if (!g) continue;
          const { grad } = t;
          if (grad) session.scope(() => void session.ops.add_(grad, g));
          else {
            t.grad = session.alias(g);
            session.becameGradient(t.grad);
          }
          g.release();
        }
        return undefined;
      }
      for (const g of grads) if (g) pool.add(g);
      return grads;
    }),
    outputNr: (handle: number): number => find(handle).outputNr,
    /** The gradients that arrive at edges of the graph, from edges with a gradient each. */
    gradOfEdges: guard((frame: number, keepGraph: boolean, createGraph: boolean, ...flat: unknown[]) => {
      at(frame);
      const r = new ArgumentReader(flat, 0, find);
      const edge = (): Edge => ({ node: handles.node(r.number()), inputNr: r.number() });
      const roots = r.list(() => ({ edge: edge(), grad: r.tensor() })) as { edge: Edge; grad: Tensor }[];
      const captures = r.list(edge) as Edge[];
      session.onBackward?.(roots.map((root) => root.edge.node));
      const run = (): (Tensor | null)[] => runBackward(session, roots, { keepGraph, createGraph, captures });
      const grads = roots.some((x) => x.grad.isCuda) ? session.asBackwardThread(run) : run();
      for (const g of grads) if (g) pool.add(g);
      return grads;
    }),
  };
}

/** The autograd graph as plain data: which nodes a backward would run, what each keeps, and where gradients go. */

import type { Tensor } from "../tensor/tensor.ts";
import type { Node } from "./node.ts";

export interface GraphTensor {
  readonly shape: readonly number[];
  readonly dtype: string;
  /** Of its storage, which other tensors may share. */
  readonly bytes: number;
  /** Index of its block in the trace, or -1; equal blocks are one storage. */
  readonly block: number;
}

export interface SavedSlot extends GraphTensor {
  /** What the node's formula calls it. */
  readonly slot: string;
}

export interface GraphNodeView {
  /** `AddmmBackward0`. */
  readonly name: string;
  /** Index into the trace's frames of the forward line, or -1. */
  readonly frame: number;
  /** Index into the trace's modules, or -1. */
  readonly module: number;
  readonly saved: readonly SavedSlot[];
  /** The leaf that the node accumulates into. */
  readonly leaf: GraphTensor | null;
  /** Indexes into {@link AutogradGraph.nodes} of the nodes that get gradients, once each. */
  readonly next: readonly number[];
}

export interface AutogradGraph {
  /** Breadth first from the roots. */
  readonly nodes: readonly GraphNodeView[];
  readonly roots: readonly number[];
  /** How many nodes beyond these were seen and left out. */
  readonly leftOut: number;
  /** Index of the event that followed the moment when the graph was looked at. */
  readonly event: number;
}

function tensorView(tensor: Tensor): GraphTensor {
  const { sizes, dtype, storage } = tensor;
  return { shape: [...sizes], dtype: dtype.name, bytes: storage.nbytes, block: storage.traceBlock };
}

/** Looks at the graph that leads from these nodes; more than `most` nodes are counted, not described. */
export function viewGraph(roots: readonly Node[], event: number, most = 20_000): AutogradGraph {
  const indexes = new Map<Node, number>();
  const order: Node[] = [];
  let leftOut = 0;
  const visit = (node: Node): number => {
    const known = indexes.get(node);
    if (known !== undefined) return known;
    const index = order.length < most ? order.push(node) - 1 : -1;
    if (index === -1) leftOut++;
    indexes.set(node, index);
    return index;
  };
  const starts = [...new Set(roots)].map(visit).filter((index) => index !== -1);
  const nodes: GraphNodeView[] = [];
  for (let at = 0; at < order.length; at++) {
    const node = order[at]!;
    const next = new Set(node.edges.flatMap((edge) => (edge === null ? [] : [visit(edge.node)])));
    next.delete(-1);
    const saved = node.keptTensors().flatMap(([slot, kept]) => {
      const tensor = kept.peek();
      return tensor === null ? [] : [{ slot, ...tensorView(tensor) }];
    });
    const { heldLeaf } = node;
    nodes.push({
      name: node.name.slice(node.name.lastIndexOf(":") + 1),
      frame: node.frame,
      module: node.module,
      saved,
      leaf: heldLeaf === null ? null : tensorView(heldLeaf),
      next: [...next],
    });
  }
  return { nodes, roots: starts, leftOut, event };
}

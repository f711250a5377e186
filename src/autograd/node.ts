/** Nodes and edges of the autograd graph, with explicit reference counts (torch/csrc/autograd/function.h). */

import type { TensorMeta } from "../ops/row.ts";
import type { GraphNode, Tensor } from "../tensor/tensor.ts";
import type { SavedEnd } from "../trace/model.ts";
import type { AutogradHost } from "./host.ts";
import type { SavedTensor } from "./saved.ts";

/** Gradient `inputNr` of `node`. */
export interface Edge {
  readonly node: Node;
  readonly inputNr: number;
}

/** Nodes that accumulate into leaves come before all others. */
export const FIRST = Number.MAX_SAFE_INTEGER;

export abstract class Node implements GraphNode {
  refs = 1;
  readonly name: string;
  /** Creation order within the thread; later nodes run first. */
  readonly sequence: number;
  /** One per input of the forward op; null where no gradient goes. Held. */
  edges: (Edge | null)[] = [];
  /** Geometry of each forward result: what its gradient must look like. */
  readonly results: TensorMeta[] = [];
  /** Python hooks on a result's gradient, by result number. */
  readonly tensorHooks = new Map<number, number[]>();
  /** Results that keep their gradient (not held). */
  readonly retaining = new Map<number, Tensor>();
  preHooks: number[] = [];
  postHooks: number[] = [];
  /** Trace indices of the forward line and module. */
  readonly frame: number;
  readonly module: number;
  /** The stream on which forward ran: backward runs there, too. */
  readonly stream: number;
  /** Python objects that wrap this node now. */
  wrappers = 0;

  protected readonly host: AutogradHost;

  constructor(host: AutogradHost, name: string, sequence: number = host.nextSequence()) {
    this.host = host;
    this.name = name;
    this.sequence = sequence;
    this.frame = host.frame;
    this.module = host.module;
    this.stream = host.stream;
  }

  /** Python hooks on the gradient of a result, in order. */
  hooksOn(result: number): readonly number[] {
    return this.tensorHooks.get(result) ?? noHooks;
  }

  /** The result's tensor is gone: nothing is kept for it. */
  forget(result: number): void {
    this.retaining.delete(result);
  }

  /** The gradients are gone when apply returns, before what it returned is brought into shape. */
  get takesGradients(): boolean {
    return false;
  }

  /**
   * Gradients of the inputs from gradients of the results. The gradients are borrowed, the returned tensors are owned
   * by the caller. `needed[i]` tells whether anybody wants output i.
   */
  abstract apply(grads: readonly (Tensor | null)[], needed: readonly boolean[]): (Tensor | null)[];

  /** Lets go of saved tensors: after the node has run for the last time, or with the node. */
  releaseVariables(_end: SavedEnd): void {}

  /** What the node keeps, by the names of its formula. */
  keptTensors(): [string, SavedTensor][] {
    return [];
  }

  /** The leaf that the node accumulates into, held. */
  get heldLeaf(): Tensor | null {
    return null;
  }

  /** Registered Python objects that the node itself holds, hooks aside. */
  get callbacks(): readonly number[] {
    return [];
  }

  /** Called once when the last reference goes. */
  protected dispose(): void {}

  setEdges(edges: (Edge | null)[]): void {
    for (const e of edges) e?.node.retain();
    this.edges = edges;
  }

  retain(): void {
    this.refs++;
  }

  release(): void {
    if (--this.refs > 0) return;
    doomed.push(this);
    if (destroying) return;
    destroying = true;
    try {
      for (let n = doomed.pop(); n; n = doomed.pop()) {
        n.releaseVariables("dropped");
        n.dispose();
        for (const hooks of [...n.tensorHooks.values(), n.preHooks, n.postHooks])
          for (const id of hooks) n.host.dropPython(id);
        const edges = n.edges;
        n.edges = [];
        for (const e of edges) e?.node.release();
      }
    } finally {
      destroying = false;
    }
  }
}

const noHooks: readonly number[] = [];

// A queue instead of recursion: a loop of 100,000 additions makes a graph that deep.
const doomed: Node[] = [];
let destroying = false;

/**
 * Who holds a block: chains from where a reference begins (a variable, the running operator, a library's workspace) through
 * tensors and graph nodes to the memory. Looked up at one moment of a run; nothing is kept while it goes on.
 */

import type { Node } from "../autograd/node.ts";
import type { Tensor } from "../tensor/tensor.ts";

/** A step through Python's objects: a kind and what belongs to it, as the walk in Python writes them. */
export type PythonStep = readonly [kind: string, ...details: (string | number)[]];

/** One link of a chain. */
export type HolderLink =
  /** Where a chain begins in Python, or goes on inside of an object that the engine keeps: root first, then steps. */
  | { readonly kind: "python"; readonly steps: readonly PythonStep[] }
  /** Made or borrowed by the operator that ran, or a gradient on its way through backward. */
  | { readonly kind: "running"; readonly op: string | null; readonly phase: string }
  /** Kept by a library's handle for ever. */
  | { readonly kind: "workspace" }
  /** Autocast's copy of a weight, until the outermost block ends. */
  | { readonly kind: "autocast" }
  /** Kept by selective checkpointing. */
  | { readonly kind: "selective" }
  /** The graph of the tensor before. `nodes`: how many nodes lie between it and the next link. */
  | { readonly kind: "graph"; readonly node: string; readonly frame: number; readonly nodes: number }
  /** A slot of the node before. */
  | { readonly kind: "saved"; readonly node: string; readonly slot: string; readonly frame: number }
  | { readonly kind: "grad" }
  /** The leaf of an accumulating node. */
  | { readonly kind: "leaf" }
  /** A hook, a packed tensor or the context of a custom function. */
  | { readonly kind: "hook" | "packed" | "context"; readonly node: string | null };

/** Everything that holds one block, each as a chain of links; what holds it most directly is last. */
export interface BlockHolders {
  /** Index into the trace's blocks. */
  readonly block: number;
  readonly chains: readonly (readonly HolderLink[])[];
}

export interface HolderTable {
  /** Index of the event after which was looked. */
  readonly event: number;
  /** Alive blocks in the order of their making. */
  readonly blocks: readonly BlockHolders[];
}

type Steps = readonly PythonStep[];

/** Tensors and nodes that Python leads to, each with the ways there. */
export interface PythonWays {
  readonly tensors: readonly (readonly [Tensor, readonly Steps[]])[];
  readonly nodes: readonly (readonly [Node, Steps])[];
}

export interface HolderSources {
  readonly python: PythonWays;
  /** By the number of an object that the engine keeps: what it leads to. */
  readonly objects: ReadonlyMap<number, PythonWays>;
  readonly pool: readonly Tensor[];
  readonly autocast: readonly Tensor[];
  readonly selective: readonly Tensor[];
  /** Blocks of workspaces that are kept. */
  readonly workspaces: readonly number[];
  readonly running: { readonly op: string | null; readonly phase: string };
  readonly event: number;
}

/** More chains for one block than this tell nothing new. */
const MOST_CHAINS = 12;

interface Way {
  readonly before: Way | null;
  readonly link: HolderLink;
}

/** Chains for each of the blocks `alive`. */
export function findHolders(alive: readonly number[], sources: HolderSources): HolderTable {
  const walk = new HolderWalk(sources.objects);
  for (const [tensor, ways] of sources.python.tensors)
    for (const steps of ways) walk.tensor(tensor, { before: null, link: { kind: "python", steps } });
  for (const [node, steps] of sources.python.nodes) walk.node(node, { before: null, link: { kind: "python", steps } });
  walk.run();
  const rest = (tensors: readonly Tensor[], link: HolderLink): void => {
    for (const tensor of tensors) walk.tensor(tensor, { before: null, link });
    walk.run();
  };
  rest(sources.selective, { kind: "selective" });
  rest(sources.autocast, { kind: "autocast" });
  const running: HolderLink = { kind: "running", ...sources.running };
  rest(sources.pool, running);
  for (const block of sources.workspaces) walk.chains.set(block, [{ before: null, link: { kind: "workspace" } }]);
  return {
    event: sources.event,
    blocks: alive.map((block) => ({
      block,
      chains: (walk.chains.get(block) ?? [{ before: null, link: running }]).map(unfold),
    })),
  };
}

/** Breadth first over tensors and nodes: each is entered by the shortest chain, each block remembers all that lead to it. */
class HolderWalk {
  readonly chains = new Map<number, Way[]>();
  private readonly seen = new Set<Tensor | Node>();
  private readonly seenObjects = new Set<number>();
  private queue: (() => void)[] = [];
  private readonly objects: ReadonlyMap<number, PythonWays>;

  constructor(objects: ReadonlyMap<number, PythonWays>) {
    this.objects = objects;
  }

  run(): void {
    for (let at = 0; at < this.queue.length; at++) this.queue[at]!();
    this.queue = [];
  }

  tensor(tensor: Tensor, way: Way): void {
    const block = tensor.storage.traceBlock;
    if (block >= 0) {
      const known = this.chains.get(block);
      if (known === undefined) this.chains.set(block, [way]);
      else if (known.length < MOST_CHAINS) known.push(way);
    }
    if (this.seen.has(tensor)) return;
    this.seen.add(tensor);
    this.queue.push(() => this.enterTensor(tensor, way));
  }

  node(node: Node, way: Way): void {
    if (this.seen.has(node)) return;
    this.seen.add(node);
    this.queue.push(() => this.enterNode(node, way));
  }

  private enterTensor(tensor: Tensor, way: Way): void {
    if (tensor.grad) this.tensor(tensor.grad, { before: way, link: { kind: "grad" } });
    // a base on the same block is the same memory: whoever holds the view is the answer
    if (tensor.viewBase && !this.seen.has(tensor.viewBase)) {
      this.seen.add(tensor.viewBase);
      this.queue.push(() => this.enterTensor(tensor.viewBase as Tensor, way));
    }
    const node = tensor.gradFn as Node | null;
    if (node) this.node(node, { before: way, link: { kind: "graph", node: node.name, frame: node.frame, nodes: 0 } });
    for (const list of [tensor.hooks, tensor.postAccumulateHooks])
      for (const id of list?.ids ?? []) this.object(id, { before: way, link: { kind: "hook", node: null } });
  }

  private enterNode(node: Node, way: Way): void {
    const { name, frame } = node;
    for (const [slot, kept] of node.keptTensors()) {
      const tensor = kept.peek();
      if (tensor) this.tensor(tensor, { before: way, link: { kind: "saved", node: name, slot, frame } });
      if (kept.packedObject >= 0) this.object(kept.packedObject, { before: way, link: { kind: "packed", node: name } });
    }
    if (node.heldLeaf) this.tensor(node.heldLeaf, { before: way, link: { kind: "leaf" } });
    for (const id of [...[...node.tensorHooks.values()].flat(), ...node.preHooks, ...node.postHooks])
      this.object(id, { before: way, link: { kind: "hook", node: name } });
    for (const id of node.callbacks) this.object(id, { before: way, link: { kind: "context", node: name } });
    // a graph is one link, however deep
    const start = way.link.kind === "graph" ? way.before : way;
    const depth = way.link.kind === "graph" ? way.link.nodes + 1 : 0;
    for (const edge of node.edges)
      if (edge) {
        const link: HolderLink = { kind: "graph", node: edge.node.name, frame: edge.node.frame, nodes: depth };
        this.node(edge.node, { before: start, link });
      }
  }

  private object(id: number, way: Way): void {
    if (this.seenObjects.has(id)) return;
    this.seenObjects.add(id);
    const leads = this.objects.get(id);
    if (!leads) return;
    for (const [tensor, ways] of leads.tensors)
      for (const steps of ways) this.tensor(tensor, { before: way, link: { kind: "python", steps } });
    for (const [node, steps] of leads.nodes) this.node(node, { before: way, link: { kind: "python", steps } });
  }
}

function unfold(way: Way): HolderLink[] {
  const links: HolderLink[] = [];
  for (let at: Way | null = way; at !== null; at = at.before) links.push(at.link);
  return links.reverse();
}

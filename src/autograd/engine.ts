/**
 * The backward engine: which node runs next, how gradients meet, what dies when (torch/csrc/autograd/engine.cpp).
 * One graph task at a time; a backward inside a backward (reentrant checkpointing) is a nested task of the same thread.
 */

import type { DType } from "../tensor/dtype.ts";
import { sameShape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { AutogradHost } from "./host.ts";
import type { Edge, Node } from "./node.ts";

export interface BackwardOptions {
  readonly keepGraph: boolean;
  readonly createGraph: boolean;
  /** With captures, gradients of these edges are returned and nothing is accumulated into leaves. */
  readonly captures: readonly Edge[] | null;
}

export interface Root {
  readonly edge: Edge;
  readonly grad: Tensor;
}

/** Runs backward from `roots`; the gradients are borrowed. Returns owned gradients of the captures, null where none came. */
export function runBackward(host: AutogradHost, roots: readonly Root[], options: BackwardOptions): (Tensor | null)[] {
  const task = new GraphTask(host, options);
  const before = host.gradEnabled;
  running.push(task);
  try {
    const fitting = task.fitRoots(roots);
    host.gradEnabled = options.createGraph;
    task.run(fitting);
    return task.captured;
  } catch (error) {
    for (const t of task.captured) t?.release();
    throw error;
  } finally {
    running.pop();
    task.close();
    host.gradEnabled = before;
  }
}

/** Backward passes that have begun, the innermost last. */
const running: GraphTask[] = [];

/** Whether the backward that is running keeps what its nodes saved. */
export const keepsGraph = (): boolean => running.at(-1)?.keeps ?? false;

/** Whether the backward that is running runs this node, too; null where none is. */
export const willExecute = (node: Node): boolean | null => running.at(-1)?.executes(node) ?? null;

class GraphTask {
  readonly captured: (Tensor | null)[];
  private rootGrads: (Tensor | null)[] = [];
  private readonly dependencies = new Map<Node, number>();
  private readonly buffers = new Map<Node, (Tensor | null)[]>();
  private readonly queue: Node[] = [];
  private readonly reached = new Set<Node>();
  /** Null: every node runs. */
  private needed: Set<Node> | null = null;
  private readonly capturesOf = new Map<Node, { inputNr: number; slot: number }[]>();
  private readonly host: AutogradHost;
  private readonly options: BackwardOptions;

  constructor(host: AutogradHost, options: BackwardOptions) {
    this.host = host;
    this.options = options;
    this.captured = (options.captures ?? []).map(() => null);
  }

  /** The roots' gradients as their tensors need them. Converted ones live until the task ends, as in Engine::execute. */
  fitRoots(roots: readonly Root[]): readonly Root[] {
    this.rootGrads = roots.map(({ grad }) => grad.retain());
    this.validate(
      roots.map(({ edge }) => edge),
      this.rootGrads,
      "",
    );
    return roots.map(({ edge }, i) => ({ edge, grad: this.rootGrads[i] as Tensor }));
  }

  run(roots: readonly Root[]): void {
    this.countDependencies(roots.map((r) => r.edge.node));
    if (this.options.captures) this.findNeeded(roots.map((r) => r.edge.node));
    for (const { edge, grad } of roots) if (!this.add(edge, grad.retain())) grad.release();
    // the virtual root of PyTorch hands over all roots at once: none of them waits for it
    for (const { edge } of roots) if (!this.dependencies.get(edge.node)) this.enqueueOnce(edge.node);
    for (let node = this.pop(); node; node = this.pop()) {
      node.retain();
      try {
        this.evaluate(node);
      } finally {
        node.release();
      }
    }
  }

  /** Gives back the roots' gradients, and what an exception left in the buffers. */
  close(): void {
    for (const buffer of this.buffers.values()) for (const t of buffer) t?.release();
    this.buffers.clear();
    for (const t of this.rootGrads.splice(0)) t?.release();
  }

  private countDependencies(roots: readonly Node[]): void {
    const seen = this.reached;
    for (const root of roots) seen.add(root);
    const stack = [...seen];
    for (let node = stack.pop(); node; node = stack.pop())
      for (const edge of node.edges) {
        if (!edge) continue;
        this.dependencies.set(edge.node, (this.dependencies.get(edge.node) ?? 0) + 1);
        if (!seen.has(edge.node)) {
          seen.add(edge.node);
          stack.push(edge.node);
        }
      }
  }

  /** A node is needed when a path leads from it to a capture (Engine::GraphTask::init_to_execute). */
  private findNeeded(roots: readonly Node[]): void {
    (this.options.captures ?? []).forEach((edge, slot) => {
      const list = this.capturesOf.get(edge.node) ?? [];
      list.push({ inputNr: edge.inputNr, slot });
      this.capturesOf.set(edge.node, list);
    });
    const needed = new Set<Node>();
    const done = new Set<Node>();
    const stack: { node: Node; next: number }[] = [];
    const enter = (node: Node): void => {
      if (!done.has(node)) {
        done.add(node);
        stack.push({ node, next: 0 });
      }
    };
    for (const root of roots) {
      enter(root);
      while (stack.length) {
        const top = stack[stack.length - 1];
        if (top.next < top.node.edges.length) {
          const edge = top.node.edges[top.next++];
          if (edge) enter(edge.node);
          continue;
        }
        stack.pop();
        if (top.node.edges.some((e) => e && (needed.has(e.node) || this.capturesOf.has(e.node)))) needed.add(top.node);
      }
    }
    this.needed = needed;
  }

  get keeps(): boolean {
    return this.options.keepGraph;
  }

  executes(node: Node): boolean {
    return this.reached.has(node) && this.wants(node);
  }

  private wants(node: Node): boolean {
    return !this.needed || this.needed.has(node) || this.capturesOf.has(node);
  }

  private evaluate(node: Node): void {
    const { ranges } = this.host;
    ranges?.begin(`autograd::engine::evaluate_function: ${node.name}`, "node", node.frame, node.module);
    try {
      this.evaluateNow(node);
    } finally {
      ranges?.end();
    }
  }

  private evaluateNow(node: Node): void {
    const { host } = this;
    const { stream } = host;
    host.stream = node.stream;
    try {
      this.evaluateOnStream(node);
    } finally {
      host.stream = stream;
    }
  }

  private evaluateOnStream(node: Node): void {
    const host = this.host;
    const inputs = this.buffers.get(node) ?? [];
    this.buffers.delete(node);
    let outputs: (Tensor | null)[] = [];
    try {
      this.runTensorHooks(node, inputs);
      for (const { inputNr, slot } of this.capturesOf.get(node) ?? []) {
        const t = inputs[inputNr];
        if (t) {
          this.captured[slot]?.release();
          this.captured[slot] = t.retain();
        }
      }
      if (this.needed && !this.needed.has(node)) return;
      for (const id of node.preHooks) this.replace(inputs, host.callPython(id, inputs));
      const wanted = node.edges.map((e) => e !== null && this.wants(e.node));
      host.ranges?.begin(node.name, "node", node.frame, node.module, inputs);
      try {
        outputs = host.inNode(node, () => node.apply(inputs, wanted));
      } finally {
        host.ranges?.end();
      }
      if (node.takesGradients && node.postHooks.length === 0) for (const t of inputs.splice(0)) t?.release();
      this.validate(node.edges, outputs, `Function ${node.name} returned an `);
      for (const id of node.postHooks) this.replace(outputs, host.callPython(id, [...outputs, ...inputs]));
    } catch (error) {
      for (const t of outputs) t?.release();
      throw error;
    } finally {
      for (const t of inputs) t?.release();
    }
    if (!this.options.keepGraph) node.releaseVariables("backward");
    try {
      for (let i = 0; i < outputs.length; i++) {
        const edge = node.edges[i];
        const output = outputs[i];
        outputs[i] = null;
        if (!edge) {
          output?.release();
          continue;
        }
        const left = (this.dependencies.get(edge.node) ?? 0) - 1;
        this.dependencies.set(edge.node, left);
        if (!this.wants(edge.node)) output?.release();
        else {
          // a gradient that was added to another lives on until all outputs are handed over
          if (output && !this.add(edge, output)) outputs[i] = output;
          if (left === 0) this.enqueueOnce(edge.node);
        }
      }
    } finally {
      for (const t of outputs) t?.release();
    }
  }

  private runTensorHooks(node: Node, inputs: (Tensor | null)[]): void {
    for (let nr = 0; nr < inputs.length; nr++) {
      for (const id of node.hooksOn(nr).slice()) {
        const current = inputs[nr] ?? null;
        if (!current) continue;
        const [replacement] = this.host.callPython(id, [current]);
        if (replacement) {
          inputs[nr] = replacement;
          current.release();
        }
      }
    }
    for (const [nr, tensor] of node.retaining) {
      const grad = inputs[nr];
      if (!grad) continue;
      const old = tensor.grad;
      tensor.grad = this.host.own(() =>
        old ? this.host.ops.add(old, grad) : this.host.ops.clone(grad, "contiguous_format"),
      ) as Tensor;
      old?.release();
    }
  }

  /** What a hook returned takes the place of what it was given. */
  private replace(inputs: (Tensor | null)[], replacements: readonly (Tensor | null)[]): void {
    if (!replacements.length) return;
    for (let i = 0; i < inputs.length; i++) {
      const r = replacements[i];
      if (!r) continue;
      inputs[i]?.release();
      inputs[i] = r;
    }
    for (const extra of replacements.slice(inputs.length)) extra?.release();
  }

  /** Brings each gradient to the shape, dtype and device of what it is the gradient of (validate_outputs). */
  private validate(edges: readonly (Edge | null)[], outputs: (Tensor | null)[], subject: string): void {
    for (let i = 0; i < outputs.length; i++) {
      const edge = edges[i];
      const grad = outputs[i];
      if (!edge || !grad) continue;
      const want = edge.node.results[edge.inputNr];
      if (!want) continue;
      if (!sameShape(grad.sizes, want.sizes)) {
        if (!expandable(want.sizes, grad.sizes))
          throw new TorchError(
            `${subject}invalid gradient at index ${i} - got [${grad.sizes.join(", ")}] but expected shape compatible with [${want.sizes.join(", ")}]`,
          );
        outputs[i] = this.host.own(() => this.host.ops.sum_to_size(grad, want.sizes)) as Tensor;
        grad.release();
      }
      const shaped = outputs[i] as Tensor;
      if (differs(shaped.dtype, want.dtype)) {
        outputs[i] = this.host.own(() => this.host.ops.to(shaped, want.dtype)) as Tensor;
        shaped.release();
      }
      const fitting = outputs[i] as Tensor;
      if (fitting.device === want.device) continue;
      if (fitting.sizes.length > 0) {
        const [wanted, got] = [want.device, fitting.device].map((device) => this.host.shownName(device));
        throw new TorchError(`${subject}invalid gradient at index ${i} - expected device ${wanted} but got ${got}`);
      }
      outputs[i] = this.host.own(() => this.host.ops.to(fitting, null, want.device)) as Tensor;
      fitting.release();
    }
  }

  /** Puts a gradient where it meets others of the same input (InputBuffer::add). True when it took over the reference. */
  private add(edge: Edge, grad: Tensor): boolean {
    let buffer = this.buffers.get(edge.node);
    if (!buffer) {
      buffer = new Array<Tensor | null>(Math.max(edge.node.results.length, edge.inputNr + 1)).fill(null);
      this.buffers.set(edge.node, buffer);
    }
    const old = buffer[edge.inputNr];
    if (!old) {
      buffer[edge.inputNr] = grad;
      return true;
    }
    const { host } = this;
    host.stream = edge.node.stream;
    // a subclass runs its own addition, and PyTorch asks for one that changes nothing
    const plain = old.subclass === null && grad.subclass === null;
    const alone =
      host.rules.gradientsAddInPlace &&
      plain &&
      !host.gradEnabled &&
      old.isNonOverlappingAndDense &&
      old.refs === 1 &&
      old.storage.refs === 1;
    if (alone) host.scope(() => void host.ops.add_(old, grad));
    else {
      buffer[edge.inputNr] = host.own(() => host.ops.add(old, grad)) as Tensor;
      old.release();
    }
    return false;
  }

  private enqueueOnce(node: Node): void {
    if (this.queue.includes(node)) return;
    this.queue.push(node);
    this.siftUp(this.queue.length - 1, node);
  }

  /** std::pop_heap of libstdc++: among equals its order decides, and nodes of two threads can have equal numbers. */
  private pop(): Node | undefined {
    const queue = this.queue;
    const top = queue[0];
    const last = queue.pop();
    if (!last || queue.length === 0) return top;
    let hole = 0;
    for (let child = 1; child < queue.length; child = 2 * hole + 1) {
      if (child + 1 < queue.length && queue[child + 1].sequence >= queue[child].sequence) child++;
      queue[hole] = queue[child];
      hole = child;
    }
    this.siftUp(hole, last);
    return top;
  }

  private siftUp(from: number, node: Node): void {
    const queue = this.queue;
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (queue[parent].sequence >= node.sequence) break;
      queue[hole] = queue[parent];
      hole = parent;
    }
    queue[hole] = node;
  }
}

const differs = (a: DType, b: DType): boolean => a !== b;

function expandable(from: readonly number[], to: readonly number[]): boolean {
  if (from.length > to.length) return false;
  const pad = to.length - from.length;
  return from.every((size, i) => size === to[i + pad] || size === 1);
}

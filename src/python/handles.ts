/** Tensors and graph nodes that Python objects hold, by number. A Python wrapper owns one reference. */

import type { Node } from "../autograd/node.ts";
import { invariant } from "../base/invariant.ts";
import { endsQuietly, type Tensor } from "../tensor/tensor.ts";

export class Handles {
  private readonly tensors = new Map<number, Tensor>();
  private readonly nodes = new Map<number, Node>();
  private readonly nodeIds = new Map<Node, number>();
  private nextNode = 1;

  readonly tensor = (handle: number): Tensor => {
    const t = this.tensors.get(handle);
    invariant(t, `no tensor with handle ${handle}`);
    return t;
  };

  /** The number under which Python knows the tensor: negative when a wrapper lives already, else Python makes one. */
  expose(tensor: Tensor): number {
    if (tensor.wrappers > 0) return -tensor.id;
    this.wrap(tensor);
    return tensor.id;
  }

  /** One more Python wrapper. */
  wrap(tensor: Tensor): void {
    tensor.wrappers++;
    tensor.retain();
    this.tensors.set(tensor.id, tensor);
  }

  /** A Python wrapper is gone. */
  unwrap(handle: number): void {
    const t = this.tensors.get(handle);
    if (!t) return;
    if (--t.wrappers === 0) this.tensors.delete(handle);
    t.release();
  }

  /** The same where nothing ends with it that a trace tells of: then no line is needed. False, and nothing changes, elsewhere. */
  unwrapQuietly(handle: number): boolean {
    const t = this.tensors.get(handle);
    if (t !== undefined && !endsQuietly(t)) return false;
    this.unwrap(handle);
    return true;
  }

  exposeNode(node: Node): number {
    let id = this.nodeIds.get(node);
    if (id === undefined) {
      id = this.nextNode++;
      this.nodeIds.set(node, id);
      this.nodes.set(id, node);
    }
    node.wrappers++;
    node.retain();
    return id;
  }

  node(id: number): Node {
    const n = this.nodes.get(id);
    invariant(n, `no node with handle ${id}`);
    return n;
  }

  unwrapNode(id: number): void {
    const n = this.nodes.get(id);
    if (!n) return;
    if (--n.wrappers === 0) {
      this.nodes.delete(id);
      this.nodeIds.delete(n);
    }
    n.release();
  }
}

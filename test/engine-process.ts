/** What tests of the engine without Python do with a simulated process: tensors and backward passes. */

import { runBackward } from "../src/autograd/engine.ts";
import type { Edge, Node } from "../src/autograd/node.ts";
import type { SimulatedProcess } from "../src/session/create.ts";
import { FLOAT32 } from "../src/tensor/dtype.ts";
import { TorchError } from "../src/tensor/shape.ts";
import type { Tensor } from "../src/tensor/tensor.ts";

/** A tensor on the simulated GPU, owned by the caller. */
export const cuda = ({ session }: SimulatedProcess, sizes: readonly number[], grad: boolean): Tensor => {
  const made = session.own(() => session.ops.rand(sizes, FLOAT32, "cuda") as Tensor);
  made.requiresGrad = grad;
  return made;
};

/** What `root.backward()` does, or `grad(root, input)`, whose gradient the caller owns. */
export function backward(
  { session }: SimulatedProcess,
  root: Tensor,
  keepGraph: boolean,
  createGraph = false,
  input: Tensor | null = null,
): readonly (Tensor | null)[] {
  const held: Node[] = [];
  const edgeOf = (t: Tensor): Edge => {
    const fresh = !t.gradFn && !t.gradAccumulator;
    const edge = session.edgeOf(t);
    if (!edge) throw new TorchError("does not require grad");
    if (!fresh) edge.node.retain();
    held.push(edge.node);
    return edge;
  };
  let found: readonly (Tensor | null)[] = [];
  try {
    session.scope(() => {
      const edge = edgeOf(root);
      const captures = input && [edgeOf(input)];
      const grad = session.ops.ones_like(root) as Tensor;
      found = session.asBackwardThread(() =>
        runBackward(session, [{ edge, grad }], { keepGraph, createGraph, captures }),
      );
    });
    return found;
  } finally {
    for (const node of held) node.release();
  }
}

/** The node of a custom autograd function: it calls Python with gradients, and holds what it saved until it is told otherwise. */

import { expect, it } from "vitest";
import { PythonNode } from "../../src/autograd/python-node.ts";
import { createSession } from "../../src/session/create.ts";
import { FLOAT32 } from "../../src/tensor/dtype.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";

const CALLBACK = 7;

function node() {
  const { session, allocator } = createSession({ torch: "2.14", gpu: "a100-80gb" });
  const calls: unknown[] = [];
  session.python = {
    call: (id: number, grads: readonly (Tensor | null)[]) => (calls.push([id, grads]), grads),
    drop: (id: number) => void calls.push(["drop", id]),
  } as unknown as NonNullable<typeof session.python>;
  const made = new PythonNode(session, "MyFunctionBackward", CALLBACK);
  const tensor = (): Tensor => session.own(() => session.ops.empty([4], FLOAT32, "cuda"));
  return { made, tensor, calls, allocator };
}

it("calls Python where no gradient came, too (case autograd/gradients_that_stop)", () => {
  const { made, tensor, calls } = node();
  made.edges = [null, null];
  expect(made.apply([null, null])).toEqual([null, null]);
  const grad = tensor();
  expect(made.apply([grad, null])).toEqual([grad, null]);
  expect(calls).toEqual([
    [CALLBACK, [null, null]],
    [CALLBACK, [grad, null]],
  ]);
});

it("holds what was saved, in its order and without what is None, until the graph is freed", () => {
  const { made, tensor, allocator } = node();
  const [input, output] = [tensor(), tensor()];
  made.save([input, null, output], [output]);
  expect(made.keptTensors().map(([slot]) => slot)).toEqual(["saved_tensors[0]", "saved_tensors[1]"]);
  input.release();
  output.release();
  expect(allocator.memoryAllocated()).toBe(2 * 512);
  const unpacked = made.unpackAll();
  expect(unpacked.map(({ storage }) => storage)).toEqual([input.storage, output.storage]);
  for (const one of unpacked) one.release();
  made.releaseVariables("backward");
  expect(allocator.memoryAllocated()).toBe(0);
  expect(() => made.unpackAll()).toThrow("Trying to backward through the graph a second time");
});

it("lets Python's object go with itself", () => {
  const { made, calls } = node();
  made.release();
  expect(calls).toEqual([["drop", CALLBACK]]);
});

/** Tensor subclasses whose operators Python runs: they take no memory, are counted while they live, and say what becomes of them. */

import { expect, it } from "vitest";
import { findOp } from "../../src/ops/registry.ts";
import { createSession } from "../../src/session/create.ts";
import { contiguousStrides } from "../../src/tensor/shape.ts";
import { FLOAT32 } from "../../src/tensor/dtype.ts";

const SIZES = [1024, 1024];

function wrapper() {
  const { session, allocator } = createSession({ torch: "2.14", gpu: "a100-80gb" });
  const tensor = session.own(() => session.subclasses.make(session, SIZES, contiguousStrides(SIZES), FLOAT32, "cuda"));
  return { session, allocator, tensor };
}

it("take no memory", () => {
  const { allocator, tensor } = wrapper();
  expect([tensor.numel, tensor.storage.nbytes, allocator.memoryAllocated()]).toEqual([2 ** 20, 0, 0]);
});

it("are looked for among arguments and in lists while one lives", () => {
  const { session, tensor } = wrapper();
  const { subclasses } = session;
  const plain = session.own(() => session.ops.empty([4], FLOAT32, "cuda"));
  const [add, cat] = [findOp("add")!, findOp("cat")!];
  const takes = (): boolean[] => [
    subclasses.takes(add, { self: plain, other: tensor }),
    subclasses.takes(cat, { tensors: [plain, tensor] }),
    subclasses.takes(add, { self: plain, other: plain }),
  ];
  expect([subclasses.any, ...takes()]).toEqual([true, true, true, false]);
  let ended = 0;
  subclasses.onEnd = (one) => void (ended += one === tensor ? 1 : 0);
  tensor.release();
  expect([ended, subclasses.any, subclasses.takes(add, { self: plain, other: plain })]).toEqual([1, false, false]);
});

it("are told of when they become gradients, because their memory is elsewhere", () => {
  const { session, tensor } = wrapper();
  const gradients: unknown[] = [];
  session.subclasses.onGradient = (one) => void gradients.push(one);
  session.becameGradient(tensor);
  session.becameGradient(session.own(() => session.ops.empty([4], FLOAT32, "cuda")));
  expect(gradients).toEqual([tensor]);
});

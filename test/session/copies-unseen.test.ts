/** Numbers drawn on the CPU that are copied and that nobody looks at: they are not made, and the copy keeps what it was made of. */

import { expect, it } from "vitest";
import { createSession } from "../../src/session/create.ts";
import { LaterValues } from "../../src/tensor/contents.ts";
import { dtype, FLOAT32 } from "../../src/tensor/dtype.ts";

/** A tensor of three numbers that are found when somebody looks, and how often that was. */
function drawn() {
  const { session } = createSession({ torch: "2.14", gpu: "a100-80gb" });
  const found = { times: 0 };
  const source = session.own(() => session.ops.ones([3], FLOAT32, "cpu"));
  const find = (): number[] => {
    found.times += 1;
    return [1.00390625, 2, 3];
  };
  source.learn(new LaterValues(find, false));
  const copied = (type: string, device: string) => session.own(() => session.ops._to_copy(source, dtype(type), device));
  return { session, source, found, copied };
}

it("are not made for a copy to the GPU, and once for all who look", () => {
  const { source, found, copied } = drawn();
  const moved = copied("float32", "cuda");
  expect(found.times).toBe(0);
  expect(moved.values).toEqual([1.00390625, 2, 3]);
  expect(source.values).toEqual([1.00390625, 2, 3]);
  expect(found.times).toBe(1);
});

it("are rounded to the dtype of the copy", () => {
  expect(drawn().copied("bfloat16", "cpu").values).toEqual([1, 2, 3]);
});

it("are scaled later, too, and forgotten where they meet what nobody knows", () => {
  const { session, found, copied } = drawn();
  const moved = copied("float32", "cuda");
  session.own(() => session.ops.mul_(moved, 2));
  expect(found.times).toBe(0);
  expect(moved.values).toEqual([2.0078125, 4, 6]);
  const other = session.own(() => session.ops.empty([3], FLOAT32, "cuda"));
  session.own(() => session.ops.add_(moved, other));
  expect([moved.values, found.times]).toEqual([null, 1]);
});

it("are made after a while, so that no long row of them waits", () => {
  const { session, found, source } = drawn();
  for (let i = 0; i < 100; i++) session.own(() => session.ops.mul_(source, i % 2 ? 2 : 0.5));
  expect([source.values, found.times]).toEqual([[1.00390625, 2, 3], 1]);
});

it("stay in the copy what they were, whatever is written into the source", () => {
  const { session, source, copied } = drawn();
  const before = copied("float32", "cpu");
  session.own(() => session.ops.mul_(source, 2));
  expect(source.values).toEqual([2.0078125, 4, 6]);
  const after = copied("float32", "cpu");
  expect([before.values, after.values]).toEqual([
    [1.00390625, 2, 3],
    [2.0078125, 4, 6],
  ]);
});

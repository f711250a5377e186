/** Caches of inference are known by what a program does with them: joined or filled further, and read by products in between. */

import { expect, it } from "vitest";
import { createSession } from "../../src/session/create.ts";
import { FLOAT32, INT64 } from "../../src/tensor/dtype.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";

function process() {
  const { session } = createSession({ torch: "2.14", gpu: "a100-80gb" });
  session.gradEnabled = false;
  const { ops } = session;
  const empty = (...sizes: number[]): Tensor => session.own(() => ops.empty(sizes, FLOAT32, "cuda"));
  const joined = (...parts: Tensor[]): Tensor => session.own(() => ops.cat(parts, 0) as Tensor);
  const multiplied = (one: Tensor): Tensor => session.own(() => ops.mm(one, empty(4, 4)) as Tensor);
  const category = ({ storage }: Tensor): string => session.memory.categoryOf(storage.traceBlock);
  return { session, ops, empty, joined, multiplied, category };
}

it("a tensor that grows by one part after another, and is read in between", () => {
  const { empty, joined, multiplied, category } = process();
  const first = joined(empty(8, 4), empty(1, 4));
  const product = multiplied(first);
  const second = joined(first, empty(1, 4));
  expect([first, second, product].map(category)).toEqual(["kv_cache", "kv_cache", "temporary"]);
});

it("not one that nothing reads, nor the smaller part of another", () => {
  const { empty, joined, multiplied, category } = process();
  const unread = joined(empty(8, 4), empty(1, 4));
  expect(category(joined(unread, empty(1, 4)))).toBe("temporary");
  const small = joined(empty(1, 4), empty(1, 4));
  multiplied(small);
  expect(category(joined(small, empty(64, 4)))).toBe("temporary");
  expect(category(small)).toBe("temporary");
});

it("a tensor of full size in which places are written before and after it is read", () => {
  const { session, ops, empty, multiplied, category } = process();
  const whole = empty(64, 4);
  const at = session.own(() => ops.empty([1], INT64, "cuda"));
  const write = (): void => session.scope(() => void ops.index_copy_(whole, 0, at, empty(1, 4)));
  write();
  expect(category(whole)).not.toBe("kv_cache");
  multiplied(whole);
  write();
  expect(category(whole)).toBe("kv_cache");
});

it("not tensors of whole numbers", () => {
  const { session, ops, category } = process();
  const numbers = (n: number): Tensor => session.own(() => ops.empty([n], INT64, "cuda"));
  const first = session.own(() => ops.cat([numbers(8), numbers(1)], 0) as Tensor);
  const second = session.own(() => ops.cat([first, numbers(1)], 0) as Tensor);
  expect([first, second].map(category)).toEqual(["temporary", "temporary"]);
});

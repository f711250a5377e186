/** Who owns a tensor that has no name: a scope gives back what it made and does not return, as C++ does with temporaries and locals. */

import { expect, it } from "vitest";
import { TensorPool } from "../../src/session/pool.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";

/** A tensor that only counts its owners. */
function counted(): Tensor & { owners: number } {
  const tensor = {
    owners: 1,
    storage: {},
    retain: () => (tensor.owners++, tensor),
    release: () => void tensor.owners--,
  };
  return tensor as unknown as Tensor & { owners: number };
}

it("a scope's result belongs to the scope around it, all else dies with the scope", () => {
  const pool = new TensorPool();
  const [outer, temporary, result] = [counted(), counted(), counted()];
  pool.add(outer);
  const mark = pool.size;
  pool.add(temporary);
  pool.add(result);
  pool.leave(mark, result);
  expect([outer.owners, temporary.owners, result.owners]).toEqual([1, 0, 1]);
  expect(pool.tensors).toEqual([outer, result]);
  pool.release(0);
  expect([outer.owners, result.owners]).toEqual([0, 0]);
});

it("results are found in lists, and one that another scope owns has two owners", () => {
  const pool = new TensorPool();
  const [outer, made] = [counted(), counted()];
  pool.add(outer);
  const mark = pool.size;
  pool.add(made);
  pool.leave(mark, [[made], outer, null, 3]);
  expect([outer.owners, made.owners]).toEqual([2, 1]);
  pool.release(0);
  expect([outer.owners, made.owners]).toEqual([0, 0]);
});

it("what a caller takes over is in no scope", () => {
  const pool = new TensorPool();
  const [temporary, result] = [counted(), counted()];
  pool.add(temporary);
  pool.add(result);
  pool.leaveOwned(0, result);
  expect([temporary.owners, result.owners, pool.size]).toEqual([0, 1, 0]);
});

it("a temporary dies early where a statement ends, once", () => {
  const pool = new TensorPool();
  const temporary = counted();
  pool.add(temporary);
  pool.drop(temporary);
  pool.drop(temporary);
  expect([temporary.owners, pool.size]).toEqual([0, 0]);
});

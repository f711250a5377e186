/** Selective checkpointing: chosen results are handed out again in their order, others are made again, and nothing twice. */

import { expect, it } from "vitest";
import { createSession } from "../../src/session/create.ts";
import { KeptResults, SelectiveMode } from "../../src/session/selective.ts";
import { FLOAT32 } from "../../src/tensor/dtype.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";

const BLOCK_BYTES = 512;

/** A region that ran once with two products, which are kept, and one sum, which is not. */
function region() {
  const { session, allocator } = createSession({ torch: "2.14", gpu: "a100-80gb" });
  const store = new KeptResults();
  let made = 0;
  const make = (): Tensor => {
    made += 1;
    return session.own(() => session.ops.empty([4], FLOAT32, "cuda"));
  };
  const first = new SelectiveMode(store, (op) => op === "mm");
  const results = ["mm", "add", "mm"].map((op) => first.run(session, op, make) as Tensor);
  const again = new SelectiveMode(store, null);
  return { session, allocator, store, make, results, again, made: () => made };
}

it("hands out what was kept, and makes the rest", () => {
  const { session, make, results, again, made } = region();
  session.scope(() => {
    const replayed = ["mm", "add", "mm"].map((op) => again.run(session, op, make) as Tensor);
    expect(made()).toBe(4);
    expect(replayed.map(({ storage }, i) => storage === results[i]!.storage)).toEqual([true, false, true]);
    replayed[1]!.release();
  });
});

it("holds memory of what was kept alone, until it lets go", () => {
  const { allocator, store, results } = region();
  expect(store.tensors).toHaveLength(2);
  for (const result of results) result.release();
  expect(allocator.memoryAllocated()).toBe(2 * BLOCK_BYTES);
  store.release();
  expect(allocator.memoryAllocated()).toBe(0);
});

it("refuses an operator that did not run before, and a second backward", () => {
  const { session, store, make, again } = region();
  session.scope(() => {
    again.run(session, "mm", make);
    expect(() => again.run(session, "bmm", make)).toThrow(
      "aten.bmm encountered during backward but not found in storage.",
    );
    expect(() => new SelectiveMode(store, null).run(session, "mm", make)).toThrow("Trying to backward an extra time.");
  });
});

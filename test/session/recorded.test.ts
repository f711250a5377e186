/** Calls on the engine without Python, against what the real PyTorch left, took at the peak and said (scripts/record/engine_facts.py). */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Node } from "../../src/autograd/node.ts";
import type { Ops } from "../../src/ops/row.ts";
import { createSession, type SimulatedProcess } from "../../src/session/create.ts";
import { FLOAT16, FLOAT32 } from "../../src/tensor/dtype.ts";
import { TorchError } from "../../src/tensor/shape.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";
import { backward } from "../engine-process.ts";

/** A process with the names of a program: what is named is held, and given back by `free`. */
class Program {
  readonly process: SimulatedProcess = createSession({ torch: "2.14", gpu: "a100-80gb" });
  readonly ops: Ops = this.process.session.ops;

  leaf(sizes: readonly number[], grad = true): Tensor {
    const made = this.name((o) => o.ones(sizes, FLOAT32, "cuda"));
    made.requiresGrad = grad;
    return made;
  }
  name(call: (o: Ops) => Tensor): Tensor {
    return this.process.session.own(() => call(this.ops));
  }
  /** A call whose result no name gets: it lives as long as what holds it, which `next` makes. */
  through(first: (o: Ops) => Tensor, next: (o: Ops, t: Tensor) => Tensor): Tensor {
    const made = this.name(first);
    const result = this.name((o) => next(o, made));
    made.release();
    return result;
  }
  free(...tensors: Tensor[]): void {
    for (const t of tensors) t.release();
  }
  backward(root: Tensor, keepGraph = false): void {
    if (root.numel !== 1) throw new TorchError("grad can be implicitly created only for scalar outputs");
    backward(this.process, root, keepGraph);
  }
  get bytes(): [allocated: number, peak: number] {
    const { allocator } = this.process;
    return [allocator.memoryAllocated(), allocator.maxMemoryAllocated()];
  }
}

const THOUSAND = [1000];
const SQUARE = [64, 64];

function productOfExponentials(p: Program): void {
  const [x, y] = [0, 1].map(() => {
    const leaf = p.leaf(THOUSAND);
    const made = p.name((o) => o.exp(leaf));
    p.free(leaf);
    return made;
  });
  p.name((o) => o.mul(x!, y!));
  p.free(x!, y!);
}

function lossOfProduct(p: Program, keepGraph: boolean): void {
  const x = p.leaf(THOUSAND);
  const [a, b] = [p.name((o) => o.exp(x)), p.name((o) => o.exp(x))];
  const product = p.name((o) => o.mul(a, b));
  const loss = p.name((o) => o.sum(product));
  p.free(product, a, b);
  p.backward(loss, keepGraph);
}

/** Under autocast; `then` runs before it ends. */
function underAutocast(p: Program, work: () => void, then: () => void = () => {}): void {
  const { autocast } = p.process.session;
  const state = autocast.states.cuda;
  [state.enabled, state.dtype] = [true, FLOAT16];
  work();
  then();
  state.enabled = false;
  autocast.clearCache();
}

/** By the recorded program's names; what a case gives is its counters while something of it is still open. */
const CASES: Record<string, (p: Program) => [number, number] | void> = {
  block_of_a_thousand: (p) => void p.leaf(THOUSAND, false),
  block_of_three_megabytes: (p) => void p.leaf([768, 1024], false),
  view_keeps_its_storage: (p) => {
    const x = p.leaf(THOUSAND, false);
    p.name((o) => o.slice(x, 0, 0, 10));
    p.free(x);
  },
  first_product_takes_a_workspace: (p) => {
    const x = p.leaf(SQUARE, false);
    p.name((o) => o.matmul(x, x));
  },
  product_saves_both_factors: productOfExponentials,
  relu_saves_its_result_alone: (p) => {
    const x = p.leaf(THOUSAND);
    p.through(
      (o) => o.exp(x),
      (o, t) => o.relu(t),
    );
    p.free(x);
  },
  nothing_is_saved_without_grad: (p) => p.process.session.withGrad(false, () => productOfExponentials(p)),
  backward_gives_back_what_was_saved: (p) => lossOfProduct(p, false),
  a_kept_graph_keeps_what_was_saved: (p) => lossOfProduct(p, true),
  the_second_gradient_is_added_in_place: (p) => {
    const x = p.leaf(THOUSAND);
    for (let pass = 0; pass < 2; pass++) {
      const loss = p.through(
        (o) => o.mul(x, { scalar: "int", value: 2 }),
        (o, t) => o.sum(t),
      );
      p.backward(loss);
      p.free(loss);
    }
  },
  two_uses_are_summed_before_they_arrive: (p) => {
    const x = p.leaf(THOUSAND);
    const [a, b] = [p.name((o) => o.exp(x)), p.name((o) => o.sin(x))];
    const both = p.name((o) => o.add(a, b));
    p.free(a, b);
    const loss = p.name((o) => o.sum(both));
    p.free(both);
    p.backward(loss);
    p.free(loss);
  },
  a_part_has_a_gradient_of_the_whole: (p) => {
    const x = p.leaf(THOUSAND);
    const loss = p.through(
      (o) => o.slice(x, 0, 0, 10),
      (o, t) => o.sum(t),
    );
    p.backward(loss);
    p.free(loss);
  },
  in_place_on_a_part_copies_the_gradient: (p) => {
    const x = p.leaf(THOUSAND);
    const y = p.name((o) => o.exp(x));
    const part = p.name((o) => o.slice(y, 0, 0, 10));
    p.process.session.scope(() => p.ops.mul_(part, { scalar: "int", value: 2 }));
    p.free(part);
    p.backward(p.name((o) => o.sum(y)));
  },
  a_retained_gradient_stays: (p) => {
    const x = p.leaf(THOUSAND);
    const y = p.name((o) => o.exp(x));
    y.retainsGrad = true;
    (y.gradFn as Node).retaining.set(y.outputNr, y);
    const loss = p.name((o) => o.sum(y));
    p.backward(loss);
    p.free(loss);
  },
  autocast_keeps_the_cast_weight: (p) => {
    const [weight, x] = [p.leaf(SQUARE), p.leaf(SQUARE, false)];
    let inside: [number, number] = [0, 0];
    underAutocast(
      p,
      () => {
        p.name((o) => o.matmul(x, weight));
        p.name((o) => o.matmul(x, weight));
      },
      () => (inside = p.bytes),
    );
    return inside;
  },
  autocast_ends_with_its_casts: (p) => {
    const [weight, x] = [p.leaf(SQUARE), p.leaf(SQUARE, false)];
    underAutocast(p, () => void p.process.session.withGrad(false, () => p.name((o) => o.matmul(x, weight))));
  },
  second_backward: (p) => {
    const x = p.leaf([10]);
    const loss = p.through(
      (o) => o.exp(x),
      (o, t) => o.sum(t),
    );
    p.backward(loss);
    p.backward(loss);
  },
  in_place_on_a_leaf: (p) => {
    const x = p.leaf([10]);
    p.process.session.scope(() => p.ops.add_(x, { scalar: "int", value: 1 }));
  },
  changed_after_it_was_saved: (p) => {
    const x = p.leaf([10]);
    const y = p.name((o) => o.exp(x));
    const z = p.name((o) => o.mul(y, y));
    p.process.session.scope(() => p.ops.add_(y, { scalar: "int", value: 1 }));
    p.backward(p.name((o) => o.sum(z)));
  },
  sizes_that_do_not_match: (p) => void p.name((o) => o.add(p.leaf([3]), p.leaf([4]))),
  products_that_do_not_match: (p) => void p.name((o) => o.matmul(p.leaf([3, 4]), p.leaf([3, 4]))),
};

const recorded = new Map(
  readFileSync(new URL("recorded.txt", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, name, rest] = /^(\w+):? (.*)$/.exec(line)!;
      return [name, rest] as const;
    }),
);
/** The recorded program is one process: only its first product takes the workspace. */
const WORKSPACE = "first_product_takes_a_workspace";

function said(name: string): string {
  const p = new Program();
  if (name !== WORKSPACE) {
    const x = p.leaf([1], false);
    const square = p.name((o) => o.view(x, [1, 1]));
    p.free(
      p.name((o) => o.matmul(square, square)),
      square,
      x,
    );
  }
  const [base] = p.bytes;
  p.process.allocator.resetPeakMemoryStats();
  try {
    return (CASES[name]!(p) ?? p.bytes).map((bytes) => bytes - base).join(" ");
  } catch (error) {
    if (error instanceof TorchError) return error.message.split("\n")[0]!;
    throw error;
  }
}

it.each(Object.keys(CASES))("%s", (name) => {
  expect(said(name)).toBe(recorded.get(name));
});

it("leaves out only what Python checks, and the second of two products", () => {
  const left = [...recorded.keys()].filter((name) => !(name in CASES));
  expect(left).toEqual(["second_product_takes_none", "backward_of_rows", "backward_of_no_graph"]);
});

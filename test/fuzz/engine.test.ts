/** Random programs of operators on the engine: what must hold whatever a program does. */

import { INT64 } from "../../src/tensor/dtype.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { named } from "../../src/ops/row.ts";
import { createSession, type SimulatedProcess } from "../../src/session/create.ts";
import { TorchError } from "../../src/tensor/shape.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";
import type { Trace } from "../../src/trace/model.ts";
import { verifyTrace } from "../../src/trace/verify.ts";
import { backward, cuda } from "../engine-process.ts";

const ROUNDED = 512;
const META = { source: "simulated", program: "fuzz", gpu: "a100-80gb", capacityBytes: 80 * 2 ** 30, torch: "2.14" };
const SHAPES = [[64, 48], [48], [1, 48], [48, 48], [2, 3, 48], [64, 1], [], [0, 48], [5, 64, 48]];

const UNARY = [
  "exp tanh sigmoid relu neg abs sqrt rsqrt reciprocal sin log1p gelu silu softplus_ sum mean square clone detach t",
  "contiguous isnan logical_not floor sign erf elu mish hardswish",
]
  .join(" ")
  .split(" ")
  .filter((name) => name !== "softplus_");
const BINARY = "add sub mul div maximum minimum pow atan2 matmul eq gt lt fmod hypot".split(" ");
const INPLACE = "add_ mul_ zero_ relu_ exp_ neg_ copy_ clamp_ sub_ sqrt_".split(" ");
/** By name, with arguments that fit some tensors and not others. */
const WITH_ARGUMENTS: readonly (readonly [string, ...unknown[]])[] = [
  ["sum_dim_IntList", [-1], true],
  ["mean_dim", [0]],
  ["softmax_int", -1],
  ["log_softmax_int", -1],
  ["cumsum", 0],
  ["view", [-1]],
  ["reshape", [-1, 2]],
  ["transpose", 0, -1],
  ["select", 0, 1],
  ["slice", 0, 1, null, 2],
  ["unsqueeze", 1],
  ["expand", [3, 64, 48]],
  ["narrow", -1, 0, 8],
  ["repeat", [2, 1, 1]],
  ["flip", [0]],
  ["sort", -1],
  ["topk", 3],
  ["split_Tensor", 20],
  ["to", "float16"],
  ["to", "float64"],
  ["layer_norm", [48]],
  ["dropout", 0.3, true],
  ["pow", 3],
  ["tril"],
  ["max_dim", 0],
  ["var", [-1]],
  ["linalg_vector_norm", 2, [-1]],
  ["index_select_first"],
];

type Step =
  | { readonly kind: "make"; readonly shape: number; readonly grad: boolean }
  | {
      readonly kind: "unary" | "binary" | "inplace" | "more";
      readonly op: number;
      readonly a: number;
      readonly b: number;
    }
  | { readonly kind: "drop"; readonly a: number }
  | { readonly kind: "mode"; readonly enabled: boolean }
  | { readonly kind: "backward"; readonly a: number; readonly keep: boolean }
  | { readonly kind: "gradient"; readonly a: number; readonly b: number; readonly create: boolean };

const pick = fc.nat({ max: 99 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("make" as const), shape: pick, grad: fc.boolean() }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constantFrom("unary" as const, "binary" as const, "more" as const, "more" as const, "inplace" as const),
      op: pick,
      a: pick,
      b: pick,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("drop" as const), a: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("mode" as const), enabled: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("backward" as const), a: pick, keep: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("gradient" as const), a: pick, b: pick, create: fc.boolean() }),
  },
);
const program = fc.record({
  torch: fc.constantFrom("1.13", "2.1", "2.6", "2.9", "2.14"),
  kernelTemporaries: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 60 }),
});
type Program = typeof program extends fc.Arbitrary<infer T> ? T : never;

/** An error that PyTorch would raise, too, is a fair outcome; any other one is ours. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof TorchError) return null;
    throw error;
  }
}

/** Blocks that somebody holds, by the allocator's own list. */
const heldBytes = ({ allocator }: SimulatedProcess): number =>
  allocator
    .snapshot()
    .flatMap((segment) => segment.blocks)
    .filter((block) => block.state === "active_allocated")
    .reduce((sum, block) => sum + block.bytes, 0);

interface Run {
  readonly trace: Trace;
  readonly leftBytes: number;
}

function run({ torch, kernelTemporaries, steps }: Program, check: (process: SimulatedProcess) => void = () => {}): Run {
  const process = createSession({ torch, kernelTemporaries });
  const { session, allocator, trace } = process;
  const { ops } = session;
  let held: Tensor[] = [cuda(process, [64, 48], true)];
  const keep = (result: unknown): void => {
    for (const t of Array.isArray(result) ? result : [result]) if (t) held.push(t as Tensor);
  };
  const one = (at: number): Tensor => held[at % held.length];
  for (const s of steps) {
    if (s.kind === "make") held.push(cuda(process, SHAPES[s.shape % SHAPES.length], s.grad));
    else if (s.kind === "mode") session.gradEnabled = s.enabled;
    else if (held.length === 0) continue;
    else if (s.kind === "drop") {
      const gone = one(s.a);
      held = held.filter((t) => t !== gone);
      gone.release();
    } else if (s.kind === "backward") attempt(() => backward(process, one(s.a), s.keep));
    else if (s.kind === "gradient") {
      const found = attempt(() => backward(process, one(s.a), s.create, s.create, one(s.b)));
      for (const t of found ?? []) if (t && held.includes(t)) t.release();
      keep((found ?? []).filter((t) => t && !held.includes(t)));
    } else {
      const a = one(s.a);
      const b = one(s.b);
      const made = attempt(() =>
        session.own(() => {
          if (s.kind === "unary") return named(ops, UNARY[s.op % UNARY.length])(a) as Tensor;
          if (s.kind === "binary") return named(ops, BINARY[s.op % BINARY.length])(a, b) as Tensor;
          if (s.kind === "inplace") {
            // y.mul_(y) saves y in y's own graph: PyTorch never gives such a cycle back
            if (a.storage === b.storage) return null;
            const name = INPLACE[s.op % INPLACE.length];
            named(ops, name)(a, ...(/add|mul|sub|copy/.test(name) ? [b] : name === "clamp_" ? [0, 1] : []));
            return null;
          }
          const [name, ...args] = WITH_ARGUMENTS[s.op % WITH_ARGUMENTS.length];
          if (name === "index_select_first") return ops.index_select(a, 0, ops.zeros([3], INT64, "cuda")) as Tensor;
          return named(ops, name)(a, ...args) as Tensor;
        }),
      );
      // the same tensor again: its new reference is not a new name
      for (const t of Array.isArray(made) ? made : [made]) if (t && held.includes(t)) t.release();
      keep((Array.isArray(made) ? made : [made]).filter((t) => t && !held.includes(t)));
    }
    check(process);
  }
  session.gradEnabled = true;
  for (const t of held) t.release();
  session.workspaces.clear();
  return { trace: trace.finish({ ...META, torch }), leftBytes: allocator.memoryAllocated() };
}

const settings = { seed: 20260101, numRuns: 250 };

describe("whatever a program does", () => {
  test("nothing is left when its names are gone, errors included", () => {
    fc.assert(
      fc.property(program, (value) => {
        expect(run(value).leftBytes).toBe(0);
      }),
      settings,
    );
  });

  test("counters are the sum of the blocks that are held, after every step", () => {
    fc.assert(
      fc.property(program, (value) => {
        run(value, (process) => expect(process.allocator.memoryAllocated()).toBe(heldBytes(process)));
      }),
      { ...settings, numRuns: 60 },
    );
  });

  test("its trace is consistent and the same every time", () => {
    fc.assert(
      fc.property(program, (value) => {
        const first = run(value).trace;
        expect(verifyTrace(first)).toEqual([]);
        expect(run(value).trace.events).toEqual(first.events);
      }),
      { ...settings, numRuns: 120 },
    );
  });

  test("backward gives back what the graph saved", () => {
    const chain = fc.array(fc.record({ kind: fc.constantFrom("unary", "more"), op: pick }), { maxLength: 12 });
    fc.assert(
      fc.property(chain, (links) => {
        const process = createSession({ kernelTemporaries: false });
        const { session, allocator } = process;
        const leaf = cuda(process, [64, 48], true);
        const loss = attempt(() =>
          session.own(() => {
            let t = leaf;
            for (const { kind, op } of links) {
              const [name, ...args] = kind === "unary" ? [UNARY[op % UNARY.length]] : WITH_ARGUMENTS[op % 24];
              const made = named(session.ops, name)(t, ...args) as Tensor | Tensor[];
              t = Array.isArray(made) ? made[0] : made;
            }
            return session.ops.mul(session.ops.sum(t), 1) as Tensor;
          }),
        );
        if (!loss?.requiresGrad) return;
        if (!attempt(() => backward(process, loss, false))) return;
        session.workspaces.clear();
        const leafBytes = 64 * 48 * 4;
        expect(allocator.memoryAllocated()).toBe(leafBytes + (leaf.grad ? leafBytes : 0) + ROUNDED);
        loss.release();
        leaf.release();
        expect(allocator.memoryAllocated()).toBe(0);
      }),
      settings,
    );
  });
});

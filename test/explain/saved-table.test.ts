/** What a forward keeps: the attention article's table, row by row, and a training step's. */

import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { savedTable, type SavedTable } from "../../src/explain/saved-table.ts";
import type { Trace } from "../../src/trace/model.ts";
import { vramscope } from "../built.ts";
import { ROOT } from "../helpers.ts";

const { plainPainter, reportFacts, run, textReport } = vramscope;

const lineOf = (trace: Trace, frame: number) => trace.frames[frame]?.line ?? -1;

describe("the attention article, before 2.0", () => {
  let trace: Trace;
  let table: SavedTable;
  let text: string;
  beforeAll(async () => {
    const result = await run({ script: join(ROOT, "examples", "attention.py"), torch: "1.13" });
    expect(result.status).toBe("ok");
    trace = result.trace;
    table = savedTable(trace)!;
    const options = { locale: "en", detail: "saved", painter: plainPainter(120), sourceOf: () => undefined } as const;
    text = textReport(reportFacts(result), trace, options).replaceAll(join(ROOT, "examples/"), "");
  });

  it("keeps copies of q and k, softmax's result, a copy of v, the input of proj: 4 + 4 + 2 + 4 + 4", () => {
    const rows = table.kept.map(({ block, owners }) => [
      block.bytes / MIB,
      owners.map(({ node, slot, frame }) => `${node}.${slot} ${lineOf(trace, frame)}`),
    ]);
    expect(rows).toEqual([
      [4, ["BmmBackward0.self 40"]],
      [4, ["BmmBackward0.mat2 40"]],
      // the scores that softmax made are those that attn @ v multiplies: one storage, two slots
      [2, ["SoftmaxBackward0.result 42", "BmmBackward0.self 46"]],
      [4, ["BmmBackward0.mat2 46"]],
      [4, ["AddmmBackward0.mat1 49"]],
    ]);
  });

  it("adds up, with the output, to the activation memory of 22", () => {
    const outputs = table.unsaved.filter(({ block }) => block.category === "temporary");
    expect(outputs.map(({ block }) => [block.bytes / MIB, lineOf(trace, block.frame)])).toEqual([[4, 49]]);
    expect(table.keptBytes / MIB + 4).toBe(22);
  });

  it("counts what is there anyway apart: the input and proj's weight", () => {
    const rows = table.there.map(({ block, owners }) => [block.category, block.bytes / MIB, owners[0]!.slot]);
    expect(rows).toEqual([
      ["parameter", 1, "mat2"],
      ["input", 4, "self"],
    ]);
  });

  it("says what was released, when and why", () => {
    const rows = table.released.map(({ block, death }) => [
      block.bytes / MIB,
      lineOf(trace, block.frame),
      death.kind,
      lineOf(trace, death.frame),
    ]);
    expect(rows).toEqual([
      [13, 35, "returned", 62], // qkv
      [2, 40, "expression", 40], // the product before scaling
      [2, 40, "rebound", 42], // the scaled scores: softmax's result takes their name
      [4, 46, "expression", 46], // attn @ v before the transposed copy
      [1, 49, "operator", 49], // the cuBLASLt workspace
    ]);
  });

  it("says all that in words", () => {
    const squeezed = text.replaceAll(/\s+/g, " ");
    for (const sentence of [
      "18.00 MiB live for backward only, when most is saved (attention.py:62)",
      "2.00 42 float32 [64, 8, 32, 32] SoftmaxBackward0.result",
      "46 same storage, counted once BmmBackward0.self",
      "4.00 49 float32 [64, 32, 8, 64] AddmmBackward0.mat1",
      "Saved too, but there anyway: 5.00 MiB",
      "- 4.00 MiB float32 [2048, 512], aten::addmm at attention.py:49",
      "- 13.00 MiB float32 [2048, 1536], aten::mm at attention.py:35: freed when a function returned to attention.py:62",
      "- 2.00 MiB float32 [512, 32, 32], aten::bmm at attention.py:40: freed when the expression at attention.py:40 was done",
      "- 2.00 MiB float32 [64, 8, 32, 32], aten::mul at attention.py:40: freed at attention.py:42: its holder got another value or was deleted",
    ])
      expect(squeezed).toContain(sentence);
  });
});

describe("a training step", () => {
  const PROGRAM = `
import torch
from torch import nn
net = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 256)).cuda()
x = torch.randn(1024, 256, device="cuda")
for _ in range(3):
    loss = net(x).sum()
    loss.backward()
    net.zero_grad()
`;
  it("is looked at before backward lets go, which it then says", async () => {
    const { trace } = await run({ script: "p.py", source: PROGRAM });
    const { kept, unsaved } = savedTable(trace)!;
    const rows = kept.map(({ block, owners }) => [
      block.shape,
      owners.map(({ node, slot, end, endFrame }) => [node, slot, end, lineOf(trace, endFrame)]),
    ]);
    expect(rows).toEqual([
      [
        [1024, 512],
        [
          ["ReluBackward0", "result", "backward", 8],
          ["AddmmBackward0", "mat1", "backward", 8],
        ],
      ],
    ]);
    // the result that sum() needs no more than the shape of has gone by then
    expect(unsaved.every(({ block }) => block.bytes < MIB || block.category === "workspace")).toBe(true);
  });

  it("has ends of its own: a graph that is dropped", async () => {
    const source = PROGRAM.replace("loss.backward()", "del loss");
    const { trace } = await run({ script: "p.py", source });
    const ends = savedTable(trace)!.kept.flatMap(({ owners }) =>
      owners.map(({ end, endFrame }) => [end, lineOf(trace, endFrame)]),
    );
    expect(ends).toEqual([
      ["dropped", 8],
      ["dropped", 8],
    ]);
  });

  it("under no_grad keeps nothing", async () => {
    const source = PROGRAM.replace("for _", "torch.set_grad_enabled(False)\nfor _").replace(
      "    loss.backward()\n",
      "",
    );
    expect(savedTable((await run({ script: "p.py", source })).trace)).toBeNull();
  });

  it("under checkpointing keeps the inputs of the blocks only", async () => {
    const source = `
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
net = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 256)).cuda()
x = torch.randn(1024, 256, device="cuda", requires_grad=True)
y = checkpoint(net, x * 2, use_reentrant=False)
`;
    const { kept } = savedTable((await run({ script: "p.py", source })).trace) ?? { kept: [] };
    expect(kept.map(({ block }) => block.shape)).not.toContainEqual([1024, 512]);
  });
});

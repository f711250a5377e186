/** What programs write themselves by packages beside torch: event files, pictures of the graph, and what gc finds. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { doubles, floats, message, messages, numbers, records, texts, type Message } from "./events.ts";
import { run } from "./run-files.ts";

describe("SummaryWriter", () => {
  test("writes event files whose sums, numbers and graph are right", async () => {
    const { code, folder } = await run(
      {
        "main.py": `
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter
net = nn.Sequential(nn.Linear(64, 128), nn.ReLU()).cuda()
with SummaryWriter("runs/a") as w:
    w.add_graph(net, torch.randn(32, 64, device="cuda"))
    for i in range(3):
        w.add_scalar("loss", 1.5 - i, i)
    w.add_scalars("many", {"x": 1.0, "y": 2.0}, 7)
    w.add_histogram("h", [0.0, 1.0, 1.0, 3.0], 1, bins=[-1.0, 0.5, 2.0, 4.0, 5.0])
    w.add_text("note", "héllo", 0)
    w.add_hparams({"lr": 0.1}, {"hparam/acc": 0.5}, run_name="hp")
`,
      },
      ["--save-files", "out"],
    );
    expect(code).toBe(0);
    const runs = join(folder, "out", "runs", "a");
    const eventsIn = (path: string): Message[] => {
      const [name] = readdirSync(path).filter((file) => file.startsWith("events.out.tfevents."));
      return records(readFileSync(join(path, name!))).map(message);
    };
    const events = eventsIn(runs);
    expect(texts(events[0]!, 3)).toEqual(["brain.Event:2"]);
    for (const event of events) expect(doubles(event, 1)[0]).toBeGreaterThan(1e9);
    const values = events.flatMap((event) =>
      messages(event, 5).flatMap((summary) =>
        messages(summary, 1).map((value) => ({ step: numbers(event, 2)[0], tag: texts(value, 1)[0], value })),
      ),
    );
    const scalars = values.filter(({ tag }) => tag === "loss");
    expect(scalars.map(({ step, value }) => [step, floats(value, 2)[0]])).toEqual([
      [0, 1.5],
      [1, 0.5],
      [2, -0.5],
    ]);
    const histogram = messages(values.find(({ tag }) => tag === "h")!.value, 5)[0]!;
    expect([1, 2, 3, 4, 5].map((field) => doubles(histogram, field)[0])).toEqual([0, 3, 4, 5, 11]);
    // as PyTorch: an empty bucket in front, none behind the last value
    expect([doubles(histogram, 6), doubles(histogram, 7)]).toEqual([
      [-1, 0.5, 2, 4],
      [0, 1, 2, 1],
    ]);
    const note = values.find(({ tag }) => tag === "note/text_summary")!.value;
    expect(texts(messages(note, 8)[0]!, 8)).toEqual(["héllo"]);
    expect(floats(messages(messages(eventsIn(join(runs, "many_y"))[1]!, 5)[0]!, 1)[0]!, 2)).toEqual([2]);
    const plugins = eventsIn(join(runs, "hp")).flatMap((event) =>
      messages(event, 5).flatMap((summary) => messages(summary, 1).map((value) => texts(value, 1)[0])),
    );
    expect(plugins).toEqual([
      "_hparams_/experiment",
      "_hparams_/session_start_info",
      "_hparams_/session_end_info",
      "hparam/acc",
    ]);
    const graph = message(events.find((event) => event.has(4))!.get(4)![0] as Uint8Array);
    const nodes = messages(graph, 1).map((node) => ({
      name: texts(node, 1)[0]!,
      op: texts(node, 2)[0]!,
      inputs: texts(node, 3),
      attributes: Object.fromEntries(messages(node, 5).map((entry) => [texts(entry, 1)[0]!, messages(entry, 2)[0]!])),
    }));
    const names = new Set(nodes.map(({ name }) => name));
    expect(names.size).toBe(nodes.length);
    for (const { inputs } of nodes) for (const input of inputs) expect(names).toContain(input);
    const relu = nodes.find(({ op }) => op === "aten::relu")!;
    expect(relu.name).toBe("Sequential/1/relu");
    const sizes = messages(messages(relu.attributes["_output_shapes"]!, 1)[0]!, 7).map((shape) =>
      messages(shape, 2).map((dimension) => numbers(dimension, 1)[0]),
    );
    expect(sizes).toEqual([[32, 128]]);
    expect(numbers(relu.attributes["memory_bytes"]!, 3)).toEqual([32 * 128 * 4]);
    expect(nodes.filter(({ op }) => op === "parameter").map(({ name }) => name)).toEqual([
      "Sequential/0/weight",
      "Sequential/0/bias",
    ]);
    expect(events.some((event) => texts(messages(event, 8)[0] ?? new Map(), 1)[0] === "step1")).toBe(true);
  });
});

test("gc finds every tensor of a program", async () => {
  const { out } = await run({
    "main.py": `
import gc, torch
held = [torch.zeros(10, device="cuda") for _ in range(3)]
layer = torch.nn.Linear(4, 4).cuda()
def census():
    found = [o for o in gc.get_objects() if torch.is_tensor(o) or (hasattr(o, "data") and torch.is_tensor(o.data))]
    return sorted(tuple(t.size()) for t in found if t.is_cuda)
print(census())
del held
print(census(), torch.cuda.memory_allocated())
`,
  });
  // what is left: weight and bias, 512 bytes each
  expect(out).toBe("[(4,), (4, 4), (10,), (10,), (10,)]\n[(4,), (4, 4)] 1024\n");
});

test("torchviz draws the graph behind a tensor", async () => {
  const { code, out } = await run({
    "main.py": `
import torch
from torchviz import make_dot
w = torch.ones(3, 3, device="cuda", requires_grad=True)
loss = (w * w.exp()).sum()
dot = make_dot(loss, params={"w": w}, show_saved=True)
print(dot.source)
`,
  });
  expect(code).toBe(0);
  for (const words of ["SumBackward0", "MulBackward0", "ExpBackward0", "AccumulateGrad", String.raw`w\n (3, 3)`]) {
    expect(out).toContain(words);
  }
  // sum -> mul, mul -> exp, mul -> w, exp -> w: gradients flow against these
  expect(out.match(/->/g)!.length).toBeGreaterThanOrEqual(6);
});

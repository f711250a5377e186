/** What blocks are for, in the programs that people write; and that categories sum to allocated at every event of real runs. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compositionAt } from "../../src/trace/composition.ts";
import { KIND } from "../../src/trace/codes.ts";
import type { Category, Trace } from "../../src/trace/model.ts";
import { vramscope } from "../built.ts";
import { ROOT } from "../helpers.ts";

const { run } = vramscope;
const HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";

async function trace(source: string): Promise<Trace> {
  const result = await run({ script: "p.py", source: HEAD + source });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  return result.trace;
}

/** Categories of all blocks of this many bytes, each once. */
const ofSize = (of: Trace, bytes: number): Category[] => [
  ...new Set(of.blocks.filter((block) => block.requestedBytes === bytes).map((block) => block.category)),
];

describe("training", () => {
  it("tells parameters, gradients, optimizer state, activations, inputs, buffers and temporaries", async () => {
    const made = await trace(`
net = nn.Sequential(nn.Linear(100, 300, bias=False), nn.BatchNorm1d(300), nn.Softmax(-1)).cuda()
optimizer = torch.optim.Adam(net.parameters(), foreach=False)
x = torch.randn(70, 100, device="cuda")
loss = net(x).sum()
torch.cuda.synchronize()
loss.backward()
optimizer.step()
`);
    expect(ofSize(made, 70 * 100 * 4)).toEqual(["input"]);
    expect(ofSize(made, 70 * 300 * 4)).toContain("activation");
    // weight, its gradient, exp_avg and exp_avg_sq, and what the step computes on the way
    const weights = made.blocks.filter((block) => block.requestedBytes === 100 * 300 * 4);
    const count = (category: Category) => weights.filter((block) => block.category === category).length;
    expect([count("parameter"), count("gradient"), count("optimizer_state")]).toEqual([1, 1, 2]);
    expect(count("temporary")).toBeGreaterThan(0);
    expect(ofSize(made, 300 * 4)).toContain("buffer");
  });

  it("knows tensors that an optimizer was given as parameters", async () => {
    const made = await trace(`
w = torch.randn(64, 64, device="cuda", requires_grad=True)
torch.optim.SGD([w], lr=0.1)
`);
    expect(ofSize(made, 64 * 64 * 4)).toEqual(["parameter"]);
  });

  it("knows the state of a step that failed half way, and states in lists", async () => {
    const failing = await run({
      script: "p.py",
      gpu: "t4",
      source: `${HEAD}
w = nn.Parameter(torch.zeros(1000 * 1000 * 1000, device="cuda"))
w.grad = torch.zeros_like(w)
torch.optim.Adam([w], foreach=False).step()
`,
    });
    expect(failing.status).toBe("out_of_memory");
    expect(ofSize(failing.trace, 4e9)).toContain("optimizer_state");
    const made = await trace(`
class History(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["old"] = [p.grad * 2]
w = nn.Parameter(torch.zeros(5000, device="cuda"))
w.grad = torch.zeros_like(w)
History([w]).step()
`);
    expect(ofSize(made, 5000 * 4)).toEqual(["parameter", "gradient", "optimizer_state"]);
  });

  it("does not call activations what a checkpoint drops", async () => {
    const made = await trace(`
from torch.utils.checkpoint import checkpoint
x = torch.randn(1000, 10, device="cuda", requires_grad=True)
y = checkpoint(lambda t: t.exp().sin(), x, use_reentrant=False)
`);
    expect(ofSize(made, 1000 * 10 * 4)).toEqual(["input", "temporary"]);
  });
});

describe("a KV cache", () => {
  /** Attention that keeps keys and values; `STORE` says how. */
  const model = (store: string, grad = false) => `
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(64, 192, bias=False)
        self.out = nn.Linear(64, 64, bias=False)
        self.keys = self.values = None
${store}
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        k, v = self.remember(k, v)
        return self.out((q @ k.transpose(1, 2)).softmax(-1) @ v)
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = Attention()
    def forward(self, x):
        return x + self.attn(x)
net = Model().cuda()
with torch.set_grad_enabled(${grad ? "True" : "False"}):
    x = torch.randn(4, 10, 64, device="cuda")
    for _ in range(4):
        y = net(x)
        x = y[:, -1:]
`;
  const CAT = `
    def remember(self, k, v):
        if self.keys is not None:
            k, v = torch.cat([self.keys, k], 1), torch.cat([self.values, v], 1)
        self.keys, self.values = k, v
        return k, v`;
  const STATIC = `
        self.register_buffer("room", torch.zeros(2, 4, 32, 64, device="cuda"))
        self.length = 0
    def remember(self, k, v):
        end = self.length + k.shape[1]
        self.room[0, :, self.length:end] = k
        self.room[1, :, self.length:end] = v
        self.length = end
        return self.room[0, :, :end], self.room[1, :, :end]`;

  it("that grows by concatenation in a module", async () => {
    const made = await trace(model(CAT));
    for (const length of [11, 12, 13]) expect(ofSize(made, 4 * length * 64 * 4)).toEqual(["kv_cache"]);
    // the first one is part of what qkv made
    expect(ofSize(made, 4 * 10 * 192 * 4)).toEqual(["kv_cache"]);
  });

  it("that is written in place in a module, also when it is a buffer", async () => {
    const made = await trace(model(STATIC));
    expect(ofSize(made, 2 * 4 * 32 * 64 * 4)).toEqual(["kv_cache"]);
  });

  it("is none where a graph is recorded", async () => {
    const made = await trace(
      model(CAT.replace("self.keys, self.values = k, v", "self.keys, self.values = k, v"), true),
    );
    expect(made.blocks.filter((block) => block.category === "kv_cache")).toEqual([]);
  });

  it.each([[[]], [["--static"]]])("in a program without modules: examples/kv_cache.py %j", async (argv: string[]) => {
    const { trace: made, stats } = await run({ script: join(ROOT, "examples", "kv_cache.py"), argv });
    const [largest] = compositionAt(made, stats.peakEvent, "category").shares;
    expect(largest!.key).toBe("kv_cache");
    expect(largest!.bytes).toBeGreaterThan(0.99 * (stats.peakAllocatedBytes - 11 * 2 ** 20));
  });

  it("is not what evaluation collects, nor a skip connection, nor running statistics", async () => {
    const made = await trace(`
net = nn.Sequential(nn.Conv2d(4, 4, 3, padding=1), nn.BatchNorm2d(4)).cuda()
class Skip(nn.Module):
    def forward(self, x, before):
        return torch.cat([x, before], 1)
skip = Skip()
bank = torch.zeros(8, 4 * 8 * 8, device="cuda")
collected = torch.empty(0, device="cuda")
with torch.no_grad():
    for i in range(8):
        x = torch.randn(1, 4, 8, 8, device="cuda")
        y = net(x)
        z = skip(net(y), y)
        collected = torch.cat([collected, y.flatten()])
        bank[i] = y.flatten()
    (bank @ bank.T).sum()
`);
    expect(made.blocks.filter((block) => block.category === "kv_cache")).toEqual([]);
  });
});

describe("real runs", () => {
  it.each([
    ["attention.py", []],
    ["training.py", []],
    ["scope.py", []],
    ["lora.py", []],
    ["oom.py", ["--batch", "8192"]],
  ])("%s: shares, remainders and allocated agree at every event", async (name, argv) => {
    const { trace: made } = await run({ script: join(ROOT, "examples", name), argv });
    const { kind, block, allocatedBytes } = made.events;
    const [alloc, free] = [KIND.alloc, KIND.free_requested];
    let bytes = 0;
    for (let event = 0; event < kind.length; event++) {
      const sign = kind[event] === alloc ? 1 : kind[event] === free ? -1 : 0;
      if (sign !== 0) bytes += sign * made.blocks[block[event]!]!.bytes;
      expect(bytes).toBe(allocatedBytes[event]);
    }
    // composition itself at some hundred of them, by everything
    for (let event = 0; event < kind.length; event += Math.max(1, Math.floor(kind.length / 150))) {
      for (const by of ["category", "module", "line", "op", "dtype"] as const) {
        const { shares, remainderBytes, unlistedBytes } = compositionAt(made, event, by);
        expect(shares.reduce((sum, share) => sum + share.bytes, remainderBytes)).toBe(allocatedBytes[event]);
        expect(unlistedBytes).toBe(0);
      }
    }
  });
});

/** Trials: a program run with a change has the peak of the same program changed by hand. */

import { describe, expect, it } from "vitest";
import { GIB } from "../../src/base/bytes.ts";
import { CHANGE_IDS, COMBINED_CHANGES, type ChangeId } from "../../src/explain/changes.ts";
import { explain, type FindingCode } from "../../src/explain/index.ts";
import { runTrials } from "../../src/explain/trials.ts";
import { rankEnvironment } from "../../src/python/ranks.ts";
import { vramscope } from "../built.ts";

const { run } = vramscope;

const MODEL = `
import torch, torch.nn as nn, torch.nn.functional as F
class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.up, self.down = nn.Linear(c, 4 * c), nn.Linear(4 * c, c)
    def forward(self, x):
        return x + self.down(F.gelu(self.up(x)))
class Net(nn.Module):
    def __init__(self, c=512):
        super().__init__()
        self.blocks = nn.ModuleList([Block(c) for _ in range(4)])
        self.head = nn.Linear(c, 4096)
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
`;

const TRAINING = `${MODEL}
batch_size = 2048
model = Net().cuda()
optimizer = torch.optim.AdamW(model.parameters())
for step in range(2):
    x = torch.randn(batch_size, 512, device="cuda")
    logits = model(x)
    loss = F.cross_entropy(logits, torch.zeros(batch_size, dtype=torch.long, device="cuda"))
    del logits
    optimizer.zero_grad(set_to_none=False)
    loss.backward()
    optimizer.step()
`;

const EVALUATION = `${MODEL}
model = Net().cuda().eval()
total = 0
for step in range(3):
    loss = model(torch.randn(2048, 512, device="cuda")).square().mean()
    total += loss
`;

const FUSED_LOSS = `
class Chunked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        rows = logits.detach()
        total = torch.zeros((), device="cuda")
        for i in range(0, 2048, 256):
            part = rows[i : i + 256]
            total += F.cross_entropy(part.float(), target[i : i + 256], reduction="sum")
            part.copy_(part.float().softmax(1))
        ctx.save_for_backward(rows)
        return total
    @staticmethod
    def backward(ctx, grad):
        return ctx.saved_tensors[0].mul_(grad), None
`;

/** As one of four ranks, whose model `wrapped` makes. */
const ranked = (wrapped: string): string => `${MODEL}
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel
dist.init_process_group("nccl")
class Stack(Net):
    def forward(self, x):
        return super().forward(x).square().mean()
model = ${wrapped}
optimizer = torch.optim.AdamW(model.parameters())
for step in range(2):
    model(torch.randn(64, 512, device="cuda")).backward()
    optimizer.step()
    optimizer.zero_grad()
`;
const DDP = ranked("DistributedDataParallel(Stack().cuda())");
const FSDP = ranked("fully_shard(Stack().cuda())");
const FSDP1 = ranked(
  "__import__('torch.distributed.fsdp').distributed.fsdp.FullyShardedDataParallel(Stack().cuda(), sharding_strategy=dist.fsdp.ShardingStrategy.SHARD_GRAD_OP)",
);
const env = rankEnvironment({ rank: 1, worldSize: 4, localWorldSize: 4 });

/** What the change means, written into the program. */
const BY_HAND: Partial<Record<ChangeId, readonly [string, (source: string) => string]>> = {
  bucket_view: [DDP, (source) => source.replace("cuda())", "cuda(), gradient_as_bucket_view=True)")],
  zero_optimizer: [
    DDP,
    (source) =>
      source.replace(
        "torch.optim.AdamW(model.parameters())",
        "__import__('torch.distributed.optim').distributed.optim.ZeroRedundancyOptimizer(model.parameters(), torch.optim.AdamW)",
      ),
  ],
  shard_blocks: [
    FSDP,
    (source) =>
      source
        .replace("model = ", "inner = Stack().cuda()\nfor b in inner.blocks: fully_shard(b)\nmodel = ")
        .replace("fully_shard(Stack().cuda())", "fully_shard(inner)"),
  ],
  reshard: [FSDP1, (source) => source.replace("SHARD_GRAD_OP", "FULL_SHARD")],
  set_to_none: [TRAINING, (source) => source.replace("set_to_none=False", "set_to_none=True")],
  no_grad: [EVALUATION, (source) => source.replace("    loss = model(", "    with torch.no_grad(): loss = model(")],
  detach_loss: [EVALUATION, (source) => source.replace("total += loss", "total += loss.detach()")],
  fused: [TRAINING, (source) => source.replace("parameters())", "parameters(), fused=True)")],
  foreach_off: [TRAINING, (source) => source.replace("parameters())", "parameters(), foreach=False)")],
  autocast: [
    TRAINING,
    (source) =>
      source.replace(
        "    logits = model(x)",
        '    with torch.autocast("cuda", dtype=torch.bfloat16): logits = model(x)',
      ),
  ],
  adam_8bit: [TRAINING, (source) => source.replace("torch.optim.AdamW", "__import__('bitsandbytes').optim.AdamW8bit")],
  checkpoint_blocks: [
    TRAINING,
    (source) =>
      source.replace(
        "x = block(x)",
        "x = __import__('torch.utils.checkpoint').utils.checkpoint.checkpoint(block, x, use_reentrant=False)",
      ),
  ],
  bfloat16: [
    TRAINING,
    (source) => source.replace("class Block", "torch.set_default_dtype(torch.bfloat16)\nclass Block"),
  ],
  half_batch: [TRAINING, (source) => source.replace("batch_size = 2048", "batch_size = 1024")],
  chunked_loss: [
    TRAINING,
    (source) =>
      source
        .replace("class Block", `${FUSED_LOSS}class Block`)
        .replace("F.cross_entropy(logits, ", "1 / 2048 * Chunked.apply(logits, "),
  ],
};

/** What is told of the program, and no longer of the changed one. */
const TOLD: Partial<Record<ChangeId, FindingCode>> = { bucket_view: "ddp_buckets", zero_optimizer: "ddp_states" };

/** Reserved bytes may differ by the small pool: a change made by hand has other scalars. */
const SMALL_POOL_BYTES = 2 * 1024 * 1024;

describe("a change has the effect of the program changed by hand", () => {
  it.each(Object.entries(BY_HAND))("%s", async (id, [source, byHand]) => {
    const options = { script: "p.py", source, ...(source.includes("init_process_group") ? { env, devices: 4 } : {}) };
    const first = await run(options);
    expect(first.errorText).toBeNull();
    const trials = await runTrials(run, options, first, { changes: [[id as ChangeId]], untilFits: false });
    const trial = trials.find(({ changes }) => changes[0] === id)!;
    const changed = byHand(source);
    expect(changed).not.toBe(source);
    const expected = await run({ ...options, source: changed });
    expect(expected.errorText).toBeNull();
    expect(trial.errorText).toBeNull();
    expect(Math.abs(trial.peakAllocatedBytes - expected.stats.peakAllocatedBytes)).toBeLessThanOrEqual(1024);
    expect(Math.abs(trial.peakReservedBytes - expected.stats.peakReservedBytes)).toBeLessThanOrEqual(SMALL_POOL_BYTES);
    expect(trial.fits).toBe(true);
    const told = [first, expected].map(({ trace }) => explain(trace).some(({ code }) => code === TOLD[id as ChangeId]));
    expect(told).toEqual([TOLD[id as ChangeId] !== undefined, false]);
  });

  it("expandable_segments keeps what the environment says", async () => {
    const env = { PYTORCH_CUDA_ALLOC_CONF: "garbage_collection_threshold:0.8" };
    const options = { script: "p.py", source: TRAINING, env };
    const first = await run(options);
    const [trial] = await runTrials(run, options, first, { changes: [["expandable_segments"]], untilFits: false });
    const both = "garbage_collection_threshold:0.8,expandable_segments:True";
    const expected = await run({ ...options, env: { PYTORCH_CUDA_ALLOC_CONF: both } });
    expect(trial).toMatchObject({
      peakAllocatedBytes: expected.stats.peakAllocatedBytes,
      peakReservedBytes: expected.stats.peakReservedBytes,
    });
  });
});

describe("trials", () => {
  it("say when nothing is there to change, when nothing changes, and when the program fails", async () => {
    const source = `${TRAINING}\nassert model.head.weight.dtype == torch.float32, "not float32"`;
    const options = { script: "p.py", source };
    const first = await run(options);
    const ids = ["detach_loss", "no_grad", "bfloat16"] as const;
    const trials = await runTrials(run, options, first, { changes: ids.map((id) => [id]), untilFits: false });
    expect(trials.map(({ outcome }) => outcome)).toEqual(["not_tried", "no_effect", "failed"]);
    expect(trials[2]!.errorText).toBe("AssertionError: not float32");
    expect(trials[2]!.fits).toBe(false);
  });

  it("name what needs other code", async () => {
    const source = `import torch
q, k, v = (torch.randn(8, 8, 512, 64, device="cuda") for _ in range(3))
with torch.no_grad():
    y = (q @ k.transpose(-2, -1)).softmax(-1) @ v
`;
    const first = await run({ script: "p.py", source });
    const trials = await runTrials(run, { script: "p.py", source }, first, { changes: [], untilFits: false });
    expect(trials).toMatchObject([{ changes: ["sdpa"], outcome: "not_tried" }]);
  });

  it("find the sum of losses that keeps graphs when memory runs out", async () => {
    // each graph keeps 4 GiB, what w is multiplied by and the result of exp; four do not fit on a T4
    const source = `import torch
w = torch.ones(1, device="cuda", requires_grad=True)
total = 0
for step in range(4):
    x = torch.ones(1 << 29, device="cuda") * w
    loss = x.exp().sum()
    del x
    total += loss
`;
    const options = { script: "p.py", source, gpu: "t4" };
    const first = await run(options);
    expect(first.status).toBe("out_of_memory");
    const [trial] = await runTrials(run, options, first, { changes: [["detach_loss"]], untilFits: true });
    const byHand = await run({ ...options, source: source.replace("+= loss", "+= loss.detach()") });
    expect(trial).toMatchObject({
      outcome: "measured",
      fits: true,
      peakAllocatedBytes: byHand.stats.peakAllocatedBytes,
    });
    // the graph before, and of the new one what is multiplied, x and its exp
    expect(Math.round(byHand.stats.peakAllocatedBytes / GIB)).toBe(4 + 3 * 2);
  });

  it("stop at the first change with which a program fits that did not", async () => {
    // weights 4 GiB, gradients 4 GiB, Adam's two moments 8 GiB: more than a T4 has; in 8 bits they are 2 GiB
    const source = `import torch, torch.nn as nn
model = nn.Linear(1 << 15, 1 << 15, bias=False).cuda()
optimizer = torch.optim.AdamW(model.parameters())
model(torch.randn(8, 1 << 15, device="cuda")).sum().backward()
optimizer.step()
`;
    const options = { script: "p.py", source, gpu: "t4" };
    const first = await run(options);
    expect(first.status).toBe("out_of_memory");
    const changes = CHANGE_IDS.map((id) => [id]);
    const trials = await runTrials(run, options, first, { changes, untilFits: true });
    expect(trials.at(-1)).toMatchObject({ changes: ["adam_8bit"], outcome: "measured", fits: true });
    expect(trials.slice(0, -1).some(({ fits }) => fits)).toBe(false);
  });

  it("end with the time that they are given", async () => {
    const source =
      "import torch\nx = torch.empty(1 << 28, device='cuda')\nsum(range(10_000_000))\nkept = torch.empty(1 << 34, device='cuda')\n";
    const options = { script: "p.py", source, gpu: "t4" };
    const first = await run(options);
    const changes: ChangeId[][] = [["expandable_segments"], ["half_batch"]];
    const seconds = 0.05;
    const trials = await runTrials(run, options, first, { changes, untilFits: true, seconds });
    expect(trials.map(({ outcome }) => outcome)).toEqual(["no_time", "no_time"]);
    const whole = await runTrials(run, options, first, { changes: [["expandable_segments"]], untilFits: true });
    expect(whole.map(({ outcome }) => outcome)).toEqual(["out_of_memory"]);
  });

  it("are not made where the run never came to what they change, alone or together", async () => {
    const source = "import torch\nkept = [torch.empty(1 << 30, device='cuda') for _ in range(9)]\n";
    const options = { script: "p.py", source, gpu: "t4" };
    const first = await run(options);
    expect(first.status).toBe("out_of_memory");
    const ran: string[] = [];
    const changes = [...CHANGE_IDS.map((id) => [id]), ...COMBINED_CHANGES];
    const onTrial = (ids: readonly string[]): void => void ran.push(ids.join("+"));
    const trials = await runTrials(run, options, first, { changes, untilFits: false, onTrial });
    expect(ran).toEqual(["expandable_segments", "chunked_loss", "bfloat16", "half_batch"]);
    const spared = trials.filter(({ outcome }) => outcome === "not_tried").map(({ changes: [id] }) => id!);
    expect(spared).toHaveLength(CHANGE_IDS.length - ran.length);
    // one for each thing that the run never came to: a backward, an optimizer, a module
    for (const id of spared.filter((name) => ["set_to_none", "fused", "autocast"].includes(name))) {
      const { stats } = await run({ ...options, changes: [{ name: id as Exclude<ChangeId, "expandable_segments"> }] });
      expect([id, stats.peakAllocatedBytes, stats.peakReservedBytes]).toEqual([
        id,
        first.stats.peakAllocatedBytes,
        first.stats.peakReservedBytes,
      ]);
    }
  });
});

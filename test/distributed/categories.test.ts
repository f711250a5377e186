/** What the memory of models that are shared out is for: parts of parameters, gradients and states, what is gathered, and buffers. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith, ROOT } from "../helpers.ts";

const LAYERS = 4;
/** One layer's weight of 1024 x 1024 float32. */
const LAYER_BYTES = 4 * 2 ** 20;
const RANKS = 4;
/** One tensor decides where the peak is. */
const LARGE = `torch.ones(2 ** 24, device="cuda")`;
const MODEL = `
import torch, torch.distributed as dist
dist.init_process_group("nccl")
model = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024, bias=False) for _ in range(${LAYERS})]).cuda()`;
const SHARDED = `${MODEL}
from torch.distributed.fsdp import fully_shard
for layer in model: fully_shard(layer)
fully_shard(model)
opt = torch.optim.Adam(model.parameters())
def step():
    model(torch.ones(8, 1024, device="cuda")).sum().backward()
    opt.step()
`;
const WRAPPED = (views: string): string => `${MODEL}
ddp = torch.nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=${views})
for _ in range(2): ddp(torch.ones(8, 1024, device="cuda")).sum().backward()
${LARGE}
`;

const CASES: Record<string, string> = {
  "at_rest.py": `${SHARDED}step()\n${LARGE}\n`,
  "in_forward.py": `${SHARDED}model[2].register_forward_pre_hook(lambda *_: (${LARGE}, None)[1])
model(torch.ones(8, 1024, device="cuda"))
`,
  "buckets.py": WRAPPED("False"),
  "views.py": WRAPPED("True"),
};
const folder = folderWith(CASES);

function atPeak(script: string): Record<string, number> {
  const main = join(ROOT, "dist", "cli", "main.js");
  const args = [main, "run", "--nproc-per-node", String(RANKS), "--rank", "1", "--json", script];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder });
  const { categories } = JSON.parse(stdout) as { categories: { category: string; bytes: number }[] };
  return Object.fromEntries(categories.map(({ category, bytes }) => [category, bytes]));
}

it("names each rank's part of parameters, gradients and states", () => {
  const part = (LAYERS * LAYER_BYTES) / RANKS;
  expect(atPeak("at_rest.py")).toMatchObject({ parameter: part, gradient: part, optimizer_state: 2 * part });
}, 60_000);

it("names what is gathered for a layer, and what it was gathered with", () => {
  const { parameter, gathered_parameter: gathered, communication } = atPeak("in_forward.py");
  expect(parameter).toBe((LAYERS * LAYER_BYTES) / RANKS);
  expect(gathered).toBeGreaterThanOrEqual(LAYER_BYTES);
  expect(communication).toBeGreaterThan(0);
}, 60_000);

it("names buckets, unless gradients are their parts", () => {
  const whole = LAYERS * LAYER_BYTES;
  expect(atPeak("buckets.py")).toMatchObject({ parameter: whole, gradient: whole, communication: whole });
  const { gradient, communication } = atPeak("views.py");
  expect([gradient, communication]).toEqual([whole, undefined]);
}, 60_000);

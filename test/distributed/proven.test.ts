/** Ranks that need not run: what a program does with its number decides which are alike, and all that run agree with `--rank all`. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { comparesRanks } from "../../src/cli/named-ranks.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "proven-"));

interface Ran {
  readonly rank: number;
  readonly takenAsEqual: readonly number[];
  readonly provenEqual: readonly number[];
  readonly equals: number;
  readonly report: { readonly allocated: { readonly peakBytes: number } };
}

const HEAD = `import os, torch, torch.distributed as dist
rank, local = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local)
dist.init_process_group("nccl")
world = dist.get_world_size()
t = torch.zeros(2 ** 18, device="cuda")
`;

/** What ran, and the peak of every rank that is spoken for. */
function ranks(world: number, body: string, ...options: string[]) {
  const script = join(folder, "program.py");
  writeFileSync(script, HEAD + body);
  const args = [main, "run", "--json", "--nproc-per-node", String(world), ...options, script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder });
  expect(stderr).toBe("");
  const { ranks: ran, notRun } = JSON.parse(stdout) as { ranks: Ran[]; notRun: number[] };
  const peaks = new Map<number, number>();
  for (const { rank, takenAsEqual, provenEqual, report } of ran) {
    for (const each of [rank, ...takenAsEqual, ...provenEqual]) peaks.set(each, report.allocated.peakBytes);
  }
  expect(notRun).toEqual([]);
  return {
    ran: ran.map(({ rank }) => rank),
    unproven: ran.flatMap(({ takenAsEqual }) => takenAsEqual),
    peaks: Array.from({ length: world }, (_, rank) => peaks.get(rank)),
  };
}

const MIB = 2 ** 20;
const BY_MANY = `u = torch.zeros(2 ** 18, device="cuda") if t.device.index == 3 else None
v = torch.zeros({"part-1": 2 ** 19, "part-3": 0}.get(f"part-{rank}", 0), device="cuda")
w = torch.zeros(2 ** 18 if [1, 2, 3, 4][rank] < 9 else 0, device="cuda")
`;

describe("of ranks that a program does not tell apart one runs", () => {
  it("whatever it prints, seeds devices with and hands to DistributedDataParallel", () => {
    const { ran, unproven, peaks } = ranks(
      8,
      `device = torch.device(f"cuda:{local}")
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(64, 64).to(device), device_ids=[local])
print(f"rank {rank:>3} of {world}", "on", model.device, str(t.device), "number %d" % rank)
assert t.device == device and t.device.index == local
model(torch.zeros(4, 64, device=local)).sum().backward()
`,
    );
    expect(ran).toEqual([0]);
    expect(unproven).toEqual([]);
    expect(new Set(peaks).size).toBe(1);
  }, 60_000);

  it.each([
    ["a branch", "if rank == 0: u = torch.zeros(2 ** 19, device='cuda')\n", 2, [3, 1, 1, 1]],
    [
      "the name of a device",
      "u = torch.zeros(2 ** 18, device='cuda') if str(t.device) == 'cuda:2' else None\n",
      2,
      [1, 1, 2, 1],
    ],
    ["the number of a device, a text and a size", BY_MANY, 4, [2, 4, 2, 3]],
  ])(
    "and more where %s tells them apart",
    (_, body, count, mib) => {
      const { ran, unproven, peaks } = ranks(4, body);
      expect(ran.length).toBe(count);
      expect(unproven).toEqual([]);
      expect(peaks).toEqual(mib.map((each) => each * MIB));
    },
    120_000,
  );

  it.each([
    ["one more where samples and random numbers alone differ", "5", [0, 3], [1, 2]],
    ["all where those have other sizes", "5 + i % 4", [0, 1, 2, 3], []],
  ])(
    "and %s",
    (_, length, expected, taken) => {
      const { ran, unproven } = ranks(
        4,
        `import random
torch.manual_seed(1000 + rank)
random.seed(rank)
data = [torch.zeros(${length}, 2 ** 16) for i in range(32)]
loader = torch.utils.data.DataLoader(data, sampler=torch.utils.data.DistributedSampler(data, shuffle=False))
assert len(loader) == 8
for batch in loader: batch.to(local)
`,
      );
      expect(ran).toEqual(expected);
      expect(unproven).toEqual(taken);
    },
    120_000,
  );

  it("as all of them say that run", () => {
    const body = `from torch.distributed.fsdp import fully_shard
model = torch.nn.Sequential(torch.nn.Linear(512, 1537), torch.nn.Linear(1537, 3)).cuda()
fully_shard(model)
model(torch.zeros(4, 512, device="cuda")).sum().backward()
if dist.get_rank(): print("not the first")
`;
    expect(ranks(3, body).peaks).toEqual(ranks(3, body, "--rank", "all").peaks);
  }, 120_000);
});

it("programs that compare ranks have two kinds of them", () => {
  for (const text of [
    "if rank == 0:",
    'if int(os.environ["RANK"]) == 0:',
    "if not local_rank:",
    "if dist.get_rank() in (0, 1):",
  ])
    expect(comparesRanks(text), text).toBe(true);
  for (const text of ["rank = dist.get_rank()", "torch.cuda.set_device(rank)", "# if rank == 0"])
    expect(comparesRanks(text), text).toBe(false);
});

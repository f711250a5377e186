/** Several ranks at once: which run, what is said of the others, and the launchers' own command lines. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/cli/accelerate-config.ts";
import { namedRanks } from "../../src/cli/named-ranks.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ranks-"));
const script = join(folder, "train.py");
writeFileSync(
  script,
  `import os, sys, torch, torch.distributed as dist
dist.init_process_group("nccl")
t = torch.zeros(2 ** 20, device="cuda")
if "more" in sys.argv and dist.get_rank() == 3:
    u = torch.zeros(2 ** 22, device="cuda")
if "fails" in sys.argv and dist.get_rank() == 1:
    raise ValueError("of rank one")
if "big" in sys.argv and dist.get_rank() == 2:
    v = torch.zeros(2 ** 36, device="cuda")
dist.all_reduce(t)
print(os.environ["MASTER_ADDR"], os.environ.get("ACCELERATE_MIXED_PRECISION"), os.environ.get("FSDP_VERSION"), sys.argv[1:])
`,
);
const MIB = 2 ** 20;

function vramscope(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8", cwd: folder });
  return { stdout, stderr, status };
}

interface Ranks {
  verdict: string;
  worstRank: number;
  ranks: { rank: number; provenEqual: number[]; report: { allocated: { peakBytes: number } } }[];
}
const json = (...args: string[]): Ranks => JSON.parse(vramscope(...args).stdout) as Ranks;

/** Programs that ask for what is refused, with what stands in the one line about it. */
const REFUSED: readonly (readonly [program: string, words: RegExp])[] = [
  [
    `from torch.distributed.nn import RemoteModule
RemoteModule("worker1", torch.nn.Linear, args=(2, 2))`,
    /does not simulate torch\.distributed\.nn\.RemoteModule/,
  ],
  [
    "torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 8).cuda(), mixed_precision=torch.float16)",
    /DistributedDataParallel\(mixed_precision=\.\.\.\) is not simulated/,
  ],
];

it.each(REFUSED)(
  "refuse by name what is not simulated: %s",
  (program, words) => {
    const path = join(folder, "refused.py");
    writeFileSync(path, `import torch, torch.distributed as dist\ndist.init_process_group("nccl")\n${program}\n`);
    const { stderr, status } = vramscope("run", "--nproc-per-node", "4", "--rank", "0", "--report", "none", path);
    expect(stderr).toMatch(words);
    expect(status).not.toBe(0);
  },
  60_000,
);

describe("ranks", () => {
  it("that behave otherwise by their number run and decide", () => {
    const { ranks, worstRank } = json("run", "--nproc-per-node", "8", "--json", script, "more");
    expect(worstRank).toBe(3);
    const peaks = new Map(ranks.map(({ rank, report }) => [rank, report.allocated.peakBytes]));
    // the tensors alone: 4 MiB, and 16 MiB more
    expect(peaks.get(0)).toBe(4 * MIB);
    expect(peaks.get(3)).toBe(20 * MIB);
    expect(ranks.flatMap(({ provenEqual }) => provenEqual)).toEqual([1, 2, 4, 5, 6]);
    expect(ranks.map(({ rank }) => rank)).toEqual([0, 3, 7]);
  }, 60_000);

  it("that are alike run only where the program could tell them apart, and lines carry their rank", () => {
    const { stdout, status } = vramscope("torchrun", "--nproc_per_node=8", "--report", "summary", script, "-x");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\[default0\]:localhost None None \['-x'\]$/m);
    expect(stdout).toMatch(/not run: 1-6\. Nothing that the program did on rank 0/);
    expect(stdout).toMatch(/^ {2}0-7 +4\.00 MiB/m);
  }, 60_000);

  it("are ended with one that fails, whose traceback is printed and whose exit status counts", () => {
    const { stderr, status } = vramscope("run", "--nproc-per-node", "3", "--report", "none", script, "fails");
    expect(stderr).toMatch(/\[default1\]:\n(.*\n)*ValueError: of rank one/);
    expect(status).toBe(3);
  }, 60_000);

  it("that do not fit decide for all", () => {
    const { stdout, status } = vramscope("run", "--nproc-per-node", "3", script, "big");
    expect(stdout).toMatch(/^3 ranks: does not fit; rank 2 needs most/m);
    expect(status).toBe(1);
  }, 60_000);

  it("are named by numbers beside whatever comes from a rank", () => {
    expect(namedRanks("n = 5\nr = int(os.environ['RANK'])\nif r in (2, 6): pass\n", 8)).toEqual([2, 6]);
    expect(namedRanks("n = 5\nprint(n)", 8)).toEqual([]);
    expect(namedRanks("own = dist.get_rank()\nwidth = [1, 1, 9, 1][own]\n", 8)).toBe("all");
  });
});

it("measure changes on the rank that needs most, and say what sharing out left whole", () => {
  const path = join(folder, "ddp.py");
  writeFileSync(
    path,
    `import torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
dist.init_process_group("nccl")
extra = torch.zeros(2 ** 20 if dist.get_rank() == 1 else 2, device="cuda")
model = DistributedDataParallel(torch.nn.Linear(2048, 2048, bias=False).cuda())
optimizer = torch.optim.Adam(model.parameters(), foreach=False)
for _ in range(2):
    model(torch.zeros(2, 2048, device="cuda")).sum().backward()
    optimizer.step()
`,
  );
  const { stdout, stderr } = vramscope("torchrun", "--nproc-per-node=2", "--try", "bucket_view", "--json", path);
  expect(stderr).toBe("");
  const { worstRank, ranks } = JSON.parse(stdout) as {
    worstRank: number;
    ranks: {
      rank: number;
      report: {
        allocated: { peakBytes: number };
        trials: { peakAllocatedBytes: number }[];
        findings: { code: string; args: { totalBytes: number } }[];
      };
    }[];
  };
  expect(worstRank).toBe(1);
  const { report } = ranks.find(({ rank }) => rank === 1)!;
  // one matrix of 2048 x 2048 float32 is 16 MiB: the bucket, and the states twice that
  expect(report.allocated.peakBytes - report.trials[0]!.peakAllocatedBytes).toBe(16 * MIB);
  const bytes = new Map(report.findings.map(({ code, args }) => [code, args.totalBytes]));
  expect(bytes.get("ddp_buckets")).toBe(16 * MIB);
  expect(bytes.get("ddp_states")).toBeGreaterThanOrEqual(32 * MIB);
}, 60_000);

describe("launchers", () => {
  it("hand over addresses, modules and arguments", () => {
    const words = [
      "--nnodes=2",
      "--node-rank=1",
      "--nproc-per-node=1",
      "--master-addr",
      "h1",
      "--master-port",
      "29501",
    ];
    const { stdout } = vramscope("torchrun", ...words, "--report", "none", "-m", "train", "--lr", "3");
    expect(stdout).toBe("h1 None None ['--lr', '3']\n");
  }, 60_000);

  it.each([
    [["torchrun", "--no-python", "ls"], /--no-python is not simulated/],
    [["torchrun", "--nproc_per_node=cpu", script], /say how many processes/],
    [["torchrun", "--nproc-per-nod=2", script], /did you mean|--nproc-per-node/],
    [["torchrun", "--standalone"], /names no script/],
    [["torchrun", "--nproc-per-node=2", "--save-files", "kept", script], /--save-files looks into one rank/],
    [["accelerate", "config"], /accelerate launch/],
    [["accelerate", "launch", "--use_deepspeed", script], /use-deepspeed is not simulated/],
    [
      ["accelerate", "launch", "--mixed_precision", "int4", "--num_processes", "1", script],
      /'int4' is not a mixed_precision/,
    ],
  ])("refuse %j with a word", (args, said) => {
    const { stderr, status } = vramscope(...args);
    expect(stderr).toMatch(said);
    expect(status).toBe(2);
  });

  it("pass accelerate's configuration by its environment", () => {
    const config = join(folder, "fsdp.yaml");
    writeFileSync(
      config,
      "distributed_type: FSDP\nmixed_precision: bf16  # as said\nnum_machines: 1\nnum_processes: 2\nfsdp_config:\n  fsdp_version: 2\n  fsdp_offload_params: false\n",
    );
    const { stdout } = vramscope("accelerate", "launch", "--config_file", config, "--report", "none", script);
    expect(stdout.split("\n").sort().join("\n").trim()).toBe(
      "[default0]:localhost bf16 2 []\n[default1]:localhost bf16 2 []",
    );
  }, 60_000);

  it("read plain YAML and say which line is not", () => {
    expect([...readConfig("a: 'no'\nb: True\nc:\n  d: null\n  e: x\n", "f")]).toEqual([
      ["a", "no"],
      ["b", "true"],
      ["c.e", "x"],
    ]);
    expect(() => readConfig("a: 1\n- b\n", "f")).toThrow("launch_config_bad");
  });
});

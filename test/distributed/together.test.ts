/** Ranks that run side by side: what they tell each other, calls that do not fit, and states in which none can go on. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { rankHub, type RankFailure } from "../../src/cli/rank-hub.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "together-"));

/** Runs a program's lines after the start of the group; its lines without their order. */
function ranks(count: number, ...lines: string[]) {
  const script = join(folder, "program.py");
  const head = ["import torch, torch.distributed as dist", 'dist.init_process_group("nccl")', "r = dist.get_rank()"];
  writeFileSync(script, [...head, ...lines, ""].join("\n"));
  const args = [main, "run", "--report", "none", "--nproc-per-node", String(count), "program.py"];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder });
  return { lines: stdout.trim().split("\n").sort(), stderr, status };
}
const ofRanks = (...texts: readonly string[]): string[] => texts.map((text, rank) => `[default${rank}]:${text}`);

describe("ranks together", () => {
  it("exchange objects as PyTorch does", () => {
    const { lines, stderr } = ranks(
      3,
      "every = [None] * 3",
      "dist.all_gather_object(every, r * 10)",
      'named = ["of", r]',
      "dist.broadcast_object_list(named, src=2)",
      "own = [None]",
      "dist.scatter_object_list(own, ['a', 'b', 'c'] if r == 1 else None, src=1)",
      "at = [None] * 3 if r == 0 else None",
      "dist.gather_object(r, at, dst=0)",
      "if r == 0: dist.send_object_list([{'n': 5}], dst=1)",
      "came = [None]",
      "if r == 1: dist.recv_object_list(came, src=0)",
      "print(every, named, own, at, came)",
    );
    expect(stderr).toBe("");
    expect(lines).toEqual(
      ofRanks(
        "[0, 10, 20] ['of', 2] ['a'] [0, 1, 2] [None]",
        "[0, 10, 20] ['of', 2] ['b'] None [{'n': 5}]",
        "[0, 10, 20] ['of', 2] ['c'] None [None]",
      ),
    );
  }, 60_000);

  it("are told in one message that a group has no backend for tensors of the host", () => {
    const { stderr, status } = ranks(2, "dist.all_reduce(torch.ones(3))");
    expect(status).toBe(3);
    expect(stderr).toMatch(/RuntimeError: No backend type associated with device type cpu\n$/);
  }, 60_000);

  it("are what a program spawns, each time anew, and read what another one saved", () => {
    const { lines, stderr } = ranks(
      2,
      "dist.destroy_process_group()",
      "def work(rank, world, name):",
      '    dist.init_process_group("gloo", rank=rank, world_size=world)',
      "    linear = torch.nn.Linear(300, 700).to(rank)",
      "    if rank == 0: torch.save(linear.state_dict(), '/tmp/' + name)",
      "    dist.barrier()",
      "    linear.load_state_dict(torch.load('/tmp/' + name, map_location='cpu'))",
      "    print(name, world, torch.cuda.max_memory_allocated(rank))",
      "for name, count in (('first.checkpoint', 2), ('second.checkpoint', 1)):",
      "    torch.multiprocessing.spawn(work, args=(count, name), nprocs=count)",
    );
    expect(stderr).toBe("");
    const said = "first.checkpoint 2 843264";
    expect(lines).toEqual([...ofRanks(said, said), "[default0]:second.checkpoint 1 843264"].sort());
  }, 60_000);

  it("are processes that a program starts one by one, each with a group of its own", () => {
    const { lines, stderr } = ranks(
      2,
      "dist.destroy_process_group()",
      "def work(rank, world, backend):",
      "    dist.init_process_group(backend, rank=rank, world_size=world)",
      "    count = torch.tensor([rank + 1], device=rank)",
      "    dist.all_reduce(count)",
      "    print(rank, world, count.item())",
      "for backend in ('gloo', 'gloo'):",
      "    started = [torch.multiprocessing.Process(target=work, args=(i, 2, backend)) for i in range(2)]",
      "    for process in started: process.start()",
      "    for process in started: process.join()",
      "print([process.exitcode for process in started], dist.is_initialized())",
    );
    expect(stderr).toBe("");
    const twice = (line: string) => [line, line];
    expect(lines).toEqual(
      [...twice("[default0]:0 2 3"), ...twice("[default1]:1 2 3"), ...ofRanks("[0, 0] False", "[0, 0] False")].sort(),
    );
  }, 60_000);

  it("exchange keys of stores and wait for them", () => {
    const { lines } = ranks(
      2,
      'store = dist.PrefixStore("own", dist.distributed_c10d._get_default_store())',
      'if r == 1: store.set("key", "of one")',
      'print(store.get("key"), store.add("none", 0))',
      'store.add("count", r + 1)',
      "dist.barrier()",
      'print(store.add("count", 0), store.check(["key"]), store.check(["other"]))',
    );
    expect(lines).toEqual(
      ofRanks("3 True False", "3 True False").flatMap((end, i) => [end, `[default${i}]:b'of one' 0`]),
    );
  }, 60_000);

  it("exchange the values of small tensors that the host knows", () => {
    const { lines } = ranks(
      3,
      'count = torch.tensor([r + 1, 2 * r], device="cuda")',
      "dist.all_reduce(count)",
      'splits = torch.tensor([10 * r, 10 * r + 1, 10 * r + 2], device="cuda")',
      "came = torch.empty_like(splits)",
      "dist.all_to_all_single(came, splits)",
      'got = torch.zeros(1, dtype=torch.int64, device="cuda")',
      'own = torch.tensor([r], device="cuda")',
      "pair = [dist.P2POp(dist.isend, own, (r + 1) % 3), dist.P2POp(dist.irecv, got, (r - 1) % 3)]",
      "for work in dist.batch_isend_irecv(pair): work.wait()",
      "print(count.tolist(), came.tolist(), got.item())",
    );
    expect(lines).toEqual(ofRanks("[6, 6] [0, 10, 20] 2", "[6, 6] [1, 11, 21] 0", "[6, 6] [2, 12, 22] 1"));
  }, 60_000);

  it("all run where some of them brought something of their own", () => {
    const { lines } = ranks(8, 'n = torch.tensor(r, device="cuda")', "dist.all_reduce(n)", "print(n.item())");
    expect(lines).toEqual(ofRanks(...Array.from({ length: 8 }, () => "28")));
  }, 90_000);

  it("tell stages of a pipeline the shapes that nobody gave", () => {
    const { lines, stderr } = ranks(
      2,
      "from torch.distributed.pipelining import PipelineStage, ScheduleGPipe",
      'device = torch.device("cuda", r)',
      "torch.cuda.set_device(device)",
      "part = torch.nn.Linear(32, 48).to(device) if r == 0 else torch.nn.Linear(48, 8).to(device)",
      "schedule = ScheduleGPipe(PipelineStage(part, r, 2, device), 2, loss_fn=lambda out, y: (out - y).square().mean())",
      "schedule.step(torch.randn(4, 32, device=device)) if r == 0 else schedule.step(target=torch.randn(4, 8, device=device))",
      "print(part.weight.grad.shape)",
    );
    expect(stderr).toBe("");
    expect(lines).toEqual(ofRanks("torch.Size([48, 32])", "torch.Size([8, 48])"));
  }, 60_000);

  it.each([
    [
      ["if r != 1: dist.barrier()"],
      [/rank 0 waits in barrier at program\.py:4 for rank 1/, /end of the program: rank 1/],
    ],
    [
      ['x = torch.zeros(9999, device="cuda")', "dist.recv(x, 1 - r)", "dist.send(x, 1 - r)"],
      [/rank 0 waits in recv\(float32\[9999\]\) at program\.py:5 for rank 1/, /rank 1 waits in recv/],
    ],
    [
      ['if r == 0: dist.all_reduce(torch.zeros(5000, device="cuda"))'],
      [/rank 0 waits in all_reduce\(float32\[5000\]\) at program\.py:4 for rank 1/],
    ],
    [["if r == 0: dist.distributed_c10d._get_default_store().get('k')"], [/rank 0 waits in a store key \(.*k\)/]],
    [
      ["if r == 0: dist.all_gather_object([None] * 2, 1)", "else: dist.broadcast_object_list([1], src=0)"],
      [/rank 0: all_gather/, /rank 1: broadcast/],
    ],
    [
      ['dist.all_reduce(torch.zeros(100 + r, 5, device="cuda"))'],
      [/rank 0: all_reduce\(float32\[100, 5\]\) at program\.py:4/, /rank 1: all_reduce\(float32\[101, 5\]\)/],
    ],
    [
      ["torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4 + r).cuda())"],
      [/params\[0\] in this process with sizes \[5, 4\] appears not to match sizes of the same param in process 0/],
    ],
    [["if r == 1: raise KeyError('own')", "dist.barrier()"], [/^KeyError: 'own'$/m]],
    [
      ["from torch.distributed.device_mesh import init_device_mesh", 'init_device_mesh("cuda", (3, 2))'],
      [/Mesh should not be bigger than default world size 2, but found 6 ranks/],
    ],
    [["dist.destroy_process_group()", 'dist.init_process_group("ncll")'], [/Invalid backend: 'ncll'/]],
    [
      ["dist.destroy_process_group()", 'dist.init_process_group("nccl", world_size=3, rank=r)'],
      [/asks for a world of 3 ranks, but was started with WORLD_SIZE=2/],
    ],
  ])(
    "end with a word and exit status 3: %j",
    (lines, said) => {
      const { stderr, status } = ranks(2, ...lines);
      for (const each of said) expect(stderr).toMatch(each);
      expect(stderr).not.toMatch(/KeyboardInterrupt|the ranks were ended/);
      expect(status).toBe(3);
    },
    60_000,
  );
});

describe("the hub", () => {
  const nothing = { notes: [], leftLoop: false, line: "t.py:1" };
  function hub(worldSize: number, here: number[], othersAreEqual: boolean) {
    const failures: RankFailure[] = [];
    const made = rankHub({
      ranks: here,
      worldSize,
      othersAreEqual,
      onFailure: (f) => failures.push(f),
      onChange: () => {},
    });
    for (const rank of here) made.started(rank);
    return { made, failures };
  }
  const meeting = (payload: string, ranksOfGroup: number[]) => {
    return { ...nothing, kind: "meet", what: "all_gather_object", group: "0", ranks: ranksOfGroup, payload, of: -1 };
  };

  it("lets a rank that is taken as equal be stood for where all brought the same", async () => {
    const { made, failures } = hub(4, [0, 1], true);
    const answers = [0, 1].map((rank) => made.ask(rank, meeting("aa", [0, 1, 2, 3])));
    expect(await Promise.all(answers)).toEqual(["aa\naa\naa\naa", "aa\naa\naa\naa"]);
    expect(failures).toEqual([]);
  });

  it("asks for all ranks where what they brought differs", async () => {
    const { made, failures } = hub(4, [0, 1], true);
    await Promise.all([0, 1].map((rank) => made.ask(rank, meeting(`a${rank}`, [0, 1, 2, 3]))));
    expect(failures).toEqual([{ kind: "needs_all" }]);
  });

  it("goes on without ranks that left a loop elsewhere", async () => {
    const { made, failures } = hub(2, [0, 1], false);
    const answer = made.ask(0, { ...meeting("aa", [0, 1]), leftLoop: true });
    made.ended(1, false);
    expect(await answer).toBe("aa\naa");
    expect(failures).toEqual([]);
  });

  it.each([
    null,
    5,
    {},
    { ...nothing, kind: "meet" },
    { ...nothing, kind: "get" },
    { ...nothing, kind: "tell", notes: [1] },
  ])("refuses what is no question: %j", async (question) => {
    expect(await hub(2, [0, 1], false).made.ask(0, question)).toMatch(/^!/);
  });
});

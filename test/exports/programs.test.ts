/** Exports of the built command line, and what programs themselves write: snapshots and profiles. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { engine, formats, vramscope } from "../built.ts";
import { folderWith, vramscope as commandLine } from "../helpers.ts";
import { askPython, hasPython, NEEDS_PYTHON } from "./python.ts";
import { run } from "./run-files.ts";

const TRAINING = `
import torch
from torch import nn
net = nn.Sequential(nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 512)).cuda()
optimizer = torch.optim.Adam(net.parameters())
for step in range(2):
    x = torch.randn(256, 512, device="cuda")
    loss = net(x).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
`;

describe("vramscope run --export", () => {
  test("writes several files; the snapshot replays to the same addresses", async () => {
    const exports = [
      "snapshot=out/s.pickle",
      "html=out/r.html",
      "graph=out/g.dot",
      "graph=out/g.svg",
      "csv-lines=out/l.csv",
    ];
    const { code, err, read } = await run({ "main.py": TRAINING }, [
      ...exports.flatMap((e) => ["--export", e]),
      "-o",
      "out/t.json",
    ]);
    expect([code, err]).toEqual([0, ""]);
    const snapshot = formats.readSnapshot(read("out", "s.pickle"));
    const replay = engine.replayHistory(formats.deviceHistory(snapshot, 0), { torch: "2.14" });
    expect(replay.allocs).toBeGreaterThan(50);
    expect(replay.matching).toBe(replay.allocs);
    const trace = engine.readTrace(Buffer.from(read("out", "t.json")).toString());
    if (!trace.ok) throw new Error(trace.error.code);
    const last = trace.value.events.kind.length - 1;
    expect(snapshot.segments.reduce((sum, s) => sum + s.allocatedBytes, 0)).toBe(
      trace.value.events.allocatedBytes[last],
    );
    expect(snapshot.segments.reduce((sum, s) => sum + s.totalBytes, 0)).toBe(trace.value.events.reservedBytes[last]);
    const html = Buffer.from(read("out", "r.html")).toString();
    expect(html).toContain("loss = net(x).square().mean()");
    const dot = Buffer.from(read("out", "g.dot")).toString();
    expect([...dot.matchAll(/label="(\w+)/g)].map((match) => match[1])).toEqual(
      // as print(loss.grad_fn) and next_functions show it in PyTorch
      expect.arrayContaining([
        "MeanBackward0",
        "PowBackward0",
        "AddmmBackward0",
        "ReluBackward0",
        "TBackward0",
        "AccumulateGrad",
      ]),
    );
    expect(Buffer.from(read("out", "g.svg")).toString()).toContain("AddmmBackward0");
  });

  test("a saved trace gives the same files", async () => {
    const { folder, read } = await run({ "main.py": TRAINING }, ["--export", "speedscope=a.json", "-o", "t.json"]);
    const exported = await commandLine(["export", "t.json", "--format", "speedscope", "-o", "b.json"], { cwd: folder });
    expect([exported.code, exported.err]).toEqual([0, ""]);
    expect(read("b.json")).toEqual(read("a.json"));
  });

  test("what is wrong is said", async () => {
    const folder = folderWith({ "main.py": "pass\n", "t.json": "{}" });
    const says = async (...args: string[]) => {
      const { code, err } = await commandLine(args, { cwd: folder });
      return `${code} ${err}`;
    };
    expect(await says("run", "--export", "html", "main.py")).toMatch(/^2 .*FORMAT=FILE/);
    expect(await says("run", "--export", "htm=x.html", "main.py")).toMatch(/^2 .*did you mean 'html'/);
    expect(await says("export", "t.json", "--format", "html", "-o", "x.html")).toMatch(/^2 .*is no trace/);
    expect(await says("export", "t.json", "-o", "x.html")).toMatch(/^2 .*--format/);
    expect(await says("export", "t.json", "--format", "graph", "-o", "x.dot")).toMatch(
      /^2 .*vramscope run --export graph/,
    );
    expect(await says("run", "--report", "none", "--export", "graph=x.dot", "main.py")).toMatch(/^0 .*no backward ran/);
  });
});

describe("files that a program writes", () => {
  const WRITER = `
import os
open("a.txt", "w").write("hello")
os.makedirs("sub/deep")
open("sub/deep/b.bin", "wb").write(bytes(range(256)))
open("data.txt", "a").write(" more")
open("same.txt", "w").write("same")
os.symlink("/etc/passwd", "link")
open("/tmp/t.txt", "w").write("tmp")
`;

  test("stay inside, unless a new folder is named", async () => {
    const files = { "main.py": WRITER, "data.txt": "data", "same.txt": "same" };
    const plain = await run(files);
    expect([plain.code, readdirSync(plain.folder).sort()]).toEqual([0, ["data.txt", "main.py", "same.txt"]]);
    const { code, folder, read } = await run(files, ["--save-files", "out/new"]);
    expect(code).toBe(0);
    const saved = readdirSync(join(folder, "out", "new"), { recursive: true, encoding: "utf8" }).sort();
    expect(saved).toEqual(["a.txt", "data.txt", "sub", "sub/deep", "sub/deep/b.bin", "system-tmp", "system-tmp/t.txt"]);
    expect(Buffer.from(read("out", "new", "data.txt")).toString()).toBe("data more");
    expect([...read("out", "new", "sub", "deep", "b.bin")]).toEqual(Array.from({ length: 256 }, (_, i) => i));
    expect(Buffer.from(read("data.txt")).toString()).toBe("data");
  });

  test("a folder with something in it is refused before anything runs", async () => {
    const { code, err, out } = await run({ "main.py": "print('ran')", "out/old.txt": "old" }, ["--save-files", "out"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("not empty");
  });
});

const HISTORY = `
import torch
before = torch.zeros(1 << 20, device="cuda")
torch.cuda.memory._record_memory_history(max_entries=100000)
def work():
    a = torch.zeros(3000, device="cuda")
    return a + 1
kept = work()
torch.cuda.memory._dump_snapshot("s.pickle")
s = torch.cuda.memory._snapshot()
print([e["action"] for e in s["device_traces"][0]], [e["size"] for e in s["device_traces"][0]])
print(sum(x["total_size"] for x in torch.cuda.memory_snapshot()) == torch.cuda.memory_reserved())
print(sum(b["size"] for x in s["segments"] for b in x["blocks"] if b["state"] == "active_allocated") == torch.cuda.memory_allocated())
torch.cuda.memory._record_memory_history(enabled=None)
print(torch.cuda.memory._snapshot()["device_traces"])
`;

describe("torch.cuda.memory inside a program", () => {
  test("records a history and dumps it", async () => {
    const { code, out, err, read } = await run({ "main.py": HISTORY }, ["--save-files", "out"]);
    expect([code, err.includes("Traceback")]).toEqual([0, false]);
    // a segment of the small pool, a, its sum, and a given back at the function's end; 3000 floats are 12,000 bytes
    expect(out.split("\n")).toEqual([
      "['segment_alloc', 'alloc', 'alloc', 'free_requested', 'free_completed'] [2097152, 12000, 12000, 12000, 12000]",
      "True",
      "True",
      "[[]]",
      "",
    ]);
    const snapshot = formats.readSnapshot(read("out", "s.pickle"));
    const stacks = snapshot.segments
      .flatMap((s) => s.blocks.filter((b) => b.state !== "inactive"))
      .map((b) =>
        [...snapshot.frameLists.frames(b.frameList)].map((frame) => {
          const { name, line } = snapshot.frames[frame]!;
          return `${name}:${line}`;
        }),
      );
    // what was there before the recording has no stack
    expect(stacks.sort()).toEqual([[], ["work:7", "<module>:8"]]);
    expect(snapshot.allocatorSettings).toMatchObject({ max_split_size: -1, expandable_segments: false });
  });

  test.skipIf(!hasPython)(`the dump has Python's types${NEEDS_PYTHON}`, async () => {
    const { read } = await run({ "main.py": HISTORY }, ["--save-files", "out"]);
    const keys = askPython(
      "import pickle, json, sys; d = pickle.load(open(sys.argv[1], 'rb')); s = d['segments'][0]; print(json.dumps([list(d), list(s), list(s['blocks'][0]), list(d['device_traces'][0][0]), str(s['segment_pool_id'])]))",
      read("out", "s.pickle"),
    );
    // in the order of files of real GPUs
    expect(keys).toEqual([
      ["segments", "device_traces", "allocator_settings", "external_annotations"],
      [
        "device",
        "address",
        "total_size",
        "allocated_size",
        "active_size",
        "requested_size",
        "stream",
        "segment_type",
        "segment_pool_id",
        "is_expandable",
        "frames",
        "blocks",
      ],
      ["address", "size", "requested_size", "state", "frames"],
      ["action", "addr", "size", "stream", "time_us", "compile_context", "user_metadata", "frames"],
      "(0, 0)",
    ]);
  });

  test("carries what the program says about its memory", async () => {
    const { out } = await run({
      "main.py": `
import torch
m = torch.cuda.memory
m._record_memory_history(context=None, skip_actions=["segment_alloc"], max_entries=3)
torch.zeros(1, device="cuda")
m._set_memory_metadata("step 1")
kept = torch.zeros(200, device="cuda")
m._annotate_tensor(kept, "kept on purpose")
print([(e["action"], e["user_metadata"], e["frames"] == []) for e in m._snapshot()["device_traces"][0]], m._get_memory_metadata())
`,
    });
    expect(out).toBe(
      "[('free_completed', '', True), ('alloc', 'step 1', True), ('annotate', 'kept on purpose', True)] step 1\n",
    );
  });

  test("a failed request is in the history", async () => {
    const { out } = await run({
      "main.py": `
import torch
torch.cuda.memory._record_memory_history(context="alloc")
try:
    torch.empty(1 << 40, device="cuda")
except torch.OutOfMemoryError:
    pass
e = torch.cuda.memory._snapshot()["device_traces"][0][-1]
print(e["action"], e["size"], "addr" in e, e["device_free"] > 2**30, [f["line"] for f in e["frames"]])
`,
    });
    expect(out).toBe(`oom ${2 ** 42} False True [5]\n`);
  });
});

const PROFILE = `
import torch
from torch import nn
from torch.profiler import profile, record_function
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).to(DEVICE)
x = torch.randn(32, 64, device=DEVICE)
with profile(profile_memory=True, record_shapes=True) as p:
    with record_function("fwd"):
        y = m(x)
    y.sum().backward()
rows = {e.key: (e.DEVICE_memory_usage, e.self_DEVICE_memory_usage, e.count) for e in p.key_averages()}
for name in NAMES:
    print(name, *rows[name])
print(p.key_averages(group_by_input_shape=True).table(sort_by="self_DEVICE_memory_usage", row_limit=2))
p.export_chrome_trace("trace.json")
`;
const profileOf = (device: string, names: readonly string[]): string =>
  PROFILE.replaceAll("DEVICE_memory", `${device}_memory`)
    .replaceAll("DEVICE", JSON.stringify(device))
    .replaceAll("NAMES", JSON.stringify(names));

describe("torch.profiler inside a program", () => {
  test("gives the bytes that PyTorch gives for the same program on the CPU", async () => {
    const names = [
      "fwd",
      "aten::linear",
      "aten::addmm",
      "AddmmBackward0",
      "autograd::engine::evaluate_function: AddmmBackward0",
      "aten::threshold_backward",
    ];
    const { code, out, read } = await run({ "main.py": profileOf("cpu", names) }, ["--save-files", "out"]);
    expect(code).toBe(0);
    // printed by PyTorch 2.14 on a CPU
    expect(out.split("\n").slice(0, names.length)).toEqual([
      "fwd 17664 -16384 1",
      "aten::linear 17664 0 2",
      "aten::addmm 17664 17664 2",
      "AddmmBackward0 54272 0 2",
      "autograd::engine::evaluate_function: AddmmBackward0 38440 -16384 2",
      "aten::threshold_backward 16384 16384 1",
    ]);
    expect(out).toContain("Time columns are absent");
    expect(out).toMatch(/ aten::mm +32\.00 KB +32\.00 KB +1 +\[\[128, 32\], \[32, 64\]\]/);
    const trace = JSON.parse(Buffer.from(read("out", "trace.json")).toString()) as { traceEvents: { ph: string }[] };
    expect(new Set(trace.traceEvents.map(({ ph }) => ph))).toEqual(new Set(["M", "X", "i"]));
  });

  test("on the GPU the bytes add up to what is allocated", async () => {
    const { out } = await run({
      "main.py": `
import torch
from torch.autograd import profiler
before = torch.cuda.memory_allocated()
with profiler.profile(use_device="cuda", profile_memory=True) as p:
    a = torch.zeros(1000, 1000, device="cuda")
    b = (a @ a).relu()
    del a
grown = torch.cuda.memory_allocated() - before
print(sum(e.self_cuda_memory_usage for e in p.key_averages()) == grown, grown)
print(p.key_averages().table(sort_by="self_cuda_memory_usage", row_limit=1))
`,
    });
    expect(out).toMatch(/^True \d+\n/);
    expect(out).toContain("Self CUDA Mem");
  });

  test("follows its schedule", async () => {
    const { out } = await run({
      "main.py": `
import torch
from torch.profiler import profile, schedule
def ready(p):
    print(p.step_num, sorted(e.key for e in p.key_averages() if "Step" in e.key or "zeros" in e.key))
with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=2), on_trace_ready=ready) as p:
    for i in range(9):
        torch.zeros(4, device="cuda")
        p.step()
`,
    });
    expect(out).toBe(
      "4 ['ProfilerStep#2', 'ProfilerStep#3', 'aten::zeros']\n8 ['ProfilerStep#6', 'ProfilerStep#7', 'aten::zeros']\n",
    );
  });
});

test("the library exports, too", async () => {
  const { exportText, EXPORT_FORMATS } = (await import(
    new URL("../../dist/exports/index.js", import.meta.url).href
  )) as typeof import("../../src/exports/index.ts");
  const { trace, graph } = await vramscope.run({ script: "main.py", source: TRAINING, recordGraph: true });
  expect(graph?.nodes.length).toBeGreaterThan(5);
  for (const format of EXPORT_FORMATS) expect(exportText(format.id, trace, { graph }).length).toBeGreaterThan(50);
  expect(existsSync("main.py")).toBe(false);
});

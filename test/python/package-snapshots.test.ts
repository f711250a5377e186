/** Interpreters kept with large packages imported: made once, restored later, inside the same walls, and made anew when a file changes. */

import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope as built } from "../built.ts";
import { folderWith } from "../helpers.ts";

const { run } = built;

/** A package of many files, whose import looks for ways out and says so; parts of it load when they are asked for, and then fail. */
const PACKAGE = {
  "big/__init__.py": `
from . import part0, counted
VALUE = 1
import logging
LOGGER = logging.getLogger("big")
LOGGER.addHandler(logging.StreamHandler())
LOGGER.warning("what it says at its import is heard by nobody")
def attempt(f):
    try:
        return repr(f())
    except BaseException as error:
        return type(error).__name__
import sys
WAYS = [attempt(lambda name=name: __import__(name)) for name in ("js", "pyodide_js", "_pyodide_core", "pyodide")]
WAYS.append(attempt(lambda: open("/etc/passwd").read()))
WAYS.append([type(f).__name__ for f in sys.meta_path if hasattr(f, "jsproxies")])
import types
class Late(types.ModuleType):
    def __getattr__(self, name):
        raise ModuleNotFoundError("a part that is not installed")
sys.modules["big.late"] = Late("big.late")
class Mapping(dict):
    def items(self):
        raise ModuleNotFoundError("a part that is not installed")
    keys = values = __iter__ = items
MAPPING = Mapping(part=1)
`,
  "big/counted.py": "import time\nMADE = time.time_ns()\n",
  "broken/__init__.py": "raise RuntimeError('at import')\n",
  "tensors/__init__.py": `
import torch
from concurrent.futures import ThreadPoolExecutor
def shared(numbers):
    with ThreadPoolExecutor(2) as pool:
        return [pool.submit(abs, n).result() for n in numbers] + list(pool.map(abs, numbers))
ONE = torch.tensor([1.0, 2.5, float("inf")])
HALVES = torch.arange(6).reshape(2, 3) / 2
WEIGHT = torch.nn.Parameter(torch.full((4, 4), float("-inf")))
torch.ones(3)
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor=torch.tensor(2)):
        return x * factor
    @staticmethod
    def backward(ctx, grad):
        return grad * 2, None
`,
  "asks/__init__.py": "import torch\nNAME = torch.cuda.get_device_name()\n",
  "drives/__init__.py": `
def each_epoch(step, epochs):
    passes = 0
    for epoch in range(epochs):
        step()
        passes += 1
    return passes
ONCE = each_epoch(lambda: None, 30)
`,
  "calls/__init__.py": `
import torch
x = torch.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad * 2)
x.sum().backward()
GRAD = x.grad
`,
  "datasets/__init__.py": "Dataset = int\n",
  "leaves/__init__.py": "OPEN = [open(__file__)]\n",
  ...Object.fromEntries(
    ["big", "broken", "tensors", "asks", "calls", "drives", "leaves"].flatMap((name) =>
      Array.from({ length: 220 }, (_, i) => [`${name}/part${i}.py`, `N = ${i}\n`]),
    ),
  ),
};

describe("a snapshot with packages", () => {
  const top = folderWith({
    ...Object.fromEntries(Object.entries(PACKAGE).map(([name, text]) => [`site/${name}`, text])),
    "main.py": `
import torch
import big
from big import (counted,  # a comment
    part0)
big.LOGGER.warning("a word of its own")
print(counted.MADE, big.VALUE, part0.N, *big.WAYS)
torch.zeros(1000, device="cuda")
try:
    import js
except ImportError:
    print("no js")
`,
    "of_tensors.py": `
import torch
import tensors
x = torch.zeros(1000, device="cuda", requires_grad=True)
tensors.Twice.apply(x).sum().backward()
moved = tensors.WEIGHT.to("cuda")
print(tensors.ONE.tolist(), tensors.HALVES.tolist(), tensors.WEIGHT.requires_grad, tensors.shared([-1]))
`,
    "of_both.py": `
import torch
import helper
import tensors
print(helper.deep.big.counted.MADE, tensors.ONE.tolist(), tensors.Twice.apply(torch.ones(2)).shape)
`,
    "helper/__init__.py": "from . import deep\n",
    "helper/deep.py": "import big\n",
    "of_asks.py": "import asks\nprint(asks.NAME)\n",
    "of_drives.py": `
import torch
import drives
model = torch.nn.Sequential(*[torch.nn.Linear(64, 64) for _ in range(20)]).cuda()
optimizer = torch.optim.Adam(model.parameters())
def step():
    model(torch.ones(8, 64, device="cuda")).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
print(drives.ONCE, drives.each_epoch(step, 200))
`,
    "of_calls.py": "import calls\nprint(calls.GRAD.shape)\n",
    "of_leaves.py": `
import leaves
try:
    from datasets.a_part_that_is_not_here import Name
except ImportError:
    pass
from datasets import Dataset
own = open("own.txt", "w")
leaves.OPEN.clear()
own.write("written")
own.close()
print(open("own.txt").read(), Dataset.__module__)
`,
    "fails.py": "try:\n    pass\nfinally:\n    pass\nimport broken\n",
  });
  const cacheFolder = mkdtempSync(join(tmpdir(), "vramscope-test-"));
  const ran = async (
    script: string,
    more: { gpu?: string; cacheFolder?: string; passes?: "auto" | "all" | number } = {},
  ) => {
    const phases: string[] = [];
    const onProgress = (phase: string): void => void phases.push(phase);
    const options = { script: join(top, script), sitePackages: [join(top, "site")], cacheFolder, onProgress, ...more };
    const { stdout, stderr, status, errorText, trace } = await run(options);
    return {
      out: stdout.trimEnd().split("\n"),
      err: stderr,
      status,
      errorText,
      made: phases.includes("packages"),
      trace,
    };
  };

  it("is made once, holds what was imported, and is made again when a file of it changes", async () => {
    const first = await ran("main.py");
    expect([first.errorText, first.status, first.made]).toEqual([null, "ok", true]);
    const [made, ...others] = first.out[0]!.split(" ");
    const refused = Array.from({ length: 4 }, () => "ModuleNotFoundError");
    expect(others).toEqual(["1", "0", ...refused, "FileNotFoundError", "[]"]);
    expect(first.out[1]).toBe("no js");
    const second = await ran("main.py");
    expect(second.made).toBe(false);
    // the very interpreter that imported it, and the same memory
    expect(second.out).toEqual(first.out);
    // what took the stream of errors when it was imported still writes there
    expect([first.err, second.err]).toEqual(["a word of its own\n", "a word of its own\n"]);
    expect(second.trace.blocks).toEqual(first.trace.blocks);
    const files = readdirSync(join(cacheFolder, "interpreters"));
    const endings = files.map((name) => name.slice(name.indexOf("."))).sort();
    expect(endings).toEqual([".json", ".snapshot", ".snapshot.crc32"]);
    writeFileSync(join(top, "site/big/counted.py"), "import time\nMADE = time.time_ns() + 1\n");
    const third = await ran("main.py");
    expect([third.made, third.out[0]!.split(" ")[0] === made]).toEqual([true, false]);
    expect(readdirSync(join(cacheFolder, "interpreters")).length).toBe(3);
  }, 240_000);

  it("is not made of a package that cannot be imported, and not tried again", async () => {
    const before = readdirSync(join(cacheFolder, "interpreters")).length;
    const first = await ran("fails.py");
    expect([first.made, first.status]).toEqual([true, "python_error"]);
    expect(first.errorText).toContain("at import");
    const second = await ran("fails.py");
    expect([second.made, second.errorText]).toEqual([false, first.errorText]);
    const added = readdirSync(join(cacheFolder, "interpreters"));
    expect(added.length).toBe(before + 1);
    expect(added.every((name) => statSync(join(cacheFolder, "interpreters", name)).isFile())).toBe(true);
    // a busy machine takes too long for what another hour imports in time
    const manifests = added
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(cacheFolder, "interpreters", name));
    const failed = manifests.find((path) => readFileSync(path, "utf8").includes('"failed":true'))!;
    const lateBy = (ms: number): void =>
      writeFileSync(failed, JSON.stringify({ ...JSON.parse(readFileSync(failed, "utf8")), lateMs: Date.now() - ms }));
    lateBy(60_000);
    expect((await ran("fails.py")).made).toBe(false);
    lateBy(2 * 3_600_000);
    expect((await ran("fails.py")).made).toBe(true);
  }, 240_000);

  it("holds the tensors that packages make when they are imported", async () => {
    const cold = await run({ script: join(top, "of_tensors.py"), sitePackages: [join(top, "site")] });
    expect(cold.errorText).toBe(null);
    expect(cold.stdout).toBe("[1.0, 2.5, inf] [[0.0, 0.5, 1.0], [1.5, 2.0, 2.5]] True [1, 1]\n");
    for (const made of [true, false]) {
      const { out, trace, ...rest } = await ran("of_tensors.py");
      expect([rest.errorText, rest.made, out]).toEqual([null, made, [cold.stdout.trimEnd()]]);
      const bytes = trace.blocks.map(({ requestedBytes }) => requestedBytes);
      expect(bytes).toEqual(cold.trace.blocks.map(({ requestedBytes }) => requestedBytes));
    }
  }, 240_000);

  it("goes on from one that has imported a part, and imports what modules beside the program do", async () => {
    const first = await ran("of_both.py");
    const second = await ran("of_both.py");
    expect([first.errorText, first.made, second.made]).toEqual([null, true, false]);
    expect(first.out[0]).toMatch(/^\d+ \[1\.0, 2\.5, inf\] torch\.Size\(\[2\]\)$/);
    // imported once, by whoever made the snapshot
    expect(second.out).toEqual(first.out);
  }, 240_000);

  it("is one for each GPU where packages ask for it, and none where they need functions of Python", async () => {
    const a100 = await ran("of_asks.py", { gpu: "a100-80gb" });
    expect([a100.made, a100.out[0]]).toEqual([true, "A100 80GB SXM"]);
    const h100 = await ran("of_asks.py", { gpu: "h100-sxm" });
    expect([h100.made, h100.out[0]]).toEqual([true, "H100 SXM 80GB"]);
    const again = await ran("of_asks.py", { gpu: "a100-80gb" });
    expect([again.made, again.out]).toEqual([false, a100.out]);
    for (const made of [true, false]) {
      const calls = await ran("of_calls.py");
      expect([calls.made, calls.errorText, calls.out]).toEqual([made, null, ["torch.Size([2])"]]);
    }
  }, 240_000);

  it("has loops that drive a program, which are left when their passes repeat, and run whole where all are asked for", async () => {
    const facts = async (passes?: "all" | number): Promise<unknown[]> => {
      const { errorText, made, out, trace } = await ran("of_drives.py", passes === undefined ? {} : { passes });
      const [once, passesRun] = out[0]!.split(" ").map(Number);
      const left = trace.assumptions.some(({ code }) => code.startsWith("loop_"));
      return [errorText, made, once, passesRun! < 100, left];
    };
    expect(await facts()).toEqual([null, true, 30, true, true]);
    expect(await facts()).toEqual([null, false, 30, true, true]);
    expect(await facts("all")).toEqual([null, false, 30, false, false]);
  });

  it("keeps no file open that a package left open, and a stand-in whose part is missing", async () => {
    for (const made of [true, false]) {
      const run = await ran("of_leaves.py");
      expect([run.errorText, run.made, run.out]).toEqual([null, made, ["written datasets._dataset"]]);
    }
  });
});

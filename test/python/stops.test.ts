/** How programs end: what CPython says of it, whatever the program changed, and a report at every stop. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CLI, folderWith, vramscope } from "../helpers.ts";

const GIB = 'import torch\nx = torch.ones(2**28, device="cuda")\n';
const FORGED = `${GIB}import json, traceback, linecache, io
json.dumps = lambda *a, **k: '["ok", 0, null]'
traceback.print_exception = lambda *a, **k: None
linecache.cache.clear()
io.StringIO = None
raise ValueError("not forged")
`;
/** What a program does, its exit status and what its standard error holds: those of CPython, for a status that is not 0 told in words. */
const ENDS = [
  ["import os\nos._exit(7)", 3, "status 7"],
  ["import sys\nsys.exit(2**70)", 3, "status 255"],
  ['import sys\nsys.exit("words")', 3, "words\n"],
  ["import sys\nsys.exit(None)", 0, ""],
  ["import os\nos.kill(os.getpid(), 9)", 3, "status 137"],
  ["import os\nos.abort()", 3, "status 134"],
  ["import os\nos.kill(os.getpid(), 2)", 130, "KeyboardInterrupt\n"],
  ["import signal\nsignal.signal(15, lambda n, f: None)\nsignal.raise_signal(15)", 0, ""],
  ["import sys\nsys.stdout = None\nprint(1)", 0, ""],
  ['raise ExceptionGroup("g", [ValueError(1), TypeError(2)])', 3, "| TypeError: 2\n"],
  ["a = []\nfor _ in range(100000): a = [a]\ntry: repr(a)\nexcept RecursionError: pass", 0, ""],
  [FORGED, 3, "ValueError: not forged\n"],
  ["import time\nt = time.time()\ntime.sleep(10**6)\nassert time.time() - t >= 10**6", 0, ""],
  [
    `import time, datetime
clocks = [time.time, time.monotonic, time.perf_counter, lambda: datetime.datetime.now().timestamp(), lambda: time.time_ns() / 1e9]
clocks += [lambda: time.mktime(time.localtime()), lambda: datetime.datetime.now(datetime.timezone.utc).timestamp()]
clocks += [lambda: time.clock_gettime(time.CLOCK_MONOTONIC)]
before = [clock() for clock in clocks]
time.sleep(10**6)
assert all(10**6 - 1 <= clock() - at < 10**6 + 60 for clock, at in zip(clocks, before))
assert abs(time.process_time()) < 60
assert datetime.date.today() == datetime.datetime.fromtimestamp(time.time()).date()`,
    0,
    "",
  ],
] as const;

describe("a program that ends itself", () => {
  it.each(ENDS)("%j ends with %d", async (source, status, words) => {
    const cwd = folderWith({ "program.py": `${source}\n` });
    const { code, err } = await vramscope(["run", "--report", "none", "program.py"], { cwd });
    expect(code).toBe(status);
    if (words === "") expect(err).toBe("");
    else expect(err).toContain(words);
  });
});

const LOOPS = {
  "a Python loop": "while True:\n    pass\n",
  "a loop of C": "sum(range(10**11))\n",
  "engine calls": "while True:\n    x + 1\n",
} as const;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The process that runs programs, by that of the command. */
function childOf(pid: number): number {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe.each(Object.entries(LOOPS))("a program in %s", (_, loop) => {
  const cwd = folderWith({ "program.py": `${GIB}print("on", flush=True)\n${loop}` });

  it.each(Object.entries(SIGNALS))("reports after %s and ends with %d", async (signal, status) => {
    const { code, out } = await vramscope(["run", "--passes", "all", "program.py"], {
      cwd,
      onFirstOutput: (kill) => kill(signal as NodeJS.Signals),
    });
    expect(code).toBe(status);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(/stopped at line \d+ of program\.py( or after it)?: interrupted/);
    expect(out).toContain("1.00 GiB at the end");
  });

  it("reports after the system killed its process", async () => {
    const { code, out, err } = await vramscope(["run", "--passes", "all", "program.py"], {
      cwd,
      // what was recorded goes to the parent some times in a second
      onFirstOutput: (_, pid) => setTimeout(() => process.kill(childOf(pid), "SIGKILL"), 1000),
    });
    expect(code).toBe(3);
    expect(err).toContain("ended by SIGKILL");
    expect(out.replaceAll(/\s+/g, " ")).toMatch(
      /stopped at line \d+ of program\.py( or after it)?: this machine ended/,
    );
    // what a line makes may be there
    expect(out).toMatch(/[12]\.00 GiB at the end/);
  });

  it("reports after its time limit", async () => {
    const { code, out } = await vramscope(["run", "--passes", "all", "--timeout", "1", "program.py"], { cwd });
    expect(code).toBe(3);
    expect(out).toContain("time limit");
    expect(out).toContain("1.00 GiB at the end");
  });
});

describe("a reader that stands still", () => {
  it.each(Object.entries(SIGNALS))("does not keep a run from ending after %s with %d", async (signal, status) => {
    const cwd = folderWith({ "program.py": 'while True:\n    print("y" * 1000)\n' });
    const child = spawn(process.execPath, [CLI, "run", "program.py"], { cwd, stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "readable");
    // the pipe is full soon, and nobody takes anything out
    await sleep(1500);
    child.kill(signal as NodeJS.Signals);
    const [code] = (await once(child, "exit")) as [number];
    child.stdout.destroy();
    expect(code).toBe(status);
  });
});

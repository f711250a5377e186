/** The clock of a program and what goes by it: timers that send signals, event loops, stamps of files. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

async function printed(source: string): Promise<readonly string[]> {
  const result = await vramscope.run({ script: "p.py", source });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  return result.stdout.trim().split("\n");
}

describe("a program's clock", () => {
  it("sends signals when timers are due, in a sleep and in a loop", async () => {
    // what CPython on Linux prints
    const program = `
import signal, time
class Late(Exception): pass
def late(number, frame): raise Late(number)
signal.signal(signal.SIGALRM, late)
print(signal.alarm(5), 4 < signal.getitimer(signal.ITIMER_REAL)[0] <= 5)
t = time.monotonic()
try: time.sleep(60)
except Late as e: print(round(time.monotonic() - t), e)
t = time.monotonic()
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    while True: pass
except Late: print(time.monotonic() - t >= 0.2)
ticks = []
signal.signal(signal.SIGALRM, lambda *_: ticks.append(round(time.monotonic() - t)))
t = time.monotonic()
signal.setitimer(signal.ITIMER_REAL, 1, 2)
time.sleep(8)
print(ticks, signal.setitimer(signal.ITIMER_REAL, 0)[1])
time.sleep(10)
print(len(ticks), signal.getitimer(signal.ITIMER_REAL))
signal.alarm(100)
print(signal.alarm(0))
used = []
signal.signal(signal.SIGPROF, lambda *_: used.append(1))
signal.setitimer(signal.ITIMER_PROF, 0.02, 0.02)
while len(used) < 3: pass
signal.setitimer(signal.ITIMER_PROF, 0)
for words in ((signal.ITIMER_REAL, -1), (7, 1)):
    try: signal.setitimer(*words)
    except signal.ItimerError as e: print(e)
`;
    expect(await printed(program)).toEqual([
      "0 True",
      "5 14",
      "True",
      "[1, 3, 5, 7] 2.0",
      "4 (0.0, 0.0)",
      "100",
      "[Errno 22] Invalid argument",
      "[Errno 22] Invalid argument",
    ]);
  });

  it("ends a program that has no handler for its alarm", async () => {
    const { status, exitStatus } = await vramscope.run({
      script: "p.py",
      source: "import signal\nsignal.alarm(1)\nwhile True: pass\n",
      passes: "all",
    });
    expect([status, exitStatus]).toEqual(["system_exit", 142]);
  });

  it("is that of event loops and of the files it writes", async () => {
    const program = `
import asyncio, os, time
t = time.time()
asyncio.run(asyncio.sleep(3000))
print(3000 <= time.time() - t < 3060)
time.sleep(10**6)
open("x", "w").write("a")
os.mkdir("d")
os.utime("x")
print(all(abs(time.time() - os.path.getmtime(name)) < 60 for name in ("x", "d")))
`;
    expect(await printed(program)).toEqual(["True", "True"]);
  });
});

describe("a program's modules and streams", () => {
  it("can be taken out of sys.modules and imported again", async () => {
    const names =
      "torch.nn.functional torch.distributions torch.nn torch torchvision.ops numpy.fft numpy einops tqdm einx six";
    const program = `
import importlib, sys
for name in "${names}".split():
    importlib.import_module(name)
    del sys.modules[name]
    print(name, importlib.import_module(name).__name__ == name)
import torch, torch.nn.functional as F
print(importlib.reload(F).relu(torch.ones(2, device="cuda")).shape)
`;
    expect(await printed(program)).toEqual([...names.split(" ").map((name) => `${name} True`), "torch.Size([2])"]);
  });

  it("are those of CPython, and print a long text in pieces", async () => {
    const program = `
import io, sys
print(repr(sys.stdout), type(sys.stdout), sys.stdout is sys.__stdout__, isinstance(sys.stderr, io.TextIOWrapper))
try: sys.stdout.write(b"x")
except TypeError as e: print(e)
text = "é" * (3 * 2**20) + "!"
print(sys.stdout.write(text) == len(text))
`;
    const [shown, refused, long] = await printed(program);
    expect(shown).toBe(
      "<_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'> <class '_io.TextIOWrapper'> True True",
    );
    expect(refused).toBe("write() argument must be str, not bytes");
    expect([long!.length, long!.slice(-6)]).toEqual([3 * 2 ** 20 + 5, "é!True"]);
  });
});

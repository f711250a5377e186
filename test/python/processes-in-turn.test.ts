/** Processes that answer by pipes and queues run in turn. Expected lines are what Python on Linux prints for the same program. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

it("goes on with a process where somebody waits for it", async () => {
  const source = `
import multiprocessing as mp
from multiprocessing import Pipe, Process, Queue
def worker(remote, parent, make):
    parent.close()
    env = make()
    while True:
        command, data = remote.recv()
        if command == "step":
            remote.send(env + data)
        elif command == "close":
            remote.close()
            break
pairs = [Pipe() for _ in range(3)]
remotes, works = zip(*pairs)
ps = [Process(target=worker, args=(w, r, lambda i=i: i * 10), daemon=True) for i, (w, r) in enumerate(zip(works, remotes))]
for p in ps: p.start()
for w in works: w.close()
for step in range(2):
    for r in remotes: r.send(("step", step))
    print([r.recv() for r in remotes])
for r in remotes: r.send(("close", None))
for p in ps: p.join()
print([p.exitcode for p in ps], [p.is_alive() for p in ps])
tasks, results = Queue(), Queue()
def double(tasks, results):
    while True:
        task = tasks.get()
        if task is None: break
        results.put(task * 2)
w = mp.Process(target=double, args=(tasks, results)); w.start()
for i in range(3): tasks.put(i)
tasks.put(None)
print([results.get() for _ in range(3)]); w.join(); print(w.exitcode)
class Env(mp.Process):
    def __init__(self, conn):
        super().__init__()
        self.conn = conn
    def run(self):
        while self.conn.recv() != "stop": self.conn.send("again")
a, b = Pipe(); e = Env(b); e.start(); a.send("x"); print(a.recv(), e.is_alive()); a.send("stop"); e.join(); print(e.exitcode)
def bad(conn):
    conn.recv()
    raise ValueError("no")
a, b = Pipe(); p = Process(target=bad, args=(b,)); p.start(); a.send(1); p.join(); print(p.exitcode)
tasks.close(); tasks.join_thread(); results.cancel_join_thread()
`;
  const { stdout, stderr, errorText } = await vramscope.run({ script: "p.py", source });
  expect(errorText).toBeNull();
  expect(stdout.trim().split("\n")).toEqual([
    "[0, 10, 20]",
    "[1, 11, 21]",
    "[0, 0, 0] [False, False, False]",
    "[0, 2, 4]",
    "0",
    "again True",
    "0",
    "1",
  ]);
  expect(stderr).toContain("ValueError: no");
});

/** Loops whose end a branch within them tells, lists that are made by calls, and loops that hand on what others yield. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { START } from "./loop-start.ts";

async function output(program: string): Promise<[string, readonly string[]]> {
  const result = await vramscope.run({ script: "p.py", source: START + program, passes: "auto" });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  return [result.stdout, result.trace.assumptions.map(({ code }) => code).filter((code) => code.startsWith("loop_"))];
}

describe("a loop that is left", () => {
  it("has lists as long as the passes up to the branch that ends it make them, though its items have no end", async () => {
    const [out, said] = await output(`
def endless():
    while True: yield 1
seen, n = [], 0
for item in endless():
    step()
    seen.append(n)
    n += 1
    if n == 300:
        break
print(len(seen))
def collect(last):
    kept, n = [], 0
    while True:
        kept.append(n)
        step()
        n += 1
        if n >= last:
            return kept
print(len(collect(4000)))
`);
    expect(out).toBe("300\n4000\n");
    expect(said).toContain("loop_filled");
  });

  it("has lists as long as they would be where a later pass is gone to", async () => {
    const [out] = await output(`
rows, sizes = [], []
for n in range(1, 1001):
    step()
    rows.append(torch.ones(4, device="cuda"))
    if n % 250 == 0:
        sizes.append(tuple(torch.stack(rows).shape))
        rows = []
print(sizes[0])
`);
    expect(out).toBe("(250, 4)\n");
  });

  it("has lists as long that a list is added to, in place or anew", async () => {
    const [out, said] = await output(`
model.requires_grad_(False)
def forward(count):
    kept, returns, total = [], [], 0.0
    for n in range(count):
        kept += [model(torch.ones(8, 64, device="cuda"))]
        returns = [n] + returns
        total += 1.0
    return torch.cat(kept).shape[0], len(returns)
for n in range(400): step() if n < 0 else model(torch.ones(8, 64, device="cuda"))
print(forward(30_000))
`);
    expect(out).toBe("(240000, 30000)\n");
    expect(said).toContain("loop_filled");
  });

  it("makes a list by calls of a function of the program", async () => {
    const program = `
def run(n):
    for _ in range(4): step()
    return n
print(len([run(n) for n in range(500)]))
kept = [nn.Linear(8, 8) for n in range(200)]
def made(n): return torch.ones(1024, device="cuda")
print(len([made(n) for n in range(300)]), len({id(one) for one in [made(n) for n in range(300)]}))
`;
    const [out, said] = await output(program);
    expect(out).toBe("500\n300 300\n");
    expect(said.filter((code) => code === "loop_filled")).toHaveLength(1);
  });

  it("waits for no step behind a test whether an object that nothing in it assigns is None", async () => {
    const [out, said] = await output(`
def train(scaler):
    n = 0
    for i in range(3000):
        if scaler is None:
            step()
            optimizer.step()
        else:
            step()
        n += 1
    return n
print(train(torch.amp.GradScaler()) < 300)
`);
    expect(out).toBe("True\n");
    expect(said).toContain("loop_repeats");
  });

  it("samples on the host alone, in as many calls each time", async () => {
    const [out, said] = await output(`
image, seen = torch.zeros(1, 8), 0
small = nn.Linear(8, 8)
with torch.no_grad():
    for i in range(3000):
        for _ in range(60):
            image = small(image).relu()
        seen += 1
print(seen < 500)
`);
    expect(out).toBe("True\n");
    expect(said).toContain("loop_repeats");
  });

  it("hands on what gives nothing; what gives something runs whole", async () => {
    const [out, said] = await output(`
class Engine:
    stops, passes = False, 0
    def pauses(self):
        if self.stops: yield self
    def train(self, last):
        while True:
            step()
            self.passes += 1
            yield from self.pauses()
            if self.passes == last:
                break
        print("behind", self.passes == last)
ran = list(Engine().train(5000))
def parts():
    for n in range(300):
        step()
        got = yield from [n, n]
print(ran, sum(1 for one in parts()))
def asks():
    for n in range(20): print((yield from answers()))
def answers():
    first = yield 1
    second = yield 2
    return first, second
asking = asks()
print(next(asking), asking.send("a"), asking.send("b"))
`);
    expect(out).toBe("behind False\n[] 600\n('a', 'b')\n1 2 1\n");
    expect(said.length).toBeGreaterThan(0);
  });
});

it("runs to its end where each pass adds the same and few are left, though it ran whole before with fewer", async () => {
  const source = `
import torch
cell = torch.nn.Linear(128, 64, device="cuda")
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
def step(length):
    x, h, kept = torch.zeros(32, length, 64, device="cuda"), torch.zeros(32, 64, device="cuda"), []
    for i in range(length):
        h = torch.tanh(cell(torch.cat([x[:, i], h], dim=1)))
        kept.append(h)
    torch.stack(kept, 1).sum().backward()
    opt.step(); opt.zero_grad()
for i in range(30): step(16)
torch.cuda.reset_peak_memory_stats()
step(48)
print(torch.cuda.max_memory_allocated())
`;
  const run = await vramscope.run({ script: "p.py", source, passes: "auto", kernelTemporaries: "off" });
  // what PyTorch 2.14 prints
  expect(run.stdout).toBe("19039232\n");
});

/** Loops that end by themselves: figures are those of all passes, lines behind the loop run, and the report says what did not. */

import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/index.ts";
import { message } from "../../src/i18n/index.ts";
import { vramscope } from "../built.ts";
import { START } from "./loop-start.ts";

const { run } = vramscope;

/** The line at which what follows {@link START} begins. */
const FIRST = START.split("\n").length;

interface Left {
  readonly out: string;
  readonly peak: number;
  readonly end: number;
  readonly said: readonly string[];
}

async function loops(program: string, passes: "auto" | "all" | number = "auto"): Promise<Left> {
  const result = await run({ script: "p.py", source: START + program, passes });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  const said = result.trace.assumptions
    .filter(({ code }) => code.startsWith("loop_"))
    .map(({ code, args, frame }) => `${result.trace.frames[frame]!.line}: ${message("en", code as "loop_cut", args)}`);
  return { out: result.stdout, peak: result.stats.peakReservedBytes, end: result.stats.allocatedBytes, said };
}

const line = (offset: number): number => FIRST + offset;

describe("a loop whose passes repeat", () => {
  it("is left, with the figures of all passes, and what follows runs", async () => {
    const program = `for i in range(400):\n    step()\nelse:\n    print("else", i < 399)\nprint("behind")\n`;
    const auto = await loops(program);
    const all = await loops(program, "all");
    expect([auto.peak, auto.end]).toEqual([all.peak, all.end]);
    expect([all.out, all.said]).toEqual(["else False\nbehind\n", []]);
    expect(auto.out).toBe("else True\nbehind\n");
    expect(auto.said).toEqual([
      expect.stringMatching(new RegExp(`^${line(0)}: loop: passes \\d+ to 400 are like pass \\d+, and did not run`)),
    ]);
  });

  it("is left where a `while` within it ends and begins anew in each pass", async () => {
    const { out, said } = await loops(`
total = 0
for i in range(900):
    n = 0
    while n < 12:
        n += 1
        step()
    total += 1
print(total < 900)
`);
    expect(out).toBe("True\n");
    expect(said).toContainEqual(
      expect.stringMatching(new RegExp(`^${line(2)}: loop: passes \\d+ to 900 are like pass`)),
    );
  });

  it("leaves lists as long as all passes make them", async () => {
    const { out, said } = await loops(`
class Run: pass
run, losses, pairs = Run(), [], []
run.seen = {"steps": []}
class Kept:
    def __init__(self): self.tensors = None
    def add(self, ids, marks):
        self.tensors = (ids, marks) if self.tensors is None else (torch.cat((self.tensors[0], ids)), torch.cat((self.tensors[1], marks)))
kept, found = Kept(), torch.zeros(0, 3)
for i in range(3000):
    step()
    kept.add(torch.zeros(4), torch.zeros(2, 5))
    found = torch.cat([found, torch.zeros(1, 3)])
    losses.append(0.5)
    pairs.extend([1, 2])
    run.seen["steps"].append(i)
    if i % 7 == 0:
        odd = [i]
print(len(losses), len(pairs), pairs[-2:], len(run.seen["steps"]), [list(t.shape) for t in (*kept.tensors, found)])
`);
    expect(out).toBe("3000 6000 [1, 2] 3000 [[12000], [6000, 5], [3000, 3]]\n");
    expect(said.slice(-2)).toEqual(
      ["losses, pairs, run.seen['steps']", "found, kept.tensors"].map(
        (lists) => `${line(9)}: loop: ${lists} got as many items as all passes put there: the last ones again`,
      ),
    );
  });

  it("is not left when it is short, whatever its passes do", async () => {
    const { out, said } = await loops(`for i in range(10):\n    for j in range(10):\n        step()\nprint(i, j)\n`);
    expect([out, said]).toEqual(["9 9\n", []]);
  });

  it("is not left when it works on parts of the model", async () => {
    const program = `for i in range(90): step()\nn = 0\nwith torch.no_grad():\n    for m in model:\n        n += 1\n        m(torch.ones(8, 64, device="cuda"))\nprint(n)\n`;
    expect((await loops(program)).out).toBe("20\n");
  });

  it("runs the passes in which a counter opens a branch", async () => {
    const program = [
      "i = 0",
      "while True:",
      "    step()",
      "    if i % 1000 == 999:",
      "        torch.empty(50_000_000, device='cuda')",
      "        print('evaluated', i)",
      "    i += 1",
      "    if i >= 100_000: break",
      "for k, _ in enumerate(range(30_000)):",
      "    step()",
      "    if k == 29_999:",
      "        print('last')",
      "",
    ].join("\n");
    const { out, peak, said } = await loops(program);
    expect(out).toBe("evaluated 999\nlast\n");
    expect(peak).toBeGreaterThan(200_000_000);
    expect(said).toContain(
      `${line(1)}: loop: pass 1000 ran, too, for lines ${line(4)}-${line(5)}; what lies between was skipped`,
    );
  });

  it("runs such a pass where the branch has counters of its own, which have no value before", async () => {
    const program = [
      "for epoch in range(300):",
      "    for i in range(100): step()",
      "    if (epoch + 1) % 150 == 0:",
      "        seen = 0",
      "        for i in range(50):",
      "            step()",
      "            seen += 1",
      "        print(epoch, seen)",
      "",
    ].join("\n");
    const { out } = await loops(program);
    expect(out).toMatch(/^149 \d+\n(299 \d+\n)?$/);
  });

  it("waits for the optimizer that steps once in several passes", async () => {
    const program = [
      "class Accumulating:",
      "    n = 0",
      "    def run(self):",
      "        self.n += 1",
      "        model(torch.ones(8, 64, device='cuda')).sum().backward()",
      "        if self.n % 48 == 0: optimizer.step(); print('stepped')",
      "a = Accumulating()",
      "for _ in range(200): torch.ones(100, device='cuda').add(1); [torch.ones(1, device='cuda') for _ in range(60)]",
      "while a.n < 10_000: a.run()",
      "",
    ].join("\n");
    expect((await loops(program)).out).toContain("stepped");
  });

  it("counts what data are made of on the host: with many such calls it is left early", async () => {
    const program = (lists: boolean): string =>
      [
        "passes, found = 0, []",
        "for i in range(300):",
        "    passes += 1",
        "    x = torch.stack([torch.as_tensor([1.0, 2.0]) for _ in range(200)]).cuda()",
        lists ? "    found.append(x.cpu())" : "    y = x + 1",
        "print(passes < 150, len(found))",
        "",
      ].join("\n");
    expect((await loops(program(false))).out).toBe("True 0\n");
    expect((await loops(program(true))).out).toBe("True 300\n");
  });

  it("does not wait for a step that no pass takes", async () => {
    const program = [
      "import argparse",
      "args = argparse.Namespace(use_ema=False)",
      "passes = 0",
      "for i in range(2_000):",
      "    passes += 1",
      "    step()",
      "    if args.use_ema:",
      "        ema.step()",
      "print(passes < 100)",
      "",
    ].join("\n");
    expect((await loops(program)).out).toBe("True\n");
    const ofAnObject = program
      .replace("passes = 0", "class Trainer: args = args\nself = Trainer(); self.args = args\npasses = 0")
      .replace("if args.", "if self.args.");
    expect((await loops(ofAnObject)).out).toBe("True\n");
  });

  it("is left where the optimizer steps behind it, also in the first pass of the loop around it", async () => {
    const program = [
      "passes = 0",
      "for epoch in range(11):",
      "    for micro in range(40):",
      "        passes += 1",
      "        model(torch.ones(8, 64, device='cuda')).sum().backward()",
      "    if epoch == 0: print(passes < 40)",
      "    optimizer.step(); optimizer.zero_grad()",
      "",
    ].join("\n");
    const warm = "for _ in range(2000): torch.ones(100, device='cuda').add(1)\n";
    const auto = await loops(warm + program);
    const all = await loops(warm + program, "all");
    expect([auto.out, all.out]).toEqual(["True\n", "False\n"]);
    expect([auto.peak, auto.end]).toEqual([all.peak, all.end]);
  });

  it("runs the pass for which a comparison with its counter comes out otherwise", async () => {
    const program = [
      "def work(large):",
      "    torch.empty(50_000_000 if large else 10, device='cuda')",
      "for i in range(20_000):",
      "    last = i == 19_999",
      "    step()",
      "    work(large=last)",
      "",
    ].join("\n");
    const { peak, said } = await loops(program);
    expect(peak).toBeGreaterThan(200_000_000);
    expect(said).toContain(
      `${line(2)}: loop: pass 20000 ran, too, for lines ${line(3)}; what lies between was skipped`,
    );
  });

  it("names lines that never ran, and whoever asks for a number of passes gets it", async () => {
    const program = `n = 0\nfor i in range(100):\n    n += 1\n    step()\n    if torch.rand(()) > 2:\n        print("never")\nprint(n)\n`;
    const { out, said } = await loops(program, 4);
    expect(out).toBe("4\n");
    expect(said.map((text) => text.slice(0, 40))).toEqual([
      `${line(1)}: loop: left after 4 of 100 passes, as`.slice(0, 40),
      `${line(1)}: loop: lines ${line(5)} never ran; --passes all`.slice(0, 40),
    ]);
  });
});

describe("a loop that trains on the CPU", () => {
  it("is left, too, though chance decides some of its calls", async () => {
    const result = await run({
      script: "p.py",
      source: `
import random, torch
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for episode in range(1_000_000):
    for step in range(300):
        y = model(torch.zeros(4))
        if random.random() < 0.1:
            y.argmax()
    model(torch.zeros(4)).sum().backward()
    optimizer.step()
print("behind")
`,
    });
    expect([result.errorText, result.stdout]).toEqual([null, "behind\n"]);
    expect(result.trace.assumptions.some(({ code }) => code.startsWith("loop_"))).toBe(true);
  });
});

describe("a loop that grows", () => {
  it("and computes no gradients is left sooner, with its list as long as all passes make it", async () => {
    const { out, said } = await loops(`
made = []
with torch.no_grad():
    for i in range(64):
        for _ in range(9):
            for _ in range(9):
                model(torch.ones(8, 64, device="cuda"))
        made.append(torch.ones(1, 1 << 18, device="cuda"))
print(torch.cat(made).shape)
`);
    expect(out).toBe("torch.Size([64, 262144])\n");
    const [grows, kept, filled] = said;
    expect(grows).toMatch(new RegExp(`^${line(3)}: loop: each pass adds 1.00 MiB`));
    expect([kept, filled].join(" ")).toMatch(/kept by made .*made got as many items/);
  });

  const CACHE = `
def work(n):
    if n:
        torch.empty(8, device="cuda")
        work(n - 1)
past = torch.empty(1, 1 << 10, device="cuda")
for i in range(PASSES):
    work(900)
    past = torch.cat([past, torch.empty(1, 1 << 10, device="cuda")])
`;

  it("and asks for more in each pass is run whole, because gaps between its blocks are not even", async () => {
    const program = `${CACHE.replace("PASSES", "24")}print(past.shape[0], torch.cuda.memory_reserved() >> 20)\n`;
    const result = await run({ script: "p.py", source: START + program });
    const whole = await run({ script: "p.py", source: START + program, passes: "all" });
    expect(result.stdout).toBe(whole.stdout);
    expect(vramscope.reportFacts(result).verdict).toBe("fits");
  });

  it("and asks for more in each of too many passes does not say that it fits", async () => {
    const result = await run({ script: "p.py", source: START + CACHE.replace("PASSES", "20_000") });
    expect(vramscope.reportFacts(result).verdict).toBe("tight");
  });

  it("is not called a repetition", async () => {
    const program = `kept = []\nfor i in range(20_000):\n    kept.append(model(torch.ones(8, 64, device="cuda")))\n`;
    const result = await run({ script: "p.py", source: START + program });
    const codes = result.trace.assumptions.map(({ code }) => code);
    expect(codes).not.toContain("loop_repeats");
    expect(codes).toContain("loop_grows_within");
  });

  it("is named with what keeps its memory, and judged by the passes that are left", async () => {
    const program = `losses = []
for i in range(1_000):
    loss = model(torch.ones(8, 64, device="cuda")).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)
`;
    const result = await run({ script: "p.py", source: START + program, gpu: "t4" });
    const said = result.trace.assumptions.filter(({ code }) => code.startsWith("loop_"));
    expect(said.map(({ code }) => code)).toEqual(["loop_grows_within", "loop_kept_by", "loop_filled"]);
    // a scalar takes the allocator's least block
    expect([said[0]!.args["passBytes"], said[0]!.args["total"]]).toEqual([512, 1_000]);
    expect(said[0]!.args["restBytes"]).toBe((1_000 - Number(said[0]!.args["done"])) * 512);
    expect(said[1]!.args["keepers"]).toBe("losses");
    expect(explain(result.trace).map(({ code }) => code)).toContain("grows_each_pass");
  });
});

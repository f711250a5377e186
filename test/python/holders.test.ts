/** Who holds a block: each program keeps a tensor in one way, and the chain names that way. */

import { describe, expect, it } from "vitest";
import { heldBlocks } from "../../src/explain/held-blocks.ts";
import { chainText, deathText } from "../../src/report/holder-words.ts";
import { vramscope } from "../built.ts";

const { run } = vramscope;

/** Tensors are recognised by their size: `kib(n)` has n KiB, and the moment to look at is when one of 1 byte is made. */
const START = `
import gc
import torch
from torch import nn
def kib(n, **more):
    return torch.empty(n * 256, device="cuda", **more)
def now():
    torch.empty(1, dtype=torch.uint8, device="cuda")
`;

interface Held {
  /** Holders, the most telling first. */
  readonly by: readonly string[];
  readonly death: string;
}

/** What holds the tensor of `n` KiB when the program first calls `now()`. */
async function held(program: string, n = 40): Promise<Held> {
  const options = { script: "p.py", source: START + program };
  const first = await run(options);
  expect([first.errorText, first.status]).toEqual([null, "ok"]);
  const event = first.trace.blocks.find((block) => block.requestedBytes === 1)?.allocEvent ?? -1;
  const { trace, holders } = await run({ ...options, holdersAt: event });
  expect(holders?.event).toBe(event);
  const found = heldBlocks(trace, holders ?? null, event, 1000).filter(
    ({ block }) => block.requestedBytes === n * 1024,
  );
  expect(found.length).toBe(1);
  const [{ chains, death }] = found as [(typeof found)[0]];
  return { by: chains.map((chain) => chainText("en", trace, chain)), death: deathText("en", trace, death) };
}
const line = START.split("\n").length;

describe("a Python object", () => {
  it("global", async () => {
    expect((await held("x = kib(40)\nnow()")).by).toEqual(["`x`, a global of p.py"]);
  });

  it("local variable, freed when its function returns", async () => {
    const { by, death } = await held("def f():\n    x = kib(40)\n    now()\nf()");
    expect(by).toEqual([`\`x\` in f (p.py:${line + 2})`]);
    expect(death).toBe(`freed when a function returned to p.py:${line + 3}`);
  });

  it("argument and the caller's variable, both", async () => {
    const { by, death } = await held("def f(a):\n    now()\nx = kib(40)\nf(x)\nx = None");
    expect(by).toEqual([`\`a\` in f (p.py:${line + 1})`, "`x`, a global of p.py"]);
    expect(death).toBe(`freed at p.py:${line + 4}: its holder got another value or was deleted`);
  });

  it("list, dictionary, attribute, slot, tuple, deque", async () => {
    expect((await held("things = [None, (1, kib(40))]\nnow()")).by).toEqual(["`things[1][1]`, a global of p.py"]);
    expect((await held("d = {'a': {3: kib(40)}}\nnow()")).by).toEqual(["`d['a'][3]`, a global of p.py"]);
    const attribute = "class A:\n    pass\na = A()\na.b = A()\na.b.cache = [kib(40)]\nnow()";
    expect((await held(attribute)).by).toEqual(["`a.b.cache[0]`, a global of p.py"]);
    const slot = "class A:\n    __slots__ = ('s',)\na = A()\na.s = kib(40)\nnow()";
    expect((await held(slot)).by).toEqual(["`a.s`, a global of p.py"]);
    expect((await held("from collections import deque\nq = deque([kib(40)])\nnow()")).by).toEqual([
      "`q[0]`, a global of p.py",
    ]);
  });

  it("class attribute, default argument, partial", async () => {
    expect((await held("class A:\n    t = kib(40)\nnow()")).by).toEqual(["`A.t`, a global of p.py"]);
    expect((await held("def f(a=kib(40)):\n    pass\nnow()")).by).toEqual([
      "`f` → default argument `a`, a global of p.py",
    ]);
    expect((await held("from functools import partial\nf = partial(print, kib(40))\nnow()")).by).toEqual([
      "`f` → argument 0, a global of p.py",
    ]);
  });

  it("closure", async () => {
    const program =
      "def make():\n    kept = kib(40)\n    def f():\n        return kept\n    return f\ncallback = make()\nnow()";
    expect((await held(program)).by).toEqual(["`callback` → closure variable `kept`, a global of p.py"]);
  });

  it("generator that waits", async () => {
    const program = "def g():\n    kept = kib(40)\n    yield 1\nit = g()\nnext(it)\nnow()";
    expect((await held(program)).by).toEqual(["`it` → `kept` in the frame of g, a global of p.py"]);
  });

  it("iterator of a built-in kind", async () => {
    expect((await held("m = map(str, [kib(40)])\nnow()")).by[0]).toContain("`m` → inside of map");
  });

  it("frame of an exception that was kept", async () => {
    const program =
      "def f():\n    big = kib(40)\n    raise ValueError\ntry:\n    f()\nexcept ValueError as e:\n    kept = e\nnow()";
    expect((await held(program)).by).toEqual(["`kept.__traceback__` → `big` in the frame of f, a global of p.py"]);
  });

  it("frame of an exception that is being handled", async () => {
    const program = "def f():\n    big = kib(40)\n    raise ValueError\ntry:\n    f()\nexcept ValueError:\n    now()";
    expect((await held(program)).by).toEqual([
      "the exception that is being handled (ValueError) → `__traceback__` → `big` in the frame of f",
    ]);
  });

  it("reference cycle", async () => {
    const program = `gc.disable()
class Node:
    pass
def f():
    node = Node()
    node.me = node
    node.big = kib(40)
f()
now()`;
    expect((await held(program)).by).toEqual([
      "a reference cycle through Node → `big`; only Python's garbage collector ends it",
    ]);
  });

  it("reference cycle of an exception and its frame", async () => {
    const program = `gc.disable()
def f():
    big = kib(40)
    try:
        raise ValueError
    except ValueError as e:
        kept = e
f()
now()`;
    const { by } = await held(program);
    expect(by.length).toBe(1);
    expect(by[0]).toMatch(/^a reference cycle through (frame|ValueError|traceback) → .*`big`/);
  });

  it("value in the middle of an expression", async () => {
    expect((await held("def f():\n    now()\n    return 1\npair = (kib(40), f())")).by).toEqual([
      "a value in the middle of an expression (Tensor)",
    ]);
  });
});

describe("a module, an optimizer, the graph", () => {
  const MODEL = `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(64, 160, bias=False)])
        self.register_buffer("table", torch.zeros(50 * 256))
    def forward(self, x):
        return self.layers[0](x).exp()
net = Net().cuda()
x = torch.randn(48, 64, device="cuda")
`;

  it("parameter, buffer", async () => {
    expect((await held(`${MODEL}now()`)).by).toEqual(["`net.layers[0].weight`, a global of p.py"]);
    expect((await held(`${MODEL}now()`, 50)).by).toEqual(["`net.table`, a global of p.py"]);
  });

  it("saved tensor, with the name in the formula", async () => {
    const { by, death } = await held(`${MODEL}loss = net(x).sum()\nnow()\nloss.backward()`, 30);
    // 48 x 160 results of exp
    expect(by).toEqual([`ExpBackward0.result (p.py:${line + 7}), saved in the graph of \`loss\`, a global of p.py`]);
    expect(death).toBe(`freed when backward had run ExpBackward0 (p.py:${line + 12})`);
  });

  it("gradient", async () => {
    const { by } = await held(
      `${MODEL}net.layers[0].weight.data = kib(44).view(176, 64)
net(x).sum().backward()
net.layers[0].weight.data = kib(40).view(160, 64)
net.table = None
now()`,
      44,
    );
    expect(by).toEqual([".grad of `net.layers[0].weight`, a global of p.py"]);
  });

  it("optimizer state", async () => {
    const { by } = await held(`${MODEL}
optimizer = torch.optim.SGD(net.parameters(), momentum=0.9, lr=0.1)
net(x).sum().backward()
optimizer.step()
optimizer.zero_grad()
w = net.layers[0].weight
w.data = torch.empty(1, device="cuda")
del w, x
now()`);
    expect(by).toEqual(["`optimizer.state[net.layers[0].weight]['momentum_buffer']`, a global of p.py"]);
  });

  it("closure of a hook", async () => {
    const program = `${MODEL}
def make():
    kept = kib(41)
    return lambda grad: grad * kept.sum()
out = net(x)
out.register_hook(make())
now()`;
    expect((await held(program, 41)).by).toEqual([
      "a hook on the graph of `out`, a global of p.py: `make.<locals>.<lambda>` → closure variable `kept`",
    ]);
  });

  it("attribute of a custom function's context", async () => {
    const program = `
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.extra = kib(40)
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        return grad * 2
y = Twice.apply(torch.ones(4, device="cuda", requires_grad=True))
now()`;
    expect((await held(program)).by).toEqual([
      "the context of TwiceBackward, in the graph of `y`, a global of p.py: `ctx.extra`",
    ]);
  });

  it("an argument of the operator that runs, and its result", async () => {
    const options = { script: "p.py", source: `${START}def f():\n    return (kib(40) + 1).sum()\nf()` };
    const first = await run(options);
    const event = first.trace.blocks.filter((block) => block.requestedBytes === 40 * 1024)[1]!.allocEvent;
    const { trace, holders } = await run({ ...options, holdersAt: event });
    const texts = heldBlocks(trace, holders ?? null, event, 2).map(({ chains }) => chainText("en", trace, chains[0]!));
    expect(texts).toEqual(["`self`, an argument of add while it runs", "the running operator, aten::add"]);
  });
});

describe("looking", () => {
  it("changes nothing in the run", async () => {
    const options = { script: "p.py", source: `${START}x = [kib(40) for _ in range(9)]\nnow()\nx = x[0] + 1` };
    const [plain, looked] = [await run(options), await run({ ...options, holdersAt: 5 })];
    expect(vramscope.writeTrace(looked.trace)).toBe(vramscope.writeTrace(plain.trace));
    expect(plain.holders).toBeUndefined();
    expect(looked.holders?.blocks.length).toBe(5);
  });
  it("at an event that never comes finds nothing", async () => {
    expect((await run({ script: "p.py", source: START, holdersAt: 99 })).holders).toBeNull();
  });
});

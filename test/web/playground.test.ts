/** Pure parts of the playground: where a traceback points, words of a command line, sizes that are proposed, the tree of modules. */

import { describe, expect, it } from "vitest";
import { moduleTree } from "../../web/src/explain/module-tree.ts";
import { errorPlace } from "../../web/src/playground/traceback.ts";
import { vramscope } from "../built.ts";

describe("the place of an error", () => {
  it("is the innermost line of the file, with the message alone", async () => {
    const source = "import json\ndef f():\n    json.loads('{')\nf()\n";
    const { errorText } = await vramscope.run({ script: "x/p.py", source });
    expect(errorPlace(errorText, "x/p.py")?.line).toBe(3);
    expect(errorPlace(errorText, "x/p.py")?.text).toMatch(/^json\.decoder\.JSONDecodeError: Expecting/);
    expect(errorPlace(errorText, "other.py")).toBeNull();
    expect(errorPlace(null, "x/p.py")).toBeNull();
  });

  it("is found for text that is no Python", async () => {
    const { errorText } = await vramscope.run({ script: "p.py", source: "a = 1\nb = (\n" });
    expect(errorPlace(errorText, "p.py")).toMatchObject({ line: 2, text: expect.stringContaining("SyntaxError") });
  });

  it("keeps every line of a long message", async () => {
    const source = "raise ValueError('one\\n  two\\nthree')\n";
    const { errorText } = await vramscope.run({ script: "p.py", source });
    expect(errorPlace(errorText, "p.py")).toEqual({ line: 1, text: "ValueError: one\n  two\nthree" });
  });
});

describe("the tree of modules", () => {
  it("sums what lies inside", async () => {
    const source = `import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(256, 256)
        self.b = nn.Sequential(nn.Linear(256, 512), nn.ReLU())
    def forward(self, x):
        return self.b(self.a(x))
net = Net().cuda()
y = net(torch.ones(64, 256, device="cuda"))
`;
    const { trace } = await vramscope.run({ script: "p.py", source });
    const event = trace.events.kind.length - 1;
    const [root] = moduleTree(trace, event);
    const alive = trace.blocks.filter(({ freeEvent, module }) => freeEvent === -1 && module >= 0);
    expect(root?.name).toBe("Net");
    expect(root?.bytes).toBe(alive.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(root?.children.map(({ name }) => name)).toEqual(["a", "b"]);
    const [a, b] = root!.children;
    const under = (path: string): number =>
      alive
        .filter(({ module }) => `${trace.modules[module]}.`.startsWith(`${path}.`))
        .reduce((sum, { bytes }) => sum + bytes, 0);
    expect([a?.bytes, b?.bytes]).toEqual([under("Net.a"), under("Net.b")]);
  });
});

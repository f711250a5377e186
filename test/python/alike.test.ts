/** Programs that print the same here and in the real packages: NumPy 2.4.6, OpenCV 4.12, scikit-image 0.26, tokenizers 0.23 and PyTorch 2.14 wrote what is expected. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

const folder = new URL("alike/", import.meta.url);
const programs = readdirSync(folder).filter((name) => name.endsWith(".py"));

for (const script of programs)
  it(`${script} prints what it prints there`, async () => {
    const source = readFileSync(new URL(script, folder), "utf8");
    const result = await vramscope.run({ script, source });
    expect(result.errorText).toBe(null);
    expect(result.stdout).toBe(readFileSync(new URL(script.replace(".py", ".expected"), folder), "utf8"));
  });

it("knows what extensions compiled at run time make, and says so", async () => {
  const source = [
    "import torch",
    "from torch.utils.cpp_extension import load",
    "x = torch.randn(2, 8, 16, 16, device='cuda')",
    "print(load('fused', sources=[]).fused_bias_act(x, x, x, 3, 0, 0.2, 1.0).shape)",
    "filtered = load('upfirdn2d', sources=[]).upfirdn2d",
    "print(filtered(x.reshape(-1, 16, 16, 1), torch.ones(4, 4, device='cuda'), 2, 2, 1, 1, 2, 1, 2, 1).shape)",
  ].join("\n");
  const result = await vramscope.run({ script: "p.py", source });
  expect(result.stdout).toBe("torch.Size([2, 8, 16, 16])\ntorch.Size([16, 32, 32, 1])\n");
  expect(result.trace.assumptions.map(({ code }) => code)).toContain("extension_by_sources");
});

it("runs kernels of an unknown extension whose result nobody takes, and says so", async () => {
  const start = [
    "import torch",
    "from torch.utils.cpp_extension import load",
    "load(name='wkv', sources=[], is_python_module=False)",
    "x, y = (torch.randn(8, 16, device='cuda') for _ in range(2))",
    "torch.ops.wkv.forward(8, 16, x, y)",
    "load(name='more', sources=[]).run(x, y)",
    "try:",
    "    with torch.no_grad(): load(name='other', sources=[])",
    "except RuntimeError: print('falls back')",
  ];
  const result = await vramscope.run({ script: "p.py", source: start.join("\n") });
  expect([result.errorText, result.stdout]).toEqual([null, "falls back\n"]);
  expect(result.trace.assumptions.map(({ code }) => code)).toContain("extension_writes");
  const taken = await vramscope.run({ script: "p.py", source: [...start, "z = torch.ops.wkv.forward(x)"].join("\n") });
  expect(taken.errorText).toContain("'wkv' is compiled code");
});

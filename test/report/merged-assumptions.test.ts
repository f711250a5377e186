/** What a program assumes at one line is said once, whatever way leads there. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith, vramscope as command } from "../helpers.ts";

it("is counted together, and apart from other lines and words", async () => {
  const folder = folderWith({
    "p.py": `import torch
x = torch.randn(3, device="cuda").square().sum()
def read(): return x.item()
def other(): return read()
a = read(), read()
b = other()
c = x.item()
`,
  });
  const { out } = await command(["run", "--json", "p.py"], { cwd: folder });
  const report = JSON.parse(out) as { assumptions: { code: string; count: number; place: { line: number } }[] };
  const read = report.assumptions.filter(({ code }) => code === "unknown_value");
  expect(read.map(({ count, place }) => [place.line, count])).toEqual([
    [3, 3],
    [7, 1],
  ]);
  const { trace } = await vramscope.run({ script: `${folder}/p.py` });
  expect(trace.assumptions.length).toBeGreaterThan(report.assumptions.length);
});

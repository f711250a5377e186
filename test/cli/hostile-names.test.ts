/** Names that a program chose, in everything that a run of it writes: escaped, whichever way they came from its thread. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith, vramscope } from "../helpers.ts";

const PROGRAM = String.raw`
import torch
EVIL = "\x1b]0;TITLE\x07\x1b[31mRED\x9b31m\u202egpj\r\n::error::injected"
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("a" + EVIL.replace(".", ""), torch.nn.Linear(512, 512))
    def forward(self, x):
        return next(self.children())(x).relu()
Net.__name__ = Net.__qualname__ = "Net" + EVIL
net = Net().cuda()
names = {}
exec(compile("def f(x):\n    return x @ x\n", "file" + EVIL + ".py", "exec"), names)
f = names["f"]
f.__code__ = f.__code__.replace(co_name="f" + EVIL, co_qualname="f" + EVIL)
x = torch.randn(512, 512, device="cuda", requires_grad=True)
kept = f(net(x))
kept.sum().backward()
`;
/** What a terminal, an editor or a log of CI takes as an order. */
// oxlint-disable-next-line no-control-regex -- they are looked for
const ORDERS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|^::error/m;
const FILES = ["graph=g.dot", "html=r.html", "csv-lines=l.csv", "csv-blocks=b.csv", "folded=f.txt"];

it("shows names as text in the report and in each file", async () => {
  const cwd = folderWith({ "program.py": PROGRAM });
  const exports = FILES.flatMap((file) => ["--export", file]);
  const words = ["run", ...exports, "--markdown", "m.md", "-o", "t.json", "program.py"];
  const { code, out, err } = await vramscope(words, { cwd });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("RED");
  expect(out).not.toMatch(ORDERS);
  for (const file of [...FILES.map((name) => name.split("=")[1]!), "m.md", "t.json"]) {
    // lines of CSV end like that
    const text = readFileSync(join(cwd, file), "utf8").replaceAll("\r\n", "\n");
    expect([file, ORDERS.exec(text)?.[0]]).toEqual([file, undefined]);
  }
});

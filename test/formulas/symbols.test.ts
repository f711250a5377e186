/** Symbols: how a user names sizes of a program, what is told when that does not work, and that runs do not disturb each other. */

import { describe, expect, it } from "vitest";
import { vramscope as cli } from "../helpers.ts";
import { folderWith } from "../helpers.ts";
import { join } from "node:path";
import { vramscope } from "../built.ts";

const { DiagnosticError, formatFormula, run } = vramscope;

const HEAD = "import torch\nzeros = lambda *sizes, **k: torch.zeros(*sizes, device='cuda', **k)\n";

/** Bytes at the peak, or the code of what is wrong. */
async function peakOf(source: string, symbols: string, argv: string[] = []): Promise<string> {
  try {
    const { formulas } = await run({ script: "p.py", source: HEAD + source, symbols: [symbols], argv });
    const names = formulas!.symbols.map(({ name }) => name);
    for (const check of formulas!.checks) expect(check.peakBytes).toBe(check.formulaBytes + check.apartBytes);
    return formatFormula(formulas!.peak[0]!.formula.bytes, { symbols: names });
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostic.code;
    throw error;
  }
}

describe("a symbol is", () => {
  it.each([
    ["a variable", "B = 4\nL: int = 100\nx = zeros(B, L)", "B,L", "4*B*L"],
    ["a product of numbers", "L = 4 * 25\nx = zeros(L)", "L", "4*L"],
    ["one of several variables", "B, L = 4, 100\nx = zeros(B, L)", "B,L", "4*B*L"],
    [
      "a parameter",
      "def f(width=48, *, depth=3):\n    return zeros(width, depth)\nx = f()",
      "W=width,D=depth",
      "4*W*D",
    ],
    ["a keyword", "x = dict(rows=7)\ny = zeros(x['rows'], 5)", "R=rows", "20*R"],
    ["an entry", "cfg = {'rows': 7}\ny = zeros(cfg['rows'], 5)", "R=rows", "20*R"],
    [
      "a field",
      "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    n: int = 9\n    m: int = field(default=11)\nc = C()\ny = zeros(c.n, c.m)",
      "N=cfg.n,M=c.m",
      "4*N*M",
    ],
    ["an attribute", "class C: pass\nc = C()\nc.n = 9\ny = zeros(c.n)", "N=c.n", "4*N"],
    ["a number, wherever it stands", "x = zeros(600)\ny = zeros(600, 2)\nz = zeros(3)", "N=600", "12 + 12*N"],
    ["a number on a line", "x = zeros(600)\ny = zeros(600, 2)", "N=600@4", "2400 + 8*N"],
    ["a name for what is computed from a number", "x = zeros(600, 6)\nn, k = x.shape\ny = zeros(n)", "N=n", "28*N"],
    [
      "a size that is written twice",
      "def f(width=48):\n    return width\nx = zeros(f(), 2) + zeros(48, 2)",
      "W=width",
      "24*W",
    ],
  ])("%s", async (_, source, symbols, formula) => expect(await peakOf(source, symbols)).toBe(formula));

  it("an option, by its default or as typed", async () => {
    const source = `
import argparse
p = argparse.ArgumentParser()
p.add_argument("-b", "--batch-size", type=int, default=6)
p.add_argument("--length", type=int, default=50, dest="tokens")
a = p.parse_args()
x = zeros(a.batch_size, a.tokens)
`;
    expect(await peakOf(source, "B=batch_size,T=tokens")).toBe("4*B*T");
    expect(await peakOf(source, "B=batch_size", ["--batch-size", "3"])).toBe("200*B");
    expect(await peakOf(source, "B=b", ["-b", "3", "--length=7"])).toBe("28*B");
  });

  it("in a module beside the script", async () => {
    const folder = folderWith({
      "main.py": `${HEAD}import sizes\nx = zeros(sizes.ROWS, sizes.width())\n`,
      "sizes.py": "ROWS = 30\ndef width(columns=4):\n    return 2 * columns\n",
      "other.py": "ROWS = 31\n",
    });
    const { formulas } = await run({ script: join(folder, "main.py"), symbols: ["R=ROWS", "C=columns"] });
    expect(formatFormula(formulas!.peak[0]!.formula.bytes, { symbols: ["R", "C"] })).toBe("8*R*C");
    expect(formulas!.symbols[0]!.places).toEqual([{ file: join(folder, "sizes.py"), line: 1, text: "30" }]);
  });
});

describe("it survives", () => {
  it.each([
    [
      "arithmetic of Python",
      "C = 96\nH = 8\nassert C % H == 0\nq = zeros(H, C // H, 3 * C)\nw = zeros(C ** 2, dtype=torch.int8)",
      "C,H",
      "13*C*C",
    ],
    ["a quotient", "C = 960\nH = 8\nassert C % H == 0\nw = zeros(C // H, 5)", "C,H", "20*C/H"],
    ["a quotient rounded down", "C = 960\nH = 8\nw = zeros(C // H, 5)", "C,H", "20*floor(C/H)"],
    ["rounding", "L = 100\nw = zeros((L + 31) // 32 * 32)", "L", "128*ceil(L/32)"],
    ["loops", "L = 60\nw = [zeros(i + 1) for i in range(L)]", "L", "2*L + 2*L*L"],
    [
      "recursion and closures",
      "N = 5\ndef f(n):\n    return [zeros(N)] + (f(n - 1) if n > 1 else [])\nw = f(N)",
      "N",
      "4*N*N",
    ],
  ])("%s", async (_, source, symbols, formula) => expect(await peakOf(source, symbols)).toBe(formula));
});

describe("what is wrong is told", () => {
  it.each([
    ["L = 5\nx = zeros(L)", "B", "symbol_not_found"],
    ["L = 5\nx = zeros(L)", "batch", "symbol_not_found"],
    ["length = 5\nx = zeros(length)", "lenght", "symbol_not_found_nearest"],
    ["B = 4\nx = zeros(B)\nB = 6\ny = zeros(B)", "B", "symbol_several"],
    ["for n in range(1, 5):\n    x = zeros(n)", "N=n", "symbol_values"],
    ["n = int('12')\nx = zeros(n)", "N=n", "symbol_computed"],
    ["x = zeros(8, 8)\na, b = x.shape", "A=a,B=b", "symbol_shared"],
    ["w = torch.nn.Linear(512, 1536).cuda()\ny = w(zeros(3, 512)).view(3, 3, 512)", "C=512", "formula_sizes_fail"],
    ["L = 64\nx = zeros(L)\nif str(L) == '64': y = zeros(3)", "L", "formula_other_path"],
    ["import os\nL = 64\nx = zeros(L + int.from_bytes(os.urandom(3), 'big'))", "L", "formula_not_repeatable"],
    ["L = 64\nx = zeros(L)", "L,L=64", "symbol_twice"],
    ["L = 64\nx = zeros(L)", "L=", "bad_symbol"],
    ["L = 64\nx = zeros(L)", "L=a b", "bad_symbol"],
    ["L = 64\nx = zeros(L)", "ceil=L", "bad_symbol"],
  ])("%j with %s: %s", async (source, symbols, code) => expect(await peakOf(source, symbols)).toBe(code));

  it("but a program that fails says so itself", async () => {
    const result = await run({ script: "p.py", source: `${HEAD}B = 4\nx = zeros(B)\nnonsense`, symbols: ["B"] });
    expect(result.status).toBe("python_error");
    expect(result.formulas).toBeUndefined();
  });
});

it("a program that does not fit has formulas, of what it would need", async () => {
  const source = `${HEAD}N = 200_000\nx = zeros(N, N)\ny = x + 1\n`;
  const result = await run({ script: "p.py", source, gpu: "t4", symbols: ["N"] });
  expect(result.status).toBe("out_of_memory");
  expect(formatFormula(result.formulas!.peak[0]!.formula.bytes)).toBe("8*N*N");
});

it("nothing that a run leaves behind reaches the next one", async () => {
  const source = `
import os, random, sys, torch.nn as nn
N = 40
assert not os.path.exists("seen") and not hasattr(nn, "mark") and "left" not in sys.modules
assert torch.get_default_dtype() is torch.float32 and not hasattr(nn.Linear, "counter")
open("seen", "w").write("x")
nn.mark = 1
nn.Linear.counter = 1
nn.Linear.forward = lambda self, x: zeros(x.shape[0])
sys.modules["left"] = sys
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
random.seed(1)
kept = sys.keep = zeros(N, dtype=torch.float16)
y = nn.Linear(N, N).cuda()(kept)
`;
  expect(await peakOf(source, "N")).toBe("18*N + 8*N*N");
});

it("the command line prints formulas, as text in two languages and as JSON", async () => {
  const folder = folderWith({
    "p.py": `${HEAD}B = 4\nL = 100\nx = zeros(B, L, requires_grad=True)\ny = (x.exp() * 2).sum()\n`,
  });
  const text = await cli(["run", "--symbols", "B,L", "--report", "none", "p.py"], { cwd: folder });
  expect(text.code).toBe(0);
  expect(text.out).toContain("Formulas in B=4, L=100\n  B is 4 at p.py:3");
  expect(text.out).toContain("float32 elements");
  const chinese = await cli(["run", "--lang", "zh", "--symbols", "B,L", "--report", "none", "p.py"], { cwd: folder });
  expect(chinese.out).toContain("以 B=4, L=100 表示的公式");
  const { out } = await cli(["run", "--symbols", "B", "--symbols", "L", "--json", "p.py"], { cwd: folder });
  const { formulas } = JSON.parse(out) as { formulas: { saved: unknown; runs: number; checks: unknown[] } };
  expect(formulas.saved).toMatchObject({ formula: { bytes: "4*B*L", elements: { float32: "B*L" } } });
  expect(formulas.checks.length).toBe(5);
  const wrong = await cli(["run", "--symbols", "Q", "p.py"], { cwd: folder });
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain("'Q'");
}, 180_000);

/** Findings about programs: each with one that has it, whose bytes follow from its shapes, and ones that have not. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { findingPage } from "../../src/cli/finding-pages.ts";
import { explain, FINDING_CODES, type FindingCode } from "../../src/explain/index.ts";
import { heldFindings } from "../../src/explain/held-by.ts";
import { isMessageCode } from "../../src/i18n/index.ts";
import { findingText } from "../../src/report/words.ts";
import { vramscope } from "../built.ts";
import { ROOT } from "../helpers.ts";

const { run } = vramscope;
const START = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\ncuda = torch.device('cuda')\n";

async function found(program: string) {
  const { trace, status, errorText } = await run({ script: "p.py", source: START + program });
  expect([errorText, status]).toEqual([null, "ok"]);
  return explain(trace);
}

interface Case {
  readonly code: FindingCode;
  readonly has: string;
  readonly totalBytes: number;
  readonly line?: number;
  readonly hasNot: readonly string[];
}

const CROSS_ENTROPY = (classes: number) => `
hidden = torch.randn(2048, 64, device=cuda, requires_grad=True)
weight = torch.randn(${classes}, 64, device=cuda, requires_grad=True)
logits = hidden @ weight.t()
loss = F.cross_entropy(logits, torch.zeros(2048, dtype=torch.long, device=cuda))
loss.backward()
`;

const NORM = (norm: string) => `
class RMSNorm(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(c))
    def forward(self, x):
        h = x.to(torch.float32)
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * h.to(x.dtype)
net = nn.Sequential(nn.Linear(1024, 1024), ${norm}, nn.Linear(1024, 1024)).to(cuda, torch.bfloat16)
net(torch.randn(4096, 1024, device=cuda, dtype=torch.bfloat16)).sum().backward()
`;

const ATTENTION = (attend: string) => `
q, k, v = (torch.randn(8, 8, 512, 64, device=cuda) for _ in range(3))
causal = torch.ones(512, 512, dtype=torch.bool, device=cuda).triu(1)
with torch.no_grad():
    ${attend}
`;

const TRAINING = (clear: string, steps = 1) => `
model = nn.Sequential(nn.Linear(2048, 2048, bias=False), nn.ReLU(), nn.Linear(2048, 2048, bias=False)).to(cuda)
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(3):
    for _ in range(${steps}):
        model(torch.randn(16, 2048, device=cuda)).sum().backward()
    optimizer.step()
    ${clear}
`;

const EVALUATION = (body: string) => `
model = nn.Sequential(nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 1024)).to(cuda)
def loss_of():
    return model(torch.randn(512, 1024, device=cuda)).square().mean()
${body}
`;

const STEP = (options: string) => `
parameters = [nn.Parameter(torch.zeros(2048, 2048, device=cuda)) for _ in range(4)]
for p in parameters:
    p.grad = torch.zeros_like(p)
torch.optim.AdamW(parameters${options}).step()
`;

const CASES: readonly Case[] = [
  {
    code: "float32_logits",
    // logits, their log_softmax, and in backward the gradients of both
    has: CROSS_ENTROPY(8192),
    totalBytes: 4 * 2048 * 8192 * 4,
    line: 8,
    hasNot: [CROSS_ENTROPY(10)],
  },
  {
    code: "float32_norm",
    has: NORM("RMSNorm(1024)"),
    totalBytes: 4096 * 1024 * 4,
    line: 11,
    hasNot: [NORM("nn.LayerNorm(1024)"), NORM("nn.ReLU()")],
  },
  {
    code: "attention_scores",
    // scaled scores and their softmax
    has: ATTENTION("y = ((q @ k.transpose(-2, -1)) / 8).softmax(-1) @ v"),
    totalBytes: 2 * 8 * 8 * 512 * 512 * 4,
    hasNot: [
      ATTENTION("y = F.scaled_dot_product_attention(q, k, v)"),
      ATTENTION("y = torch.randn(8, 8, 512, 512, device=cuda).softmax(1)"),
    ],
  },
  {
    code: "full_mask",
    has: ATTENTION("y = (q @ k.transpose(-2, -1)).masked_fill(causal.repeat(8, 8, 1, 1), -1e9).softmax(-1) @ v"),
    totalBytes: 8 * 8 * 512 * 512,
    hasNot: [ATTENTION("y = (q @ k.transpose(-2, -1)).masked_fill(causal, -1e9).softmax(-1) @ v")],
  },
  {
    code: "autocast_weights",
    has: `
model = nn.Sequential(*[nn.Linear(2048, 2048, bias=False) for _ in range(4)]).to(cuda)
with torch.autocast("cuda", dtype=torch.bfloat16):
    model(torch.randn(16, 2048, device=cuda)).sum().backward()
`,
    totalBytes: 4 * 2048 * 2048 * 2,
    hasNot: [
      `
model = nn.Sequential(*[nn.Linear(2048, 2048, bias=False) for _ in range(4)]).to(cuda, torch.bfloat16)
model(torch.randn(16, 2048, device=cuda, dtype=torch.bfloat16)).sum().backward()
`,
    ],
  },
  {
    code: "kept_gradients",
    has: TRAINING("optimizer.zero_grad(set_to_none=False)"),
    totalBytes: 2 * 2048 * 2048 * 4,
    hasNot: [TRAINING("optimizer.zero_grad()"), TRAINING("optimizer.zero_grad()", 3)],
  },
  {
    code: "graph_kept_by_loss",
    // what ReLU and the square keep, four times
    has: EVALUATION("total = 0\nfor _ in range(4):\n    total += loss_of()"),
    totalBytes: 4 * (512 * 4096 + 512 * 1024) * 4,
    line: 11,
    hasNot: [
      EVALUATION("total = 0\nfor _ in range(4):\n    total += loss_of().item()"),
      EVALUATION("total = 0\nfor _ in range(4):\n    loss = loss_of()\n    loss.backward()\n    total += loss"),
    ],
  },
  {
    code: "evaluation_without_no_grad",
    has: EVALUATION("loss = loss_of()"),
    totalBytes: (512 * 4096 + 512 * 1024) * 4,
    hasNot: [
      EVALUATION("with torch.no_grad():\n    loss = loss_of()"),
      EVALUATION("loss_of().backward()"),
      EVALUATION("total = 0\nfor _ in range(4):\n    total += loss_of()"),
    ],
  },
  {
    code: "foreach_copies",
    // the square roots of all second moments
    has: STEP(""),
    totalBytes: 4 * 2048 * 2048 * 4,
    hasNot: [STEP(", fused=True"), STEP(", foreach=False")],
  },
  {
    code: "dropout_masks",
    has: "x = torch.randn(4096, 4096, device=cuda, requires_grad=True)\nF.dropout(x, 0.5).sum().backward()",
    totalBytes: 4096 * 4096,
    hasNot: ["x = torch.randn(4096, 4096, device=cuda, requires_grad=True)\nF.dropout(x, 0.5, False).sum().backward()"],
  },
  {
    code: "grows_by_cat",
    has: `
k = torch.zeros(1, 8, 512, 128, device=cuda)
for _ in range(6):
    k = torch.cat([k, torch.zeros(1, 8, 512, 128, device=cuda)], dim=2)
`,
    // after six steps: six and seven pieces of 2 MiB
    totalBytes: (6 + 7) * 2 * MIB,
    line: 8,
    hasNot: [
      "k = torch.cat([torch.zeros(1, 8, 512, 128, device=cuda) for _ in range(6)], dim=2)",
      "k = torch.zeros(1, 8, 4096, 128, device=cuda)\nfor i in range(6):\n    k[:, :, i * 512 : (i + 1) * 512] = 1",
      // a small one before each large one, at the same line
      "part = torch.zeros(1, 512, 128, device=cuda)\nfor i in range(12):\n    k = torch.cat([part] * (2 if i % 2 else 40), dim=1)",
      // pairs of the same size
      "for _ in range(6):\n    k = torch.cat([torch.zeros(1 << 20, device=cuda), torch.zeros(1 << 20, device=cuda)])",
    ],
  },
];

describe.each(CASES)("$code", ({ code, has, totalBytes, line, hasNot }) => {
  it("is told with its bytes", async () => {
    const findings = (await found(has)).filter((finding) => finding.code === code);
    expect(findings).toMatchObject([{ args: { totalBytes } }]);
    if (line !== undefined) expect(findings[0]!.args["where"]).toBe(`p.py:${line}`);
    expect(findings[0]!.blocks!.length).toBeGreaterThan(0);
    for (const locale of ["en", "zh"] as const) expect(findingText(locale, findings[0]!)).not.toMatch(/[{}]/);
  });

  it.each(hasNot.map((program, index) => [index + 1, program] as const))(
    "is not told of program %i without it",
    async (_, program) => {
      expect((await found(program)).map((finding) => finding.code)).not.toContain(code);
    },
  );
});

it("a program that ends before its backward is not blamed for the graph", async () => {
  const { trace } = await run({ script: "p.py", source: `${START}${EVALUATION("loss_of()\nraise ValueError")}` });
  expect(explain(trace, false).map(({ code }) => code)).not.toContain("evaluation_without_no_grad");
});

describe("who holds a tensor of 16 MiB alone", () => {
  const MAKE = "def make():\n    return torch.ones(1 << 22, device=cuda) * 2\n";

  async function heldAtEnd(program: string): Promise<[string, unknown][]> {
    const options = { script: "p.py", source: `${START}${MAKE}${program}\nlast = torch.empty(1, device=cuda)` };
    const first = await run(options);
    expect(first.errorText).toBeNull();
    const { trace, holders } = await run({ ...options, holdersAt: first.trace.blocks.at(-1)!.allocEvent });
    return heldFindings(trace, holders!).map(({ code, args }) => [code, args["totalBytes"]]);
  }

  it.each([
    ["a global variable", "x = make()", "held_by_global"],
    [
      "an exception",
      "def fail():\n    x = make()\n    raise ValueError\ntry:\n    fail()\nexcept ValueError as error:\n    kept = error",
      "held_by_exception",
    ],
    ["a cycle", "class A: pass\na = A()\na.me, a.x = a, make()\ndel a", "held_by_cycle"],
  ])("%s", async (_, program, code) => expect(await heldAtEnd(program)).toEqual([[code, 16 * MIB]]));

  it.each([
    ["a variable that is gone", "x = make()\ndel x"],
    [
      "an exception that is gone",
      "def fail():\n    x = make()\n    raise ValueError\ntry:\n    fail()\nexcept ValueError as error:\n    kept = str(error)",
    ],
    ["an object without a cycle", "class A: pass\na = A()\na.x = make()\ndel a"],
    ["a parameter", "x = nn.Parameter(make())"],
  ])("is not told of %s", async (_, program) => expect(await heldAtEnd(program)).toEqual([]));
});

describe("every code", () => {
  it.each(FINDING_CODES)("%s has wording and a page", (code) => {
    expect(isMessageCode(code)).toBe(true);
    const page = findingPage(code)!;
    expect(page).toBe(readFileSync(join(ROOT, "docs", "findings", `${code}.md`), "utf8"));
    for (const part of [/^# \S/, /^## Why it happens$/m, /^## What helps$/m, /^## Example$/m]) {
      expect(page).toMatch(part);
    }
  });

  it("and no other has a page", () => {
    expect(findingPage("nonsense")).toBeNull();
    expect(existsSync(join(ROOT, "docs", "findings", "nonsense.md"))).toBe(false);
  });
});

/** Workspaces that a library chooses at run time: an interval, stated in report and JSON; the figures themselves are its low end. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const EXTRAS = { exitStatus: 0, errorText: null, stdout: "", stderr: "", warnings: [] };

async function factsOf(program: string, options: object = {}) {
  const script = join(folderWith({ "program.py": program }), "program.py");
  const result = await vramscope.run({ script, ...options });
  expect(result.errorText ?? "").toBe("");
  const facts = vramscope.reportFacts(result);
  const json = vramscope.jsonReport(facts, result.trace, EXTRAS, "en") as {
    assumptions: { code: string; text: string }[];
  };
  return { facts, json };
}

const CONVOLUTION = (repeats: number): string => `
import torch
net = torch.nn.Conv2d(32, 32, 3).cuda()
for size in range(${repeats}):
    x = torch.randn(8, 32, 16 + size, 16 + size, device="cuda")
    y = net(x)
`;
/** 8 images, 32 channels, 9 taps, 16 x 16 places, float32: the input unfolded for a product. */
const UNFOLDED = 8 * 32 * 9 * 16 * 16 * 4;
/** Images of 18 x 18 places and the weight in another layout, as the record of an H100 has it for small kernels (test/record). */
const COPIES = (8 * 32 * 18 * 18 + 32 * 32 * 9) * 4 + 16;

describe("a library's own workspace", () => {
  it("of a convolution is counted, may be the unfolded input, and of one line the widest stays", async () => {
    const { facts, json } = await factsOf(CONVOLUTION(3));
    const found = facts.assumptions.filter((entry) => entry.code === "convolution_workspace");
    expect(
      found.map(({ args, count }) => [args["lowBytes"], args["workspaceBytes"], args["highBytes"], count]),
    ).toEqual([[0, COPIES, UNFOLDED, 3]]);
    const { peakBytes, peakHighBytes } = facts.allocated;
    expect(peakHighBytes).toBe(peakBytes + UNFOLDED - COPIES);
    const [text] = json.assumptions
      .filter((entry) => entry.code === "convolution_workspace")
      .map((entry) => entry.text);
    expect(text).toMatch(
      /convolution: cuDNN chooses a workspace at run time, 0 bytes to 2.25 MiB while the call runs; 360.02 KiB were taken/,
    );
  });

  it("of recurrent layers and of a single query in cuDNN's attention is stated, too", async () => {
    const { facts } = await factsOf(
      `
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
torch.nn.LSTM(16, 32).cuda()(torch.randn(5, 2, 16, device="cuda"))[0].sum().backward()
q, keys = (torch.randn(2, 8, n, 64, device="cuda", dtype=torch.bfloat16) for n in (1, 2048))
with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
    torch.nn.functional.scaled_dot_product_attention(q, keys, keys)
`,
      { gpu: "h100-80gb", torch: "2.8" },
    );
    const high = new Map(facts.assumptions.map((entry) => [entry.code, entry.args["highBytes"]]));
    // forward and both halves of backward: 8 MiB for the stream of the matrix library, the matrices, gates and states of the kernels for small layers
    const recurrent = facts.assumptions.filter((entry) => entry.code === "recurrent_workspace");
    const [rows, batch] = [5 * 2, 2];
    const elements = 4 * 32 * (16 + 32) + 21 * rows * 32 + rows * 16 + 8 * batch * 32;
    const taken = 8 * 1024 * 1024 + 256 + 8 * batch + 4 * elements;
    expect(recurrent.map((entry) => [entry.args["workspaceBytes"], entry.count])).toEqual([
      [taken, 1],
      [taken, 2],
    ]);
    // as the H100 recorded it for this shape
    expect(high.get("attention_workspace")).toBe(67_712);
  });

  it("is said to be unknown where cuDNN tries algorithms", async () => {
    const { facts, json } = await factsOf(
      `import torch\ntorch.backends.cudnn.benchmark = True\ntorch.backends.cudnn.benchmark = True\ntorch.zeros(1, device="cuda")`,
    );
    expect(facts.assumptions.map(({ code, count }) => [code, count])).toEqual([["cudnn_benchmark", 1]]);
    expect(json.assumptions[0]!.text).toMatch(/cudnn.benchmark: at the first call of each shape cuDNN tries/);
  });

  it("is not stated when kernel temporaries are off", async () => {
    const { facts } = await factsOf(CONVOLUTION(1), { kernelTemporaries: "off" });
    expect(facts.assumptions).toEqual([]);
    expect(facts.allocated.peakHighBytes).toBe(facts.allocated.peakBytes);
  });
});

/** What reductions over 4,096 x 1,024 floats take on an A100, recorded with the host code of PyTorch 2.13 (scripts/record/cardless): input, result, scratch. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const RECORDED_PEAK_BYTES = {
  "any()": 16_778_752,
  "all()": 16_778_752,
  "any(0)": 25_167_360,
  "all(0)": 25_167_360,
  "sum(0)": 50_336_256,
};

describe("the peak of x.", () => {
  it.each(Object.entries(RECORDED_PEAK_BYTES))("%s", async (call, bytes) => {
    const program = `import torch\nx = torch.randn(4096, 1024, device="cuda")\ny = x.${call}\n`;
    const script = join(folderWith({ "program.py": program }), "program.py");
    const result = await vramscope.run({ script, gpu: "a100-80gb", torch: "2.13" });
    expect(result.errorText ?? "").toBe("");
    expect(result.stats.peakAllocatedBytes).toBe(bytes);
  });
});

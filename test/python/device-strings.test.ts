/** Words for devices that PyTorch refuses, in its own words (2.14 on the oracle). */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

const WORDS = ["0", "", "gpu", "cuda:", "cuda:x", " cuda", "CUDA", "gpu0", "cuda:01", "cuda:0:1", "cpu:1"];

it("names what is no device as PyTorch does", async () => {
  const result = await vramscope.run({
    script: "p.py",
    source: `
import torch
for word in ${JSON.stringify(WORDS)}:
    try: print(torch.device(word))
    except RuntimeError as error: print(str(error)[:20], str(error).rpartition(" ")[2])
`,
  });
  expect(result.errorText).toBe(null);
  expect(result.stdout.trimEnd().split("\n")).toEqual([
    "Invalid device strin '0'",
    "Device string must n empty",
    "Expected one of cpu, gpu",
    "Invalid device strin 'cuda:'",
    "Invalid device strin 'cuda:x'",
    "Invalid device strin cuda'",
    "Expected one of cpu, CUDA",
    "Invalid device strin 'gpu0'",
    "Invalid device strin 'cuda:01'",
    "Invalid device strin 'cuda:0:1'",
    "cpu:1",
  ]);
});

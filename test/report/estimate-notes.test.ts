/** What an estimate's figures rest on is said where it is not a measurement. */

import { expect, it } from "vitest";
import { estimateNotes } from "../../src/report/estimate-notes.ts";

type Made = Parameters<typeof estimateNotes>[1];

const notesWith = (weights: string): string[] =>
  estimateNotes(
    { name: "a model", unsure: null, config: {} },
    {
      recipe: { task: "infer", weights, cache: "dynamic" },
      head: { auto: "AutoModelForCausalLM" },
      digest: { assumptions: [] },
    } as unknown as Made,
    "en",
  );

it("says which weights' kernels no measured figure stands behind", () => {
  // figures of exllama's kernels and of bitsandbytes are in test/estimate/released-weights.test.ts and on the accuracy page
  for (const weights of ["bf16", "nf4", "int8", "gptq", "gptq-exllamav2"]) expect(notesWith(weights)).toEqual([]);
  for (const weights of ["awq", "fp8", "torchao-int4", "hqq", "eetq", "quanto-int8", "checkpoint"])
    expect(notesWith(weights)).toEqual([expect.stringContaining("held against no measured figure")]);
});

it("says where packed weights are taken as if they were not", () => {
  const notesOf = (method: string, packed: boolean, frozen = "plain"): string[] =>
    estimateNotes(
      { name: "a model", unsure: null, config: packed ? { quantization_config: { quant_method: "awq" } } : {} },
      {
        recipe: { task: "train", method, frozen, precision: "bf16", loss: "plain" },
        head: { auto: "AutoModelForCausalLM" },
        digest: { assumptions: [] },
      } as unknown as Made,
      "en",
    );
  expect(notesOf("lora", true)).toEqual([expect.stringContaining("taken unpacked")]);
  expect(notesOf("qlora", true)).toEqual([]);
  expect(notesOf("lora", true, "checkpoint")).toEqual([]);
  expect(notesOf("lora", false)).toEqual([]);
});

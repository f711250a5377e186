/**
 * What a real H100 did under PyTorch 2.11 (recorded/h100-torch-2.11.json.br), held against the simulator: programs that are equal in every
 * line, allocation and peak, and those whose lines are (recipes run on the built-in packages here, and ran on the real ones there). The whole: `node scripts/record/compare.mjs test/record/recorded/h100-torch-2.11.json.br`.
 */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareRecord } from "../../scripts/record/differences.mjs";
import { readRecords } from "../../scripts/record/records.mjs";
import { vramscope } from "../built.ts";

const recorded = (name: string) => readRecords(join(import.meta.dirname, "recorded", name)).records;
const records = { ...recorded("h100-torch-2.11.json.br"), ...recorded("h100-recipes.json.br") };
const compared = (id: string) =>
  compareRecord(vramscope.run, records[id]!, { gpu: "NVIDIA H100 80GB HBM3", torch: "2.11", sitePackages: [] });

describe("equal in everything to an H100", () => {
  it.each([
    "transformer-float32",
    "transformer-bfloat16",
    "example-attention",
    "example-lora",
    "example-kv-cache",
    "module-rotary",
    "attention-spelled",
    "corpus-attention-encoder-layers-in-training",
    "corpus-attention-boolean-and-float-masks",
    "corpus-attention-grouped-heads",
    "corpus-attention-masks-made-in-the-call",
    "corpus-training-gpt-with-accumulation",
    "corpus-dropout-probabilities-and-modes",
  ])("%s", { timeout: 120_000 }, async (id) => {
    expect((await compared(id)).found).toEqual([]);
  });
});

describe("prints what an H100 printed", () => {
  it.each(["graphs", "one-rank-fsdp", "corpus-indexing-every-read", "recipe-dora", "recipe-lora-autocast"])(
    "%s",
    { timeout: 120_000 },
    async (id) => {
      const { found } = await compared(id);
      expect(found.filter(({ what }) => what === "output")).toEqual([]);
    },
  );
});

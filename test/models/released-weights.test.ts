/**
 * Quantized weights and earlier releases of transformers, against what public benchmarks measured on a real A100: highest allocated
 * and reserved bytes of one forward pass, printed in megabytes that are cut.
 */

import { afterAll, describe, expect, it } from "vitest";
import {
  DEFAULT_INFERENCE,
  estimate,
  headOf,
  WEIGHTS,
  type InferRecipe,
  bitsandbytesRelease,
  transformersRelease,
} from "../../src/estimate/index.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import type { EstimateRuns } from "../../src/python/estimate-runs.ts";

const { openEstimateRuns } = (await import(
  new URL("../../dist/python/estimate-runs.js", import.meta.url).href
)) as typeof import("../../src/python/estimate-runs.ts");

/** Llama 2 7B; the first Llama has half as many positions. */
const llama = (positions: number) => ({
  model_type: "llama",
  architectures: ["LlamaForCausalLM"],
  hidden_size: 4096,
  intermediate_size: 11_008,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  vocab_size: 32_000,
  max_position_embeddings: positions,
});

// huggingface/optimum-benchmark @450f5b810d and @9a0db86b56, examples/running-llamas: weights, positions, transformers, batch,
// megabytes allocated and reserved after 256 tokens
const MEASURED = [
  ["fp16", 4096, "4.35", 2, 13_924, 14_006],
  ["gptq", 4096, "4.34", 4, 4855, 5465],
  ["gptq", 2048, "4.35", 4, 4822, 5431],
  ["gptq-exllamav2", 2048, "4.35", 4, 5548, 6159],
] as const;

const found = findGpu("a100-80gb");
if (!found.ok) throw new Error("the catalogue lacks the A100");
const gpu = found.value;
const open: EstimateRuns[] = [];
afterAll(() => open.forEach((runs) => runs.close()));

function runsOf(config: object, torch: string): EstimateRuns {
  const runs = openEstimateRuns({ torch, files: { "config.json": JSON.stringify(config) } });
  open.push(runs);
  return runs;
}

describe("forward passes that were measured", () => {
  it.each(MEASURED)(
    "%s, %i positions, transformers %s, batch %i",
    async (weights, positions, transformers, batch, allocated, reserved) => {
      const config = llama(positions);
      const recipe: InferRecipe = { ...DEFAULT_INFERENCE, weights, transformers, batch, prompt: 256, newTokens: 0 };
      const { chain } = await estimate(runsOf(config, "2.1").run, recipe, headOf(config), gpu);
      expect(Math.abs(chain.allocated.bytes / 1e6 - allocated)).toBeLessThan(2);
      expect(Math.abs(chain.reserved.bytes / 1e6 / reserved - 1)).toBeLessThan(0.002);
    },
    120_000,
  );
});

// the statistics of bitsandbytes belong to a weight and are no tensors of its layer
const OF_LAYERS = WEIGHTS.filter(({ quantization }) => quantization !== null && !/Bits/.test(quantization.config));

describe("weights under transformers of today", () => {
  const config = {
    ...llama(512),
    hidden_size: 1024,
    intermediate_size: 2048,
    num_hidden_layers: 2,
    num_attention_heads: 8,
  };
  const shared = runsOf(config, "2.14");
  const linear = 2 * (4 * 1024 * 1024 + 3 * 1024 * 2048);
  const rest = 2 * (2 * 32_000 * 1024 + 5 * 1024);

  it.each(OF_LAYERS)(
    "$id takes what its format says",
    async ({ id, weightBytes }) => {
      const recipe: InferRecipe = { ...DEFAULT_INFERENCE, weights: id, prompt: 64, newTokens: 0 };
      const hopper = findGpu("h100");
      if (!hopper.ok) throw new Error("the catalogue lacks the H100");
      const { chain } = await estimate(shared.run, recipe, headOf(config), hopper.value);
      const weights = chain.parts.find((part) => part.id === "weights")!;
      // scales per output and group are part of the format; blocks are rounded to 512 bytes
      expect((weights.bytes - rest) / (linear * weightBytes)).toBeGreaterThan(0.99);
      expect((weights.bytes - rest) / (linear * weightBytes)).toBeLessThan(1.03);
    },
    60_000,
  );
});

describe("releases", () => {
  it.each([
    ["4.46.2", "4.46"],
    ["4.31", "4.31"],
    ["5.12.1", "5.12"],
    ["4.30", null],
    ["6.0", null],
    ["newest", null],
  ])("%s", (typed, release) => {
    expect(transformersRelease(typed)).toBe(release);
  });

  it.each([
    ["0.42.0", "0.42.0"],
    ["0.41.3.post2", "0.41.3"],
    ["0.43", "0.43"],
    ["0.39.1", null],
    ["0.50", null],
    ["1", null],
  ])("%s of bitsandbytes", (typed, release) => {
    expect(bitsandbytesRelease(typed)).toBe(release);
  });
});

/** Steps that are continued without Python, held against the same program run whole: every total, every component. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_INFERENCE, generated, headOf, type InferRecipe } from "../../src/estimate/index.ts";
import { ROOMY_BYTES } from "../../src/estimate/estimate.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { createSession } from "../../src/session/create.ts";
import { continueSteps } from "../../src/steps/continue.ts";
import { requestsOf, stepPattern } from "../../src/steps/pattern.ts";
import { vramscope as built } from "../built.ts";
import { folderWith } from "../helpers.ts";
import { CONFIGS } from "../small-models.ts";

const { openEstimateRuns } = (await import(
  new URL("../../dist/python/estimate-runs.js", import.meta.url).href
)) as typeof import("../../src/python/estimate-runs.ts");

const recipes = fc.record({
  weights: fc.constantFrom("bf16", "fp32"),
  attention: fc.constantFrom("sdpa", "eager"),
  cache: fc.constantFrom("dynamic", "dynamic", "static"),
  batch: fc.constantFrom(1, 3, 16),
  prompt: fc.integer({ min: 1, max: 150 }),
  newTokens: fc.integer({ min: 9, max: 90 }),
  gpu: fc.constantFrom("a100-80gb", "h100-80gb", "t4"),
});

describe("an answer whose tokens are continued", () => {
  it.each(Object.entries(CONFIGS))(
    "has the bytes of the whole program: %s",
    { timeout: 240_000 },
    async (_, config) => {
      const runs = openEstimateRuns({ torch: "2.14", files: { "config.json": JSON.stringify(config) } });
      try {
        await fc.assert(
          fc.asyncProperty(recipes, async ({ gpu, ...sizes }) => {
            const recipe = { ...DEFAULT_INFERENCE, ...sizes } as InferRecipe;
            const program = generated(recipe, headOf(config));
            expect(program.leftOut).not.toBeNull();
            const [short, whole] = [
              await runs.run(program, gpu, ROOMY_BYTES),
              await runs.run({ source: program.source, leftOut: null }, gpu, ROOMY_BYTES),
            ];
            expect(whole.error ?? "").toBe("");
            expect({ ...short.digest, phases: [], peak: null, assumptions: [] }).toEqual({
              ...whole.digest,
              phases: [],
              peak: null,
              assumptions: [],
              // a program that ends gives everything back but its model and workspaces, however long it ran
              allocatedEndBytes: short.digest.allocatedEndBytes,
            });
          }),
          { numRuns: 3, seed: 20_261_122 },
        );
      } finally {
        runs.close();
      }
    },
  );

  it.each(["a window that fills up", "two kinds of layers"] as const)(
    "keeps its cache where the last token is none that the first ones show: %s",
    { timeout: 240_000 },
    async (name) => {
      const config = CONFIGS[name];
      const runs = openEstimateRuns({ torch: "2.14", files: { "config.json": JSON.stringify(config) } });
      const recipe: InferRecipe = { ...DEFAULT_INFERENCE, batch: 16, prompt: 1, newTokens: 90 };
      const program = generated(recipe, headOf(config));
      const short = await runs.run(program, "h100-80gb", ROOMY_BYTES);
      const whole = await runs.run({ source: program.source, leftOut: null }, "h100-80gb", ROOMY_BYTES);
      runs.close();
      expect(short.digest.allocatedPeakBytes).toBe(whole.digest.allocatedPeakBytes);
      expect(short.digest.reservedPeakBytes).toBe(whole.digest.reservedPeakBytes);
    },
  );

  it.each([
    ["flash attention", "a100-80gb", 20],
    ["cuDNN's attention", "h100-80gb", 900],
  ] as const)("has the bytes of the whole program where %s splits late tokens", async (_, gpu, prompt) => {
    const config = CONFIGS["grouped queries"];
    const runs = openEstimateRuns({ torch: "2.14", files: { "config.json": JSON.stringify(config) } });
    const recipe: InferRecipe = { ...DEFAULT_INFERENCE, batch: 1, prompt, newTokens: 300 };
    const program = generated(recipe, headOf(config));
    const totals = async (text: typeof program) => {
      const { allocatedPeakBytes, reservedPeakBytes, peak } = (await runs.run(text, gpu, ROOMY_BYTES)).digest;
      return { allocatedPeakBytes, reservedPeakBytes, peak };
    };
    const short = await totals(program);
    const whole = await totals({ source: program.source, leftOut: null });
    runs.close();
    expect(short).toEqual(whole);
  });

  it("is found behind pictures, which take most of the run", { timeout: 240_000 }, async () => {
    const SMALL = { pictures: 1, pictureWidth: 672, pictureHeight: 672 };
    const vision_config = {
      depth: 6,
      hidden_size: 320,
      intermediate_size: 640,
      num_heads: 4,
      out_hidden_size: 256,
      fullatt_block_indexes: [5],
    };
    const config = {
      model_type: "qwen2_5_vl",
      architectures: ["Qwen2_5_VLForConditionalGeneration"],
      hidden_size: 256,
      intermediate_size: 512,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      num_key_value_heads: 2,
      vocab_size: 2000,
      rope_scaling: { type: "mrope", mrope_section: [8, 12, 12] },
      image_token_id: 1998,
      video_token_id: 1999,
      vision_start_token_id: 1997,
      vision_config,
    };
    const runs = openEstimateRuns({ torch: "2.14", files: { "config.json": JSON.stringify(config) } });
    const recipe: InferRecipe = { ...DEFAULT_INFERENCE, batch: 4, prompt: 30, newTokens: 40, ...SMALL };
    const program = generated(recipe, headOf(config));
    const short = await runs.run(program, "a10g", ROOMY_BYTES);
    const whole = await runs.run({ source: program.source, leftOut: null }, "a10g", ROOMY_BYTES);
    runs.close();
    expect(whole.error ?? "").toBe("");
    expect(short.digest.reservedPeakBytes).toBe(whole.digest.reservedPeakBytes);
    expect(short.digest.allocatedPeakBytes).toBe(whole.digest.allocatedPeakBytes);
    // and it is a token that was found, not a layer of the tower
    const folder = folderWith({ "config.json": JSON.stringify(config) });
    const begun = await built.run({ script: "program.py", source: program.leftOut!.first, folder });
    const requests = requestsOf(begun.trace);
    const { step, end } = stepPattern(requests)!;
    expect(requests.signs.length - end).toBeLessThan(step.length);
  });

  it("runs out of memory where the whole program does", { timeout: 240_000 }, async () => {
    const config = CONFIGS["grouped queries"];
    const runs = openEstimateRuns({ torch: "2.14", files: { "config.json": JSON.stringify(config) } });
    const recipe: InferRecipe = { ...DEFAULT_INFERENCE, batch: 64, prompt: 64, newTokens: 200 };
    const program = generated(recipe, headOf(config));
    const at = async (totalBytes: number): Promise<readonly string[]> => [
      (await runs.run(program, "t4", totalBytes)).status,
      (await runs.run({ source: program.source, leftOut: null }, "t4", totalBytes)).status,
    ];
    const { digest } = await runs.run(program, "t4", ROOMY_BYTES);
    const gpu = findGpu("t4");
    const contextBytes = gpu.ok ? gpu.value.context.expectedBytes : 0;
    const statuses = new Set<string>();
    for (const share of [1.1, 0.9, 0.7, 0.5]) {
      const [short, whole] = await at(contextBytes + Math.round(digest.reservedPeakBytes * share));
      expect(short).toBe(whole);
      statuses.add(short!);
    }
    runs.close();
    expect([...statuses].sort()).toEqual(["ok", "out_of_memory"]);
  });

  it("follows from five tokens", async () => {
    const program = generated({ ...DEFAULT_INFERENCE, batch: 8, prompt: 40, newTokens: 200 }, headOf(CONFIGS.experts));
    const folder = folderWith({ "config.json": JSON.stringify(CONFIGS.experts) });
    const [begun, whole] = [
      await built.run({ script: "program.py", source: program.leftOut!.first, folder }),
      await built.run({ script: "program.py", source: program.source, folder }),
    ];
    const pattern = stepPattern(requestsOf(begun.trace))!;
    const { allocator } = createSession({ machine: { totalBytes: ROOMY_BYTES } });
    const { allocatedPeakBytes, reservedPeakBytes } = continueSteps(pattern, 195, allocator);
    expect([allocatedPeakBytes, reservedPeakBytes]).toEqual([
      whole.stats.peakAllocatedBytes,
      whole.stats.peakReservedBytes,
    ]);
  });
});

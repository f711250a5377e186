/** Training by preferences and rewards: programs against the real PyTorch, phases, and an engine on the same card. */

import { afterAll, describe, expect, it } from "vitest";
import {
  alignmentFits,
  estimateAlignment,
  tryAlignmentChanges,
  usualReference,
  type AlignmentEstimate,
  type AlignmentRecipe,
  type PhaseId,
} from "../../src/estimate/alignment/index.ts";
import { DEFAULT_TRAINING, headOf, type TrainRecipe } from "../../src/estimate/index.ts";
import { readModelConfig } from "../../src/formats/model-config.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { alignmentText } from "../../src/report/alignment-text.ts";
import { plainPainter } from "../../src/report/paint.ts";
import { exactPart, type ServingEstimate } from "../../src/serving/serving.ts";
import { cli } from "../cli/harness.ts";

const { openEstimateRuns } = (await import(
  new URL("../../dist/python/estimate-runs.js", import.meta.url).href
)) as typeof import("../../src/python/estimate-runs.ts");

const SIZES = { hidden_size: 512, intermediate_size: 1408, num_hidden_layers: 4, vocab_size: 32000 };
const HEADS = { num_attention_heads: 8, num_key_value_heads: 8, max_position_embeddings: 1024 };
const NAMES = { architectures: ["LlamaForCausalLM"], model_type: "llama", torch_dtype: "float32" };
const text = JSON.stringify({ ...NAMES, ...SIZES, ...HEADS, tie_word_embeddings: false, rms_norm_eps: 1e-5 });
const head = headOf(readModelConfig(text));
const gpu = findGpu("a100-80gb");
const runs = openEstimateRuns({ torch: "2.14", files: { "config.json": text, "reward.json": text } });
afterAll(() => runs.close());

const PLAIN = {
  reference: "none",
  prompt: 64,
  newTokens: 128,
  hasRewardModel: false,
  hasEngine: false,
  sleep: 0,
} as const;

async function answer(
  recipe: Partial<AlignmentRecipe> & Pick<AlignmentRecipe, "task">,
  train: Partial<TrainRecipe>,
  engine: ServingEstimate | null = null,
): Promise<AlignmentEstimate> {
  if (!gpu.ok) throw new Error("no GPU");
  const trained: TrainRecipe = { ...DEFAULT_TRAINING, batch: 2, seq: 192, ...train };
  return estimateAlignment(runs.run, { ...PLAIN, ...recipe }, trained, head, gpu.value, engine);
}

/** Allocated bytes after the second step and at the peak: the same program on PyTorch 2.14.1 and transformers 5.12 with the recorder. */
const RECORDED = [
  ["dpo", { reference: "copy" }, { seq: 256, accumulate: 2 }, 388_028_928, 800_310_784],
  ["reward", {}, { seq: 256, precision: "autocast-bf16" }, 371_013_120, 607_245_824],
  ["grpo", { reference: "copy", hasRewardModel: true }, { accumulate: 2 }, 453_639_168, 655_025_664],
  ["ppo", { reference: "copy", hasRewardModel: true }, {}, 630_809_088, 944_404_992],
] as const;

describe("a program of two steps", () => {
  it.each(RECORDED)("of %s allocates what PyTorch allocates", async (task, recipe, train, after, most) => {
    const { digest } = await answer({ task, ...recipe }, train);
    expect([digest.allocatedEndBytes, digest.allocatedPeakBytes]).toEqual([after, most]);
  });
});

/** An engine whose parts are round numbers. */
const ENGINE: ServingEstimate = {
  engine: "vLLM",
  version: "0",
  parts: [exactPart("weights", 10e9, ""), exactPart("kv_cache", 20e9, ""), exactPart("cuda_graphs", 1e9, "")],
  budgetBytes: 31e9,
  cacheTokens: null,
  concurrency: null,
  contextLength: 192,
} as unknown as ServingEstimate;

const engineIn = ({ phases }: AlignmentEstimate, id: PhaseId): number | undefined =>
  phases.find((phase) => phase.id === id)?.engineBytes;

describe("an engine on the same card", () => {
  it("holds its share all the time, or sleeps while the model trains", async () => {
    const awake = await answer({ task: "grpo", hasEngine: true }, {}, ENGINE);
    expect(["generate", "old", "backward"].map((id) => engineIn(awake, id as PhaseId))).toEqual([31e9, 31e9, 31e9]);
    const asleep = await answer({ task: "grpo", hasEngine: true, sleep: 2 }, {}, ENGINE);
    const ids: PhaseId[] = ["generate", "old", "backward", "sync"];
    expect(ids.map((id) => engineIn(asleep, id))).toEqual([31e9, 1e9, 1e9, 11e9]);
    // cached memory was given back before the engine woke up
    const reserved = (made: AlignmentEstimate): number =>
      made.phases.find(({ id }) => id === "generate")!.reservedBytes;
    expect(reserved(asleep)).toBeLessThan(reserved(awake));
    expect(asleep.fit).toBe("fits");
  });
});

describe("what would help", () => {
  it("is measured, cheapest first, and with adapters no second model is needed", async () => {
    const before = await answer({ task: "dpo", reference: "copy" }, {});
    if (!gpu.ok) throw new Error("no GPU");
    // a card between what two changes need: the search has to find the one that fits
    const needs = (one: AlignmentEstimate): number => one.worst.process.bytes;
    const asked: string[] = [];
    const onCard =
      (totalBytes: number) =>
      async (train: TrainRecipe): Promise<AlignmentEstimate> => {
        const reference = usualReference("dpo", train);
        asked.push(`${train.method} ${train.optimizer} ${reference}`);
        const { recipe } = before;
        return estimateAlignment(runs.run, { ...recipe, reference }, train, head, { ...gpu.value, totalBytes }, null);
      };
    const roomy = await tryAlignmentChanges(before, onCard(gpu.value.totalBytes), () => {});
    const saved = (id: string): number => roomy.single.find(({ ids }) => ids[0] === id)!.savedBytes;
    expect(asked).toContain("lora adamw same");
    expect(saved("lora")).toBeGreaterThan(saved("fused"));
    expect(roomy.single.map(({ ids }) => ids[0])).not.toContain("chunked_loss");
    const lora = roomy.single.find(({ ids }) => ids[0] === "lora")!.estimate;
    const narrow = await onCard(needs(lora) + 2 ** 20)(before.train);
    const found = await tryAlignmentChanges(narrow, onCard(narrow.gpu.totalBytes), () => {});
    expect(alignmentFits(narrow)).toBe(false);
    const [first] = found.single;
    expect(alignmentFits(first!.estimate)).toBe(true);
    expect(needs(first!.estimate)).toBeLessThanOrEqual(narrow.gpu.totalBytes);
    const words = { locale: "en" as const, painter: plainPainter() };
    const text = alignmentText("small", narrow, { taken: ["--seq 192"], isTried: false }, words);
    expect(text).toContain("not given, so taken: --seq 192");
    expect(text).toMatch(/does not fit +\d+\.\d\d GiB more than/);
    expect(text).toMatch(/why +most is needed in /);
    expect(text).toMatch(/helps +--fit/);
  });
});

describe("the command", () => {
  it.each([
    [["--task", "dpo", "--prompt", "9"], "--prompt"],
    [["--task", "grpo", "--seq", "9"], "--seq"],
    [["--task", "dpo", "--engine", "vllm"], "--engine"],
    [["--task", "grpo", "--sleep", "1"], "--engine vllm"],
    [["--task", "ppo"], "--reward"],
    [["--task", "train", "--sleep", "1"], "--task dpo"],
    [["--task", "dpo", "--reference", "same"], "--method lora"],
    [["--task", "dpo", "--explain"], "--explain"],
    [["--task", "grpo", "--images", "1"], "--images"],
  ])("refuses %j in one line", async (args, words) => {
    const { code, err } = await cli(["estimate", "qwen2.5-0.5b", ...args]);
    expect([code, err.trimEnd().split("\n").length]).toEqual([2, 1]);
    expect(err).toContain(words);
  });

  it("refuses models that write no text", async () => {
    const { code, err } = await cli(["estimate", "bert-base-uncased", "--task", "dpo"]);
    expect([code, err.includes("decoder")]).toEqual([3, true]);
  });
});

/** Sharded training: programs of torch layouts against the real PyTorch, and what contradicts itself. */

import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { DEFAULT_TRAINING, type TrainRecipe } from "../../src/estimate/index.ts";
import { layoutOf } from "../../src/estimate/layout/index.ts";
import {
  estimateSharded,
  shardedContradiction,
  shardedJob,
  shardedProgram,
  type Sharding,
} from "../../src/estimate/sharded/index.ts";
import { readModelConfig, type ModelConfig } from "../../src/formats/model-config.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";

const { openEstimateRuns } = (await import(
  new URL("../../dist/python/estimate-runs.js", import.meta.url).href
)) as typeof import("../../src/python/estimate-runs.ts");

const text = readFileSync(new URL("./sharded/config.json", import.meta.url), "utf8");
const config = readModelConfig(text);
const gpu = findGpu("a100");
const runs = openEstimateRuns({ torch: "2.14", files: { "config.json": text } });
afterAll(() => runs.close());

interface Asked {
  readonly more?: Readonly<Record<string, unknown>>;
  readonly layout?: string;
  readonly sharding?: Partial<Sharding>;
  readonly recipe?: Partial<TrainRecipe>;
  readonly globalBatch?: number;
}

const BASE: TrainRecipe = { ...DEFAULT_TRAINING, precision: "autocast-bf16", seq: 1024 };
const jobOf = ({ layout = "", sharding = {}, recipe = {}, globalBatch, more = {} }: Asked) =>
  shardedJob({
    framework: "torch",
    name: "tiny",
    config: { ...config, ...more } as ModelConfig,
    recipe: { ...BASE, ...recipe },
    layout: layoutOf(layout, 8),
    globalBatch: globalBatch ?? null,
    sharding: { zero: 3, hybridRanks: 0, offload: "none", deepspeed: {}, ...sharding },
  });

/**
 * Allocated bytes after the second step and at the peak, for the first rank of each stage: the same program on PyTorch 2.14.1 and
 * transformers 5.12 with the recorder of several ranks (stand-in CUDA backend, rank R of 8).
 */
const RECORDED: readonly (readonly [name: string, asked: Asked, ranks: readonly (readonly [number, number])[]])[] = [
  ["fully_shard", {}, [[42_236_928, 209_136_128]]],
  [
    "results of attention and of every second product kept",
    { recipe: { checkpointing: "operators" } },
    [[42_236_928, 144_361_984]],
  ],
  [
    "parameters that stay gathered, two micro-batches",
    { sharding: { zero: 2 }, globalBatch: 16 },
    [[42_236_928, 239_554_048]],
  ],
  [
    "tensor ranks with their shares of the loss",
    { layout: "tp=2", sharding: { cutsLoss: true } },
    [[42_245_120, 135_823_360]],
  ],
  [
    "hybrid sharding, blocks computed again",
    { sharding: { hybridRanks: 4 }, recipe: { checkpointing: "blocks" } },
    [[67_402_752, 148_726_272]],
  ],
  [
    "tensor ranks with their sequence",
    { layout: "tp=2", recipe: { checkpointing: "blocks" } },
    [[42_245_120, 104_903_168]],
  ],
  ["DistributedDataParallel", { sharding: { zero: 0 } }, [[289_498_624, 496_231_424]]],
  ["ZeroRedundancyOptimizer", { sharding: { zero: 1 }, recipe: { precision: "bf16" } }, [[94_543_360, 248_060_928]]],
  [
    "tensor ranks and a pipeline",
    { layout: "tp=2,pp=2", recipe: { checkpointing: "blocks" }, globalBatch: 8 },
    [
      [44_381_184, 95_942_656],
      [44_384_256, 126_721_536],
    ],
  ],
  ["parameters on the host", { sharding: { offload: "all" } }, [[17_056_256, 183_955_456]]],
];

describe("a program of a layout", () => {
  it.each(RECORDED)("%s: allocates what PyTorch allocates", async (_, asked, ranks) => {
    if (!gpu.ok) throw new Error("no card");
    const made = await estimateSharded(runs.run, jobOf(asked), gpu.value);
    expect(made.ranks.map(({ statesBytes, chain }) => [statesBytes, chain.allocated.bytes])).toEqual(ranks);
  });
});

describe("a layout of transformers' models", () => {
  const problem = (asked: Asked): string | undefined => shardedContradiction(jobOf(asked))?.code;

  it("is refused where it cannot be started or is not written here", () => {
    expect(problem({})).toBeUndefined();
    expect(problem({ layout: "tp=16" })).toBe("layout_not_divisible");
    expect(problem({ sharding: { hybridRanks: 3 } })).toBe("layout_not_divisible");
    expect(problem({ layout: "ep=2" })).toBe("layout_needs");
    expect(problem({ layout: "tp=2", sharding: { zero: 0 } })).toBe("layout_needs");
    expect(problem({ recipe: { method: "qlora" } })).toBe("layout_needs");
    expect(problem({ globalBatch: 12 })).toBe("layout_batch_not_divisible");
  });

  it("loads packed weights as they are where no rank divides them", () => {
    const of = (zero: 0 | 3) =>
      shardedProgram(
        jobOf({
          recipe: { method: "lora" },
          more: { quantization_config: { quant_method: "awq", bits: 4 } },
          sharding: { zero },
        }),
      );
    const packed = of(0);
    expect(packed).toContain('config.quantization_config["backend"] = "auto_trainable"');
    expect(packed).toContain("target_modules=packed");
    expect(of(3)).not.toContain("auto_trainable");
  });

  it("is full of pictures where the model sees, and leaves the verdict open where it does not know how", () => {
    const see = (type: string, sharding: Partial<Sharding> = {}) => {
      const vision_config = { patch_size: 14, image_size: 224, spatial_merge_size: 2 };
      const seeing = { ...config, architectures: ["XForConditionalGeneration"], model_type: type, vision_config };
      const base = { zero: 3, hybridRanks: 0, offload: "none", deepspeed: {} } as const;
      return shardedJob({
        framework: "torch",
        name: "tiny",
        config: seeing,
        recipe: BASE,
        layout: layoutOf("", 8),
        globalBatch: 64,
        sharding: { ...base, ...sharding },
      });
    };
    // 224 pixels are 16 patches down and across, each a token of llava and a quarter of one of qwen2_5_vl
    expect(see("llava").seen).toMatchObject({ pictures: 4, tokens: 256 });
    expect(see("qwen2_5_vl", { mostPixels: 224 * 224 }).seen).toMatchObject({ pictures: 16, tokens: 64 });
    expect(see("qwen2_5_vl").seen).toMatchObject({ pictures: 1, tokens: 1024, size: { width: 896, height: 896 } });
    expect(see("llava", { mostPictures: 1 }).seen?.pictures).toBe(1);
    expect(see("llava", { mostPictures: 0 }).job.leavesOutTowers).toBeUndefined();
    expect(see("unheard_of").job.leavesOutTowers).toBe(true);
    expect(see("llava").job.leavesOutTowers).toBeUndefined();
    // two micro-batches say what eight need; of a text all run
    expect([see("llava").recipe.accumulate, see("llava", { mostPictures: 0 }).recipe.accumulate]).toEqual([2, 8]);
    const program = shardedProgram(see("llava", { towerTrains: false }));
    expect(program).toContain("pixel_values = torch.zeros(batch * pictures, 3, 224, 224");
    expect(program).toContain("parameter.requires_grad_(False)");
  });

  it("is printed as one program for all ranks", () => {
    const program = shardedProgram(jobOf({ layout: "tp=2,cp=2" }));
    expect(program).toContain('mesh_dim_names=("dp", "cp", "tp")');
    expect(program).toContain("without_mask");
    expect(program).toContain("with context_parallel(");
    expect(program).not.toMatch(/os\.environ\[.RANK/);
  });
});

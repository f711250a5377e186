/** Weights without Python: parameter counts as the transformers classes have them, sizes of GGUF mixes, bytes of weight formats. */

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueModels, findModel } from "../../src/models/catalogue.ts";
import { weightsIn } from "../../src/serving/engines.ts";
import { GGUF_MIXES } from "../../src/serving/gguf-mix.ts";
import { ggufFromConfig } from "../../src/serving/gguf-model.ts";
import { servedModel } from "../../src/serving/served-model.ts";
import { decoderConfig } from "../../src/models/model-shape.ts";
import { DECODER_FAMILIES } from "../../src/models/decoder-families.ts";
import { readModelConfig } from "../../src/formats/model-config.ts";
import { parameterCount } from "../../src/models/weight-list.ts";
import { findWeightFormat, weightBytes } from "../../src/models/weight-formats.ts";

const model = (name: string) => {
  const found = findModel(name);
  if (!found.ok) throw new Error(`${name}: ${found.error.code}`);
  return found.value;
};

describe("parameters", () => {
  const known = catalogueModels().filter(({ config }) => DECODER_FAMILIES.includes(decoderConfig(config).modelType));

  it("are those of the class for every published model of a known family", () => {
    expect(known.length).toBeGreaterThan(125);
    const off = known.flatMap(({ name, config, parameters }) => {
      const { shape, weights } = servedModel(config);
      const listed = parameterCount(weights);
      // Towers for images are not listed; they are what is missing, and are never more than those of InternViT-6B.
      const missing = parameters - listed;
      const buffers = weights.reduce((sum, { buffer, columns }) => sum + (buffer === true ? columns : 0), 0);
      const isTower = shape.hasTowers && missing > 0 && missing < 6e9;
      return missing === 0 || missing === buffers || isTower ? [] : [[name, missing]];
    });
    expect(off).toEqual([]);
  });

  it("of a tower are what the text model does not explain", () => {
    const { config, parameters } = model("llava-hf/llava-1.5-7b-hf");
    expect(servedModel(config, parameters).otherParameters).toBe(324_487_168);
  });
});

describe("layers by a pattern, towers and lists of names", () => {
  // counts of the transformers classes on the meta device, or of the published files (docs of ../shared/measured/configs)
  const COUNTED = {
    "gemma-3-12b": 12_187_325_040,
    "qwen2-vl-2b": 2_208_985_600,
    "qwen3-vl-2b": 2_127_532_032,
    "qwen3.5-27b": 27_356_728_560,
    "qwen3.5-35b-a3b": 35_107_181_936,
    "llama-4-scout": 108_641_793_536,
    "llava-1.5-7b": 7_063_427_072,
    "nemotron-super-49b": 49_867_145_216,
  };
  const folder = new URL("../../../shared/measured/configs/", import.meta.url);
  it.skipIf(!existsSync(folder)).each(Object.entries(COUNTED))("%s has %i parameters", (name, count) => {
    const config = readModelConfig(readFileSync(new URL(`${name}.json`, folder), "utf8"));
    const { weights, otherParameters } = servedModel(config);
    expect(parameterCount(weights) + otherParameters).toBe(count);
  });

  // nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16, published with 31.6 billion parameters
  const nano = `{"model_type":"nemotron_h","head_dim":128,"hidden_size":2688,"num_hidden_layers":52,"conv_kernel":4,"expand":2,
    "hybrid_override_pattern":"MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME","intermediate_size":1856,"mamba_head_dim":64,
    "mamba_num_heads":64,"moe_intermediate_size":1856,"moe_shared_expert_intermediate_size":3712,"n_groups":8,"n_routed_experts":128,
    "n_shared_experts":1,"num_attention_heads":32,"num_key_value_heads":2,"ssm_state_size":128,"num_experts_per_tok":6,
    "time_step_limit":[0.0,Infinity],"tie_word_embeddings":false,"vocab_size":131072}`;
  it("reads a hybrid of Mamba, attention and experts, and Python's infinity", () => {
    const { weights, shape } = servedModel(readModelConfig(nano));
    expect(shape.layers.filter(({ state }) => state !== null)).toHaveLength(23);
    expect(shape.layers.filter(({ attention }) => attention !== null)).toHaveLength(6);
    expect(parameterCount(weights) / 1e9).toBeCloseTo(31.6, 1);
  });

  it("leaves alone what a configuration's list names", () => {
    const { config } = model("meta-llama/Llama-3.1-8B");
    const bytes = (names: readonly string[]) => {
      const own = { quant_method: "fp8", weight_block_size: [128, 128], modules_to_not_convert: names };
      const answer = weightsIn({ config: { ...config, quantization_config: own } }, undefined);
      if (!answer.ok) throw new Error(answer.error.code);
      return answer.value.bytes;
    };
    // 4096 x 14336 values of one matrix in 16 bits in place of 8, whose scales go: 4 bytes for 128 x 128
    const one = 4096 * 14_336 * (1 - 4 / 128 ** 2);
    expect(bytes(["lm_head", "model.layers.0.mlp.up_proj"]) - bytes(["lm_head"])).toBe(one);
    expect(bytes(["model.layers.1.mlp"]) - bytes(["lm_head"])).toBe(3 * one);
    expect(bytes(["re:.*mlp.up_proj"]) - bytes(["lm_head"])).toBe(32 * one);
    expect(bytes(["up_proj"]) - bytes(["lm_head"])).toBe(32 * one);
  });
});

describe("GGUF mixes", () => {
  const file = new URL("gguf-sizes.json", import.meta.url);
  const { sizes } = JSON.parse(readFileSync(file, "utf8")) as { sizes: Record<string, Record<string, number>> };

  it.each(Object.keys(sizes))("of %s are as large as llama-quantize makes them", (name) => {
    const { config } = model(name);
    // The converter leaves out the 64 rows that the multimodal class adds.
    const text = name.startsWith("google/gemma-3")
      ? { ...(config["text_config"] as object), vocab_size: 262_144, num_attention_heads: 16, num_key_value_heads: 8 }
      : config;
    const served = servedModel(text as typeof config);
    const off = Object.entries(sizes[name]!).flatMap(([mix, mib]) => {
      const { tensors } = ggufFromConfig(
        served,
        GGUF_MIXES.find((row) => row.name === mix)!,
      );
      const ours = tensors.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
      return Math.abs(ours - mib) < 0.011 ? [] : [[mix, ours, mib]];
    });
    expect(off).toEqual([]);
  });
});

describe("weight formats", () => {
  const matrix = { role: "ffn_up", layer: 0, columns: 4096, rows: 14_336, copies: 1, kind: "matrix" } as const;
  /** Bytes per value. */
  const perValue = (name: string): number => weightBytes(findWeightFormat(name)!, matrix, 2) / (4096 * 14_336);

  it.each([
    ["bf16", 2],
    ["fp8-block", 1 + 4 / 128 / 128],
    ["int8", 1 + 4 / 4096],
    ["nf4", 0.5 + 4 / 64],
    ["nf4-double", 0.5 + 1 / 64 + 4 / (64 * 256)],
    ["gptq", 0.51953125 + 4 / 14_336],
    ["awq", 0.51953125],
    ["mxfp4", 2],
    ["nvfp4", 0.5 + 1 / 16],
  ])("%s", (name, expected) => expect(perValue(name)).toBeCloseTo(expected, 4));

  it.each([
    [64, 128, 9216],
    [4096, 1024, 4_718_592],
    [32, 64, 2304],
  ])("sparse 2:4 of %i x %i is as large as what PyTorch packs", (rows, columns, bytes) => {
    expect(weightBytes(findWeightFormat("2:4")!, { ...matrix, rows, columns }, 2)).toBe(bytes);
  });

  it("of gpt-oss make 12.8 and 60.8 GiB, as its model card says", () => {
    const size = (name: string): number => {
      const { config, parameters } = model(name);
      const answer = weightsIn({ config, parameters }, undefined);
      return answer.ok ? answer.value.bytes / 2 ** 30 : NaN;
    };
    expect(size("openai/gpt-oss-20b")).toBeCloseTo(12.816, 2);
    expect(size("openai/gpt-oss-120b")).toBeCloseTo(60.768, 2);
  });

  it("of a family that is not listed are known by the count, as far as that goes", () => {
    const { config, parameters } = model("google/vit-base-patch16-224");
    expect(weightsIn({ config, parameters }, undefined)).toMatchObject({ ok: true, value: { bytes: 2 * 86_567_656 } });
    expect(weightsIn({ config, parameters }, "nf4")).toMatchObject({
      ok: false,
      error: { code: "unknown_family_quant" },
    });
    expect(weightsIn({ config }, undefined)).toMatchObject({ ok: false, error: { code: "unknown_family" } });
  });

  it("save 3 GB with double quantization of a 65B model, as the paper says", () => {
    const values = 65e9;
    const saved = (4 / 64 - 1 / 64 - 4 / (64 * 256)) * values;
    expect(saved / 1e9).toBeCloseTo(3.03, 2);
  });
});

describe("names", () => {
  it.each([
    ["llama-3.1-8b", "meta-llama/Llama-3.1-8B-Instruct"],
    ["Qwen 2.5 7B", "Qwen/Qwen2.5-7B"],
    ["gpt2", "openai-community/gpt2"],
    ["mistral-7b", "mistralai/Mistral-7B-v0.1"],
    ["gemma 3 27b", "google/gemma-3-27b-pt"],
    ["meta-llama/llama-2-7b-hf", "meta-llama/Llama-2-7b-hf"],
  ])("%s is %s", (typed, name) => expect(findModel(typed)).toMatchObject({ ok: true, value: { name } }));

  it.each([
    ["llama", "unknown_model_nearest"],
    ["qwen3", "unknown_model_nearest"],
    ["mistral-7b-v9", "unknown_model_nearest"],
    ["no such thing at all", "unknown_model"],
    ["", "unknown_model"],
  ])("%s is no model", (typed, code) => expect(findModel(typed)).toMatchObject({ ok: false, error: { code } }));
});

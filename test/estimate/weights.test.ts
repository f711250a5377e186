/** Weights without Python: parameter counts as the transformers classes have them, sizes of GGUF mixes, bytes of weight formats. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueModels, findModel } from "../../src/estimate/catalogue.ts";
import { weightsIn } from "../../src/estimate/engines.ts";
import { GGUF_MIXES } from "../../src/estimate/gguf-mix.ts";
import { ggufFromConfig } from "../../src/estimate/gguf-model.ts";
import { servedModel } from "../../src/estimate/served-model.ts";
import { decoderConfig } from "../../src/estimate/model-shape.ts";
import { DECODER_FAMILIES } from "../../src/estimate/decoder-families.ts";
import { parameterCount } from "../../src/estimate/weight-list.ts";
import { findWeightFormat, weightBytes } from "../../src/estimate/weight-formats.ts";

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
      // Towers for images are not listed; they are what is missing, and are never more than a few billion.
      const missing = parameters - listed;
      const buffers = weights.reduce((sum, { buffer, columns }) => sum + (buffer === true ? columns : 0), 0);
      const isTower = shape.hasTowers && missing > 0 && missing < 3e9;
      return missing === 0 || missing === buffers || isTower ? [] : [[name, missing]];
    });
    expect(off).toEqual([]);
  });

  it("of a tower are what the text model does not explain", () => {
    const { config, parameters } = model("llava-hf/llava-1.5-7b-hf");
    expect(servedModel(config, parameters).otherParameters).toBe(324_487_168);
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

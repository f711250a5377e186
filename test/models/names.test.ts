/** Names of published models: ids of one line, mirrors, and what an id says of the format of its weights. */

import { describe, expect, it } from "vitest";
import { findModel } from "../../src/models/catalogue.ts";
import { weightsIn } from "../../src/serving/engines.ts";

const model = (typed: string) => {
  const found = findModel(typed);
  if (!found.ok) throw new Error(`${typed}: ${found.error.code}`);
  return found.value;
};

describe("names", () => {
  it.each([
    ["deepseek-ai/DeepSeek-R1", "deepseek-ai/DeepSeek-V3"],
    ["DeepSeek-R1-0528", "deepseek-ai/DeepSeek-V3"],
    ["NousResearch/Hermes-3-Llama-3.1-8B", "meta-llama/Llama-3.1-8B-Instruct"],
    ["unsloth/Meta-Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B-Instruct"],
    ["mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistralai/Mistral-Small-3.1-24B-Instruct-2503"],
    ["Qwen/Qwen3-4B-Thinking-2507", "Qwen/Qwen3-4B"],
    ["EleutherAI/pythia-1.4b-deduped", "EleutherAI/pythia-1.4b"],
    ["zai-org/GLM-4.7", "zai-org/GLM-4.6"],
    ["qwen2.5-omni-7b", "Qwen/Qwen2.5-Omni-7B"],
    ["phi-3-medium", "microsoft/Phi-3-medium-4k-instruct"],
    ["kimi-vl-a3b", "moonshotai/Kimi-VL-A3B-Instruct"],
  ])("%s is %s", (typed, name) => expect(model(typed).name).toBe(name));

  it("that no line has stay unknown, with a format or without", () => {
    for (const typed of ["nobody/Nothing-7B", "nobody/Nothing-7B-AWQ", "-AWQ", "AWQ", "GGUF"])
      expect(findModel(typed)).toMatchObject({ ok: false });
  });
});

describe("formats in names", () => {
  const LLAMA = "meta-llama/Llama-3.1-8B-Instruct";
  it.each([
    ["unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", LLAMA, "nf4-double"],
    ["unsloth/Llama-3.1-8B-Instruct-unsloth-bnb-4bit", LLAMA, "nf4-double"],
    ["hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", LLAMA, "awq-g128"],
    ["TheBloke/Mistral-7B-Instruct-v0.2-GPTQ", "mistralai/Mistral-7B-Instruct-v0.2", "gptq-4bit-g128"],
    ["Qwen/Qwen2.5-7B-Instruct-GPTQ-Int8", "Qwen/Qwen2.5-7B-Instruct", "gptq-8bit-g128"],
    ["Qwen/Qwen3-8B-FP8", "Qwen/Qwen3-8B", "fp8-block"],
    ["RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8-dynamic", LLAMA, "fp8"],
    ["RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", LLAMA, "w4a16"],
    ["nvidia/Llama-3.1-8B-Instruct-NVFP4", LLAMA, "nvfp4"],
    ["bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", LLAMA, "bf16"],
  ])("%s is %s as %s", (typed, name, format) => {
    const found = model(typed);
    expect(found.name).toContain(`${typed} (${name}, `);
    const weights = weightsIn({ config: found.config, parameters: found.parameters }, undefined);
    expect(weights).toMatchObject({ ok: true, value: { format } });
  });
});

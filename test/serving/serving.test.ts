/** Serving engines: their own rules against published start-ups and against buffers that llama.cpp reports. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findModel } from "../../src/models/catalogue.ts";
import { estimateServing, type ServingInput, type ServingOptions } from "../../src/serving/engines.ts";
import { cacheSize, crossCacheBytes } from "../../src/serving/kv-cache.ts";
import { modelShape } from "../../src/models/model-shape.ts";
import { partBytes, type ServingEstimate } from "../../src/serving/serving.ts";
import { sglangStaticFraction } from "../../src/serving/sglang.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { ROOT } from "../helpers.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const ROOMY: ServingOptions = { totalBytes: 2 ** 50, contextBytes: 0 };

const inputOf = (name: string): ServingInput => {
  const found = findModel(name);
  if (!found.ok) throw new Error(`${name}: ${found.error.code}`);
  return found.value;
};
const serve = (engine: string, input: ServingInput, options: Partial<ServingOptions>): ServingEstimate => {
  const answer = estimateServing(engine, input, { ...ROOMY, ...options });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
};

interface Figure {
  readonly point: string;
  readonly value: number;
  readonly unit: string;
}
interface Case {
  readonly id: string;
  readonly engine: string;
  readonly model: string | null;
  readonly config?: ServingInput["config"];
  readonly options: Omit<ServingOptions, "totalBytes" | "contextBytes"> & { readonly totalGiB: number };
  readonly figures: readonly Figure[];
}
const file = join(ROOT, "test", "measured", "cases", "serving.json");
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly Case[] };
const release19 = cases.filter(({ id }) => id.startsWith("vllm019-"));

describe("vLLM 0.19 on an H100", () => {
  it.each(release19.map((entry) => [entry.id, entry] as const))("%s", (_, { model, options, figures }) => {
    const { totalGiB, ...rest } = options;
    const estimate = serve("vllm", inputOf(model!), { ...rest, totalBytes: totalGiB * GIB });
    const measured = (point: string) => figures.find((figure) => figure.point === point)!.value;
    const loaded = (partBytes(estimate, "weights") + partBytes(estimate, "rotary_tables")) / GIB;
    expect(Math.abs(loaded / measured("loaded") - 1)).toBeLessThan(0.003);
    expect(Math.abs(estimate.cacheTokens! / measured("cache") - 1)).toBeLessThan(0.03);
    const graphs = estimate.parts.find(({ code }) => code === "cuda_graphs")!;
    expect(graphs.lowBytes / GIB).toBeLessThan(measured("graphs"));
    expect(graphs.highBytes / GIB).toBeGreaterThan(measured("graphs"));
    if (!figures.some(({ point }) => point === "activations")) return;
    expect(Math.abs(partBytes(estimate, "activations") / GIB / measured("activations") - 1)).toBeLessThan(0.015);
  });
});

describe("vLLM's graphs and profile run", () => {
  const partOf = (code: "cuda_graphs" | "activations", input: ServingInput, options: Partial<ServingOptions>): number =>
    partBytes(serve("vllm", input, { version: "0.19", contextLength: 8192, ...options }), code);
  const llama = inputOf("meta-llama/Llama-3.1-8B");

  it("keep parts of attention on Hopper alone, and since whole steps are in graphs", () => {
    const graphs = (architecture: string, version: string): number =>
      partOf("cuda_graphs", llama, { architecture, version });
    // flash_attn.py: 32 parts of 32 heads for 512 tokens, 128 results and a maximum each
    const parts = 32 * 32 * 512 * 129 * 4;
    expect(graphs("Hopper", "0.19") - graphs("Ada", "0.19")).toBe(parts);
    expect(graphs("Hopper", "0.10")).toBe(graphs("Ada", "0.10"));
  });

  it("choose no token for models that give vectors", () => {
    const pooling = { config: { ...llama.config, architectures: ["LlamaModel"] } };
    const most = partOf("activations", llama, {});
    const without = partOf("activations", pooling, {});
    expect(without).toBeLessThan(0.6 * most);
  });
});

describe("MXFP4", () => {
  it("is rounded up to the sides that vLLM's kernel wants", () => {
    // mxfp4.py: 32 experts of 2,880 in 24 layers, as 3,072 by 2,944; half a byte a value and a byte of scale per 32
    const parts = (sides: number): number => 24 * 32 * 3 * sides * (1 / 2 + 1 / 32);
    const shape = inputOf("openai/gpt-oss-20b");
    const engine = partBytes(serve("vllm", shape, { quant: "mxfp4", contextLength: 8192 }), "weights");
    const file = 24 * 32 * (2880 + 2 * 2880) * 2 + parts(2880 * 2880);
    const others = engine - parts(3072 * 2944);
    // embedding and head, attention with its biases and sinks, routers, norms and the experts' biases, in 16 bits
    const attention = 2880 * (64 + 2 * 8) * 64 + 64 * 64 * 2880 + (64 + 2 * 8) * 64 + 2880 + 64;
    const kept = 2 * (2 * 201_088 * 2880 + 24 * (attention + 32 * 2881 + 2 * 2880) + 2880) + file - parts(2880 * 2880);
    // each layer's blocks have remainders of less than a MiB, that of four of them a layer at most
    expect(others - kept).toBeGreaterThanOrEqual(0);
    expect(others - kept).toBeLessThan(24 * 4 * MIB);
  });
});

describe("llama.cpp", () => {
  /** Cache in MiB that builds of ggml 0.27 report. */
  it.each([
    ["meta-llama/Meta-Llama-3-8B", { contextLength: 8192 }, 1024],
    ["meta-llama/Meta-Llama-3-8B", { contextLength: 131_072 }, 16_384],
    ["meta-llama/Meta-Llama-3-8B", { contextLength: 8192, cacheType: "q8_0" }, 544],
    ["meta-llama/Meta-Llama-3-8B", { contextLength: 8192, cacheType: "q4_0" }, 288],
    ["meta-llama/Llama-3.1-70B", { contextLength: 8192 }, 2560],
    ["meta-llama/Llama-2-7b-hf", { contextLength: 4096 }, 2048],
    ["google/gemma-3-12b-pt", { contextLength: 32_768 }, 2048 + 480],
    ["google/gemma-3-12b-pt", { contextLength: 131_072 }, 8192 + 480],
    ["google/gemma-3-12b-pt", { contextLength: 32_768, sequences: 4 }, 2048 + 1440],
    ["google/gemma-2-9b-it", { contextLength: 8192 }, 1344 + 756],
    ["openai/gpt-oss-20b", { contextLength: 131_072 }, 3072 + 18],
    ["openai/gpt-oss-20b", { contextLength: 131_072, batchedTokens: 2048 }, 3072 + 54],
    ["deepseek-ai/DeepSeek-V2-Lite", { contextLength: 8192 }, 243],
    ["deepseek-ai/DeepSeek-V3", { contextLength: 8192 }, 549],
  ] as const)("keeps for %s with %o", (name, options, mib) => {
    // The configuration of Gemma 3 leaves its heads to the class, whose defaults are those of the smallest model.
    const input = inputOf(name);
    const config = name.includes("gemma-3")
      ? { ...(input.config!["text_config"] as object), num_attention_heads: 16, num_key_value_heads: 8 }
      : input.config;
    const estimate = serve("llama.cpp", { config: config as ServingInput["config"] }, options);
    expect(partBytes(estimate, "kv_cache") / MIB).toBe(mib);
  });

  it("keeps 163.94 MiB of state per sequence of Mamba-2", () => {
    const estimate = serve("llama.cpp", inputOf("state-spaces/mamba2-2.7b"), { contextLength: 4096, sequences: 4 });
    expect(partBytes(estimate, "states") / MIB).toBeCloseTo(655.75, 1);
  });

  /** Compute buffers of the whole graph, in MiB. */
  it.each([
    ["meta-llama/Meta-Llama-3-8B", 8192, true, 132.02],
    ["meta-llama/Llama-2-7b-hf", 4096, true, 108.52],
    ["meta-llama/Meta-Llama-3-8B", 8192, false, 580.02],
    ["openai/gpt-oss-20b", 131_072, true, 224.65],
  ] as const)("computes %s with a context of %i, flash attention %s", (name, contextLength, flashAttention, mib) => {
    const estimate = serve("llama.cpp", inputOf(name), { contextLength, flashAttention, sequences: 1 });
    const ours = (partBytes(estimate, "compute") + partBytes(estimate, "host_compute")) / MIB;
    expect(Math.abs(ours - mib)).toBeLessThan(Math.max(0.01 * mib, 5));
  });

  it("splits Llama 3.1 8B as a published log of Q4_K_M has it", () => {
    const estimate = serve("llama.cpp", inputOf("meta-llama/Llama-3.1-8B-Instruct"), {
      quant: "Q4_K_M",
      contextLength: 8192,
      flashAttention: false,
    });
    const mib = (code: Parameters<typeof partBytes>[1]) => Number((partBytes(estimate, code) / MIB).toFixed(2));
    expect([mib("weights"), mib("host_weights"), mib("kv_cache"), mib("compute"), mib("host_compute")]).toEqual([
      4403.49, 281.81, 1024, 560, 24,
    ]);
  });

  it.each(cases.filter(({ engine }) => engine === "llama.cpp").map((entry) => [entry.id, entry] as const))(
    "%s",
    (_, { model, config, options, figures }) => {
      const { totalGiB, ...rest } = options;
      const estimate = serve("llama.cpp", config ? { config } : inputOf(model!), {
        ...rest,
        totalBytes: totalGiB * GIB,
      });
      const points = {
        cacheBytes: "kv_cache",
        compute: "compute",
        weights: "weights",
        hostWeights: "host_weights",
        hostCompute: "host_compute",
        hostOutput: "host_output",
      } as const;
      for (const { point, value } of figures) {
        if (!Object.hasOwn(points, point)) continue;
        const ours = partBytes(estimate, points[point as keyof typeof points]) / MIB;
        expect([point, Math.abs(ours - value) <= Math.max(0.01 * value, 100)]).toEqual([point, true]);
      }
    },
  );
});

describe("other engines", () => {
  it("SGLang chooses its fraction by the GPU", () => {
    expect(sglangStaticFraction(81_920 * MIB, 1, 1)).toBe(0.836);
    expect(sglangStaticFraction(24_564 * MIB, 1, 1)).toBe(0.847);
    const estimate = serve("sglang", inputOf("Qwen/Qwen3-235B-A22B"), {
      totalBytes: 80 * GIB,
      tensorParallel: 4,
      quant: "fp8-block",
    });
    expect(estimate.fits).toBe(true);
  });

  it("Ollama sets a context by the GPU, TensorRT-LLM takes a share of what is free", () => {
    const ollama = serve("ollama", inputOf("llama-3.1-8b"), { totalBytes: 24 * GIB });
    expect([ollama.contextLength, ollama.fits]).toEqual([32_768, true]);
    const tensorrt = serve("tensorrt-llm", inputOf("llama-3.1-8b"), { totalBytes: 80 * GIB });
    expect(tensorrt.cacheTokens! % 32).toBe(0);
  });

  it("say what they do not know", () => {
    const codes = [
      estimateServing("vllmm", inputOf("gpt2"), ROOMY),
      estimateServing("vllm", inputOf("gpt2"), { ...ROOMY, quant: "gptqq" }),
      estimateServing("llama.cpp", inputOf("gpt2"), { ...ROOMY, cacheType: "q9" }),
      estimateServing("vllm", { config: null }, ROOMY),
      estimateServing("vllm", inputOf("bert-base-uncased"), ROOMY),
    ].map((answer) => (answer.ok ? "" : answer.error.code));
    expect(codes).toEqual([
      "unknown_engine_nearest",
      "unknown_quant_nearest",
      "unknown_cache_type",
      "engine_needs_config",
      "unknown_family",
    ]);
    const odd = serve(
      "vllm",
      { config: { ...inputOf("llama-3.1-8b").config, model_type: "unheard_of" } },
      { totalBytes: 80 * GIB },
    );
    expect(odd.assumptions.map(({ code }) => code)).toContain("serving_family_assumed");
  });
});

describe("the cache", () => {
  const perToken = (name: string, latentPerHead = false): number =>
    cacheSize(modelShape(inputOf(name).config!), { tokens: 1, sequences: 1, keyBytes: 2, valueBytes: 2, latentPerHead })
      .totalBytes;

  it.each([
    ["meta-llama/Llama-2-7b-hf", 524_288],
    ["meta-llama/Llama-3.1-70B", 327_680],
    ["meta-llama/Llama-3.1-405B", 516_096],
    ["Qwen/Qwen2.5-7B", 57_344],
    ["Qwen/Qwen3-8B", 147_456],
    ["deepseek-ai/DeepSeek-V3", 70_272],
    ["deepseek-ai/DeepSeek-V2-Lite", 31_104],
  ])("of a token of %s takes %i bytes", (name, bytes) => expect(perToken(name)).toBe(bytes));

  it("of latents is 71 times as large when kept per head", () => {
    expect(perToken("deepseek-ai/DeepSeek-V3", true)).toBe(4_997_120);
  });

  it("of an encoder is fixed: 245.8 MB for Whisper large", () => {
    expect(crossCacheBytes(32, 1280, 1500, 1, 2)).toBe(245_760_000);
  });
});

describe("heads that ranks cannot share", () => {
  // vLLM: "Total number of attention heads (28) must be divisible by tensor parallel size (8)."
  it.each([
    ["vllm", "Qwen/Qwen2.5-7B", 8, 28],
    ["sglang", "Qwen/Qwen2.5-7B", 8, 28],
    ["tensorrt-llm", "Qwen/Qwen2.5-7B", 3, 28],
    // 28 divide by 7, the 4 of keys neither do nor can be repeated
    ["vllm", "Qwen/Qwen2.5-7B", 7, 4],
    ["vllm", "deepseek-ai/DeepSeek-V3", 3, 128],
    ["vllm", "Qwen/Qwen2.5-7B", 4, null],
    // two ranks have each head of keys
    ["vllm", "Qwen/Qwen3-8B", 16, null],
    ["vllm", "deepseek-ai/DeepSeek-V3", 8, null],
    // layers and rows are split there, not heads
    ["llama.cpp", "Qwen/Qwen2.5-7B", 3, null],
  ] as const)("%s %s on %i", (engine, name, tensorParallel, heads) => {
    const answer = estimateServing(engine, inputOf(name), { ...ROOMY, tensorParallel });
    const error = answer.ok ? null : answer.error;
    expect(error?.code ?? null).toBe(heads === null ? null : "serving_heads_ranks");
    if (heads !== null) expect(error!.args).toMatchObject({ heads, ranks: tensorParallel });
  });
});

it("GPUs are found by the names of engines' logs", () => expect(findGpu("NVIDIA H100 80GB HBM3").ok).toBe(true));

// configuration_llama4.py: layer_types is full_attention where no_rope_layers is 0, which is every fourth layer
describe("Llama 4", () => {
  it.each(["llama-4-scout", "llama-4-maverick"])("%s keeps every token in each fourth layer", (name) => {
    const { layers } = modelShape(inputOf(name).config!);
    const whole = layers.flatMap(({ attention }, index) => (attention?.window === null ? [index + 1] : []));
    expect(whole).toEqual(Array.from({ length: 12 }, (_, index) => 4 * (index + 1)));
  });

  it("does not hold ten million tokens on eight H100", () => {
    const gpu = findGpu("h100-80gb");
    if (!gpu.ok) throw new Error("no H100");
    const estimate = serve("vllm", inputOf("llama-4-scout"), { totalBytes: gpu.value.totalBytes, tensorParallel: 8 });
    // 12 layers of 10,485,760 tokens with one key head of 128 each on a rank: 60 GiB
    expect(estimate.fits).toBe(false);
    expect(estimate.concurrency).toBeLessThan(1);
  });
});

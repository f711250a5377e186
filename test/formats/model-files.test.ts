/** Headers of models' files: what they say, and that broken and hostile ones give an error, never a crash or a large allocation. */

import { describe, expect, it } from "vitest";
import { estimateServing, weightsIn } from "../../src/serving/engines.ts";
import { configOfGguf } from "../../src/serving/gguf-model.ts";
import {
  bytesReader,
  ModelFileError,
  readGguf,
  readModelConfig,
  readModelFile,
  readModelFolder,
  readSafetensors,
  readSafetensorsIndex,
  type ModelFolder,
} from "../../src/formats/index.ts";
import { CONFIG_SAMPLE, GGUF_BYTES, ggufSample, INDEX_SAMPLE, safetensorsSample } from "./model-file-samples.ts";

const SHARDS = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"] as const;

function folderOf(files: Readonly<Record<string, Uint8Array | string>>): ModelFolder {
  return {
    names: Object.keys(files),
    open: (name) => {
      const content = Object.hasOwn(files, name) ? files[name]! : null;
      return content === null ? null : bytesReader(typeof content === "string" ? Buffer.from(content) : content);
    },
  };
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ModelFileError) return error.code;
    throw error;
  }
  return "none";
}

describe("a safetensors file", () => {
  it("gives names, types, shapes and bytes", () => {
    const { tensors, metadata, dataIsCut } = readSafetensors(bytesReader(safetensorsSample()));
    expect(tensors.map(({ dtype, shape, bytes }) => [dtype, shape, bytes])).toEqual([
      ["BF16", [32, 16], 1024],
      ["F8_E4M3", [64, 16], 1024],
      ["F32", [64, 1], 256],
      ["F4", [3, 6], 9],
      ["I64", [], 8],
    ]);
    expect([metadata.get("format"), dataIsCut]).toEqual(["pt", false]);
  });

  it("may be a header alone", () => {
    expect(readSafetensors(bytesReader(safetensorsSample(false))).dataIsCut).toBe(true);
  });

  it("is refused where names repeat or data lie over each other or apart, as the format's library does", () => {
    const open = (text: string) => {
      const header = Buffer.from(text);
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(header.length));
      return () => readSafetensors(bytesReader(Buffer.concat([length, header, Buffer.alloc(64)])));
    };
    const entry = (name: string, from: number, to: number) =>
      `"${name}":{"dtype":"U8","shape":[${to - from}],"data_offsets":[${from},${to}]}`;
    expect(open(`{${entry("a", 0, 8)},${entry("b", 8, 16)},${entry("e", 16, 16)}}`)().tensors.length).toBe(3);
    expect(open(`{${entry("a", 0, 8)},${entry("\\u0061", 8, 16)}}`)).toThrow("model-file-same-name");
    expect(open(`{${entry("a", 0, 8)},${entry("b", 4, 12)}}`)).toThrow("model-file-overlap");
    expect(open(`{${entry("a", 0, 8)},${entry("b", 0, 8)}}`)).toThrow("model-file-overlap");
    expect(open(`{${entry("a", 0, 8)},${entry("b", 9, 12)}}`)).toThrow("model-file-hole");
    expect(open(`{${entry("a", 1, 8)}}`)).toThrow("model-file-hole");
  });

  it("is refused where its header cannot be", () => {
    const withHeader = (header: unknown) => {
      const text = Buffer.from(JSON.stringify(header));
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(text.length));
      return bytesReader(Buffer.concat([length, text]));
    };
    const one = (entry: unknown) => codeOf(() => readSafetensors(withHeader({ a: entry })));
    expect(one({ dtype: "BF16", shape: [2, 2], data_offsets: [0, 9] })).toBe("model-file-bad-tensor");
    expect(one({ dtype: "Q9", shape: [2], data_offsets: [0, 4] })).toBe("model-file-unknown-type");
    expect(one({ dtype: "BF16", shape: [2 ** 40, 2 ** 40], data_offsets: [0, 4] })).toBe("model-file-bad-tensor");
    expect(one({ dtype: "BF16", shape: [-1], data_offsets: [0, 4] })).toBe("model-file-bad-tensor");
    expect(one(7)).toBe("model-file-bad-tensor");
    const huge = Buffer.alloc(16, 0xff);
    expect(codeOf(() => readSafetensors(bytesReader(huge)))).toBe("model-file-too-large");
    expect(codeOf(() => readSafetensors(bytesReader(Buffer.alloc(3))))).toBe("model-file-truncated");
  });
});

describe("an index", () => {
  it("gives the total, and shapes where the shards are there", () => {
    expect(readSafetensorsIndex(INDEX_SAMPLE)).toMatchObject({ totalBytes: 4642, shards: SHARDS });
    const shard = safetensorsSample(false);
    const whole = { "model.safetensors.index.json": INDEX_SAMPLE, [SHARDS[0]]: shard, [SHARDS[1]]: shard };
    expect(readModelFolder(folderOf(whole))).toMatchObject({ kind: "safetensors", weightBytes: 4642, dataIsCut: true });
    const lone = folderOf({ "model.safetensors.index.json": INDEX_SAMPLE });
    expect(readModelFolder(lone)).toMatchObject({ kind: "index", weightBytes: 4642, tensors: [] });
  });

  it("names only files beside it", () => {
    const of = (shard: string) => codeOf(() => readSafetensorsIndex(JSON.stringify({ weight_map: { a: shard } })));
    expect([of("../../etc/passwd"), of("/etc/passwd"), of(".."), of("ok.safetensors")]).toEqual([
      "model-file-bad-tensor",
      "model-file-bad-tensor",
      "model-file-bad-tensor",
      "none",
    ]);
  });
});

describe("a GGUF file", () => {
  it("gives metadata, types and bytes", () => {
    const { metadata, tensors, dataIsCut, version } = readGguf(bytesReader(ggufSample()));
    expect([version, dataIsCut, metadata.get("general.size")]).toEqual([3, false, 123_456_789_012]);
    expect(metadata.get("tokenizer.ggml.tokens")).toEqual({ length: 4 });
    expect(metadata.get("llama.attention.head_count_kv")).toEqual([2]);
    expect(tensors.map(({ dtype }) => dtype)).toEqual(["Q4_K", "Q6_K", "F32", "Q8_0", "MXFP4"]);
    expect(tensors[3]!.shape).toEqual([2, 256, 512]);
    expect(tensors.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(GGUF_BYTES);
  });

  it("may be a header alone, or one of several parts", () => {
    expect(readGguf(bytesReader(ggufSample([], false))).dataIsCut).toBe(true);
    const part = (index: number) =>
      ggufSample([
        ["split.no", 4, index],
        ["split.count", 4, 2],
      ]);
    const names = ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"];
    const both = folderOf({ [names[0]!]: part(0), [names[1]!]: part(1) });
    expect(readModelFile(names[1]!, both).weightBytes).toBe(2 * GGUF_BYTES);
    expect(codeOf(() => readModelFile(names[0]!, folderOf({ [names[0]!]: part(0) })))).toBe("model-file-missing-part");
  });

  it("is told apart from other files by its first bytes", () => {
    expect(readModelFile("weights", folderOf({ weights: ggufSample() })).kind).toBe("gguf");
    expect(readModelFile("weights", folderOf({ weights: safetensorsSample() })).kind).toBe("safetensors");
    expect(codeOf(() => readModelFile("a.gguf", folderOf({ "a.gguf": "nothing" })))).toBe("model-file-unknown");
    expect(configOfGguf(readGguf(bytesReader(ggufSample())))).toMatchObject({ hidden_size: 256, vocab_size: 32 });
  });
});

describe("a configuration", () => {
  it("is refused with the field that is missing or absurd", () => {
    const errorOf = (fields: object) => {
      try {
        const config = readModelConfig(JSON.stringify({ ...JSON.parse(CONFIG_SAMPLE), ...fields }));
        estimateServing("vllm", { config }, { totalBytes: 2 ** 34, contextBytes: 0 });
      } catch (error) {
        if (error instanceof ModelFileError) return [error.code, error.args["field"]];
        throw error;
      }
      return "none";
    };
    expect(errorOf({})).toBe("none");
    expect(errorOf({ hidden_size: -5 })).toEqual(["config-bad-field", "hidden_size"]);
    expect(errorOf({ num_hidden_layers: 1e9 })).toEqual(["config-bad-field", "num_hidden_layers"]);
    expect(errorOf({ vocab_size: "many" })).toEqual(["config-bad-field", "vocab_size"]);
    expect(errorOf({ num_key_value_heads: 64 })).toEqual(["config-bad-field", "num_key_value_heads"]);
    expect(errorOf({ hidden_size: null })).toEqual(["config-missing-field", "hidden_size"]);
    expect(codeOf(() => readModelConfig("{"))).toBe("model-file-not-json");
    expect(codeOf(() => readModelConfig("[]"))).toBe("model-file-not-json");
  });
});

/** A small generator with a fixed seed: the same inputs in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function mutated(sample: Buffer, random: () => number): Buffer {
  const bytes = Buffer.from(sample);
  const upTo = (most: number) => Math.floor(random() * most);
  for (let changes = 1 + upTo(6); changes > 0; changes--) {
    const at = upTo(Math.min(bytes.length, 1500));
    const kind = upTo(4);
    if (kind === 0) bytes[at] = upTo(256);
    else if (kind === 1) bytes[at]! ^= 1 << upTo(8);
    else if (kind === 2) bytes.fill(0xff, at, Math.min(bytes.length, at + 1 + upTo(8)));
    else bytes.copy(bytes, at, upTo(bytes.length), Math.min(bytes.length, upTo(bytes.length) + 16));
  }
  return upTo(4) === 0 ? bytes.subarray(0, upTo(bytes.length)) : bytes;
}

describe("ten thousand damaged files", () => {
  it("give a result or an error with a code, and little memory", () => {
    const random = numbers(20_261_121);
    const json = (text: string) => Buffer.from(text);
    const samples: readonly (readonly [string, Buffer])[] = [
      ["a.gguf", ggufSample([], false)],
      ["a.safetensors", safetensorsSample(false)],
      ["model.safetensors.index.json", json(INDEX_SAMPLE)],
      ["config.json", json(CONFIG_SAMPLE)],
    ];
    const codes = new Map<string, number>();
    const before = process.memoryUsage().rss;
    let slowest = 0;
    for (let i = 0; i < 10_000; i++) {
      const [name, sample] = samples[i % samples.length]!;
      const bytes = mutated(sample, random);
      const start = performance.now();
      const code = codeOf(() => {
        const files = readModelFile(name, folderOf({ [name]: bytes }));
        const config = files.config ?? (files.gguf === null ? null : configOfGguf(files.gguf));
        if (config === null) return;
        const limits = { totalBytes: 2 ** 34, contextBytes: 0 };
        for (const engine of ["vllm", "llama.cpp"]) estimateServing(engine, { config, gguf: files.gguf }, limits);
        weightsIn({ config }, "Q4_K_M");
      });
      slowest = Math.max(slowest, performance.now() - start);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(codes.size).toBeGreaterThan(6);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20);
    expect(slowest).toBeLessThan(2000);
  }, 120_000);
});

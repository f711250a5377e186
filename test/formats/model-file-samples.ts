/** Small files of models, made by the formats' own descriptions. */

type Entry = readonly [key: string, type: number, value: unknown];

class Writer {
  private readonly parts: Buffer[] = [];
  u8(value: number): this {
    this.parts.push(Buffer.from([value]));
    return this;
  }
  u32(value: number): this {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value);
    this.parts.push(part);
    return this;
  }
  u64(value: number | bigint): this {
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(BigInt(value));
    this.parts.push(part);
    return this;
  }
  text(value: string): this {
    const bytes = Buffer.from(value, "utf8");
    this.u64(bytes.length).parts.push(bytes);
    return this;
  }
  f32(value: number): this {
    const part = Buffer.alloc(4);
    part.writeFloatLE(value);
    this.parts.push(part);
    return this;
  }
  value(type: number, value: unknown): this {
    if (type === 4) return this.u32(value as number);
    if (type === 6) return this.f32(value as number);
    if (type === 7) return this.u8(value === true ? 1 : 0);
    if (type === 8) return this.text(value as string);
    if (type === 10) return this.u64(value as number);
    const [itemType, items] = value as readonly [number, readonly unknown[]];
    this.u32(itemType).u64(items.length);
    for (const item of items) this.value(itemType, item);
    return this;
  }
  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }
}

const ARRAY = 9;
const ENTRIES: readonly Entry[] = [
  ["general.architecture", 8, "llama"],
  ["general.name", 8, "sample"],
  ["general.alignment", 4, 32],
  ["general.file_type", 4, 15],
  ["llama.block_count", 4, 1],
  ["llama.context_length", 4, 2048],
  ["llama.embedding_length", 4, 256],
  ["llama.feed_forward_length", 4, 512],
  ["llama.attention.head_count", 4, 4],
  ["llama.attention.head_count_kv", ARRAY, [4, [2]]],
  ["llama.attention.layer_norm_rms_epsilon", 6, 1e-5],
  ["llama.use_parallel_residual", 7, false],
  ["tokenizer.ggml.tokens", ARRAY, [8, ["<s>", "</s>", "a", "b"]]],
  ["tokenizer.ggml.scores", ARRAY, [6, Array.from({ length: 2000 }, () => 0.5)]],
  [
    "quantize.nested",
    ARRAY,
    [
      ARRAY,
      [
        [4, [1, 2]],
        [4, [3]],
      ],
    ],
  ],
  ["general.size", 10, 123_456_789_012],
];
/** Name, dimensions (contiguous first), type, bytes. */
const TENSORS: readonly (readonly [string, readonly number[], number, number])[] = [
  ["token_embd.weight", [256, 32], 12, 32 * 144],
  ["blk.0.attn_q.weight", [256, 256], 14, 256 * 210],
  ["blk.0.attn_norm.weight", [256], 0, 1024],
  ["blk.0.ffn_down_exps.weight", [512, 256, 2], 8, 2 * 256 * 16 * 34],
  ["output.weight", [256, 32], 39, 32 * 8 * 17],
];

/** A GGUF file without its data's content; `split` makes it one part of several. */
export function ggufSample(extra: readonly Entry[] = [], withData = true): Buffer {
  const entries = [...ENTRIES, ...extra];
  const writer = new Writer().u32(0x46554747).u32(3).u64(TENSORS.length).u64(entries.length);
  for (const [key, type, value] of entries) writer.text(key).u32(type).value(type, value);
  let offset = 0;
  for (const [name, sizes, type, bytes] of TENSORS) {
    writer.text(name).u32(sizes.length);
    for (const size of sizes) writer.u64(size);
    writer.u32(type).u64(offset);
    offset += Math.ceil(bytes / 32) * 32;
  }
  const header = writer.bytes;
  const padding = Buffer.alloc(Math.ceil(header.length / 32) * 32 - header.length);
  return Buffer.concat([header, padding, Buffer.alloc(withData ? offset : 0)]);
}

export const GGUF_BYTES = TENSORS.reduce((sum, [, , , bytes]) => sum + bytes, 0);

export function safetensorsSample(withData = true): Buffer {
  const header = {
    __metadata__: { format: "pt" },
    "model.embed_tokens.weight": { dtype: "BF16", shape: [32, 16], data_offsets: [0, 1024] },
    "model.layers.0.mlp.up_proj.weight": { dtype: "F8_E4M3", shape: [64, 16], data_offsets: [1024, 2048] },
    "model.layers.0.mlp.up_proj.weight_scale": { dtype: "F32", shape: [64, 1], data_offsets: [2048, 2304] },
    packed: { dtype: "F4", shape: [3, 6], data_offsets: [2304, 2313] },
    scalar: { dtype: "I64", shape: [], data_offsets: [2313, 2321] },
  };
  const text = Buffer.from(JSON.stringify(header), "utf8");
  return Buffer.concat([new Writer().u64(text.length).bytes, text, Buffer.alloc(withData ? 2321 : 0)]);
}

export const INDEX_SAMPLE = JSON.stringify({
  metadata: { total_size: 4642 },
  weight_map: { a: "model-00001-of-00002.safetensors", b: "model-00002-of-00002.safetensors" },
});

export const CONFIG_SAMPLE = JSON.stringify({
  model_type: "llama",
  hidden_size: 256,
  intermediate_size: 512,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  vocab_size: 1000,
  rope_scaling: { rope_type: "linear", factor: 2.0 },
  layer_types: ["full_attention", "sliding_attention"],
  sliding_window: 64,
  max_position_embeddings: 512,
});

/**
 * Headers of `.safetensors` files, and the index of a model that is split into several.
 * Format: eight bytes with the header's length, the header as JSON, then the data.
 */

import { table } from "../base/table.ts";
import { field, isObject, parseObject, utf8, type JsonObject } from "./json-text.ts";
import { ModelFileError, shown } from "./model-file-error.ts";
import { elementsOf, MAX_DIMENSIONS, MAX_NAME_BYTES, MAX_TENSORS, type ModelTensor } from "./model-tensor.ts";
import type { RangeReader } from "./range-reader.ts";

/** The format's own library accepts 100 MB; a hundred thousand tensors take 15. */
export const MAX_HEADER_BYTES = 1 << 25;
export const MAX_INDEX_BYTES = 1 << 25;
const LENGTH_BYTES = 8;
const METADATA = "__metadata__";

/** Bits of a value. */
const DTYPE_BITS = table<number>({
  BOOL: 8,
  F4: 4,
  F6_E2M3: 6,
  F6_E3M2: 6,
  U8: 8,
  I8: 8,
  F8_E5M2: 8,
  F8_E4M3: 8,
  F8_E8M0: 8,
  F8_E4M3FNUZ: 8,
  F8_E5M2FNUZ: 8,
  I16: 16,
  U16: 16,
  F16: 16,
  BF16: 16,
  I32: 32,
  U32: 32,
  F32: 32,
  C64: 64,
  F64: 64,
  I64: 64,
  U64: 64,
});

export interface SafetensorsHeader {
  readonly tensors: readonly ModelTensor[];
  readonly metadata: ReadonlyMap<string, string>;
  /** Length and header: where data begins. */
  readonly headerBytes: number;
  /** The file ends before its last tensor does. */
  readonly dataIsCut: boolean;
}

function sizes(value: unknown, most: number): number[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined;
  return value.every((size) => Number.isSafeInteger(size) && size >= 0) ? (value as number[]) : undefined;
}

interface Placed {
  readonly tensor: ModelTensor;
  readonly start: number;
  readonly end: number;
}

function readTensor(name: string, entry: unknown): Placed {
  const bad = () => new ModelFileError("model-file-bad-tensor", { name: shown(name) });
  if (name.length > MAX_NAME_BYTES || !isObject(entry)) throw bad();
  const dtype = field(entry, "dtype");
  if (typeof dtype !== "string") throw bad();
  if (!Object.hasOwn(DTYPE_BITS, dtype))
    throw new ModelFileError("model-file-unknown-type", { name: shown(name), type: shown(dtype) });
  const shape = sizes(field(entry, "shape"), MAX_DIMENSIONS);
  const offsets = sizes(field(entry, "data_offsets"), 2);
  if (shape === undefined || offsets?.length !== 2) throw bad();
  const [start, end] = offsets as [number, number];
  const elements = elementsOf(shape, name);
  const bytes = (elements * DTYPE_BITS[dtype]!) / 8;
  if (end - start !== bytes) throw bad();
  return { tensor: { name, dtype, shape, elements, bytes }, start, end };
}

/** The format allows no name twice; JSON.parse would keep the last and say nothing. The text is known to be JSON. */
function requireDistinctNames(text: string): void {
  const names = new Set<string>();
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === '"') {
      const start = at;
      for (at += 1; text[at] !== '"'; at++) if (text[at] === "\\") at += 1;
      if (depth !== 1) continue;
      const name = JSON.parse(text.slice(start, at + 1)) as string;
      // values of the outermost object are objects, so a text in it is a name
      if (names.has(name)) throw new ModelFileError("model-file-same-name", { name: shown(name) });
      names.add(name);
    }
  }
}

/** Data begins where the tensor before it ends: the format allows neither overlaps nor holes. Returns the bytes of all data. */
function requireContiguous(placed: readonly Placed[]): number {
  let end = 0;
  for (const next of placed.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (next.start !== end) {
      const code = next.start < end ? "model-file-overlap" : "model-file-hole";
      throw new ModelFileError(code, { name: shown(next.tensor.name) });
    }
    end = next.end;
  }
  return end;
}

function readMetadata(value: unknown): Map<string, string> {
  const metadata = new Map<string, string>();
  if (!isObject(value)) return metadata;
  for (const [key, text] of Object.entries(value)) if (typeof text === "string") metadata.set(key, text);
  return metadata;
}

/** Reads the header of a file; throws {@link ModelFileError}. */
export function readSafetensors(file: RangeReader): SafetensorsHeader {
  const start = file.read(0, LENGTH_BYTES);
  if (start.length < LENGTH_BYTES) throw new ModelFileError("model-file-truncated", { offset: start.length });
  const length = new DataView(start.buffer, start.byteOffset, LENGTH_BYTES).getBigUint64(0, true);
  if (length > BigInt(MAX_HEADER_BYTES))
    throw new ModelFileError("model-file-too-large", {
      what: "header",
      value: String(length),
      most: MAX_HEADER_BYTES,
    });
  const headerBytes = LENGTH_BYTES + Number(length);
  if (headerBytes > file.sizeBytes) throw new ModelFileError("model-file-truncated", { offset: file.sizeBytes });
  const text = utf8(file.read(LENGTH_BYTES, Number(length)), "safetensors header");
  const header = parseObject(text, "safetensors header");
  const entries = Object.entries(header).filter(([name]) => name !== METADATA);
  if (entries.length > MAX_TENSORS)
    throw new ModelFileError("model-file-too-large", { what: "tensors", value: entries.length, most: MAX_TENSORS });
  const placed = entries.map(([name, entry]) => readTensor(name, entry));
  requireDistinctNames(text);
  const dataBytes = requireContiguous(placed);
  return {
    tensors: placed.map(({ tensor }) => tensor),
    metadata: readMetadata(field(header, METADATA)),
    headerBytes,
    dataIsCut: headerBytes + dataBytes > file.sizeBytes,
  };
}

export interface SafetensorsIndex {
  /** Bytes of all tensors, as the index says; null where it does not. */
  readonly totalBytes: number | null;
  /** Values of all tensors, where the index says it. */
  readonly totalParameters: number | null;
  readonly tensorNames: readonly string[];
  /** File names of the shards, each once, in order. */
  readonly shards: readonly string[];
}

function count(metadata: JsonObject, name: string): number | null {
  const value = field(metadata, name);
  if (value === undefined) return null;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(Math.round(number)) || number < 0)
    throw new ModelFileError("config-bad-field", { field: name, value: shown(value) });
  return Math.round(number);
}

/** A shard's name is a file beside the index: no path that leads elsewhere. */
const SHARD_NAME = /^[\w][\w.+-]{0,254}$/;

/** Reads `model.safetensors.index.json`; throws {@link ModelFileError}. */
export function readSafetensorsIndex(text: string): SafetensorsIndex {
  if (text.length > MAX_INDEX_BYTES)
    throw new ModelFileError("model-file-too-large", { what: "index", value: text.length, most: MAX_INDEX_BYTES });
  const index = parseObject(text, "safetensors index");
  const map = field(index, "weight_map");
  if (!isObject(map)) throw new ModelFileError("config-missing-field", { field: "weight_map" });
  const names = Object.keys(map);
  if (names.length > MAX_TENSORS)
    throw new ModelFileError("model-file-too-large", { what: "tensors", value: names.length, most: MAX_TENSORS });
  const shards = new Set<string>();
  for (const name of names) {
    const shard = map[name];
    if (typeof shard !== "string" || !SHARD_NAME.test(shard) || name.length > MAX_NAME_BYTES)
      throw new ModelFileError("model-file-bad-tensor", { name: shown(name) });
    shards.add(shard);
  }
  const metadata = field(index, "metadata");
  const facts = isObject(metadata) ? metadata : {};
  return {
    totalBytes: count(facts, "total_size"),
    totalParameters: count(facts, "total_parameters"),
    tensorNames: names,
    shards: [...shards].sort(),
  };
}

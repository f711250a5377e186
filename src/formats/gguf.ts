/**
 * Headers of `.gguf` files: metadata and tensors, not the data. Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md,
 * versions 2 and 3, little end first.
 */

import { ggmlBytes, ggmlType, REMOVED_GGML_TYPES } from "./ggml-types.ts";
import { ModelFileError, shown } from "./model-file-error.ts";
import { elementsOf, MAX_NAME_BYTES, type ModelTensor } from "./model-tensor.ts";
import { Cursor, type RangeReader } from "./range-reader.ts";

const MAGIC = 0x46554747;
const DEFAULT_ALIGNMENT = 32;
const MAX_ALIGNMENT = 1 << 20;
/** GGML_MAX_DIMS. */
const MAX_GGUF_DIMENSIONS = 4;
export const MAX_GGUF_TENSORS = 1 << 17;
export const MAX_GGUF_KEYS = 1 << 12;
const MAX_KEY_BYTES = 1 << 12;
/** Chat templates are the longest strings, some ten thousand characters. */
const MAX_STRING_BYTES = 1 << 22;
/** Vocabularies and merges are the longest lists. */
const MAX_ARRAY_LENGTH = 1 << 24;
const MAX_ARRAY_DEPTH = 4;
/** Lists up to here are kept, for values by layer; of longer ones only the length. */
const KEPT_ARRAY_LENGTH = 1024;
/** Texts up to here are kept. */
const KEPT_STRING_BYTES = 1 << 12;

export type GgufScalar = number | boolean | string;
/** A list that was too long to keep. */
export interface GgufLongArray {
  readonly length: number;
}
export type GgufValue = GgufScalar | readonly GgufScalar[] | GgufLongArray;

export interface GgufHeader {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: readonly ModelTensor[];
  /** Where data begins. */
  readonly headerBytes: number;
  /** Bytes of the data with each tensor's padding. */
  readonly dataBytes: number;
  /** The file ends before its last tensor does. */
  readonly dataIsCut: boolean;
  /** This part of a file that was split, from 0, and how many there are. */
  readonly split: { readonly part: number; readonly parts: number } | null;
}

interface ScalarType {
  readonly bytes: number;
  readonly read: (cursor: Cursor) => number | boolean;
}
/** Whole numbers beyond 2^53 lose their last digits: no size in a header is so large. */
const SCALARS: Readonly<Record<number, ScalarType>> = {
  0: { bytes: 1, read: (cursor) => cursor.u8() },
  1: { bytes: 1, read: (cursor) => cursor.i8() },
  2: { bytes: 2, read: (cursor) => cursor.u16() },
  3: { bytes: 2, read: (cursor) => cursor.i16() },
  4: { bytes: 4, read: (cursor) => cursor.u32() },
  5: { bytes: 4, read: (cursor) => cursor.i32() },
  6: { bytes: 4, read: (cursor) => cursor.f32() },
  7: { bytes: 1, read: (cursor) => cursor.u8() !== 0 },
  10: { bytes: 8, read: (cursor) => Number(cursor.u64()) },
  11: { bytes: 8, read: (cursor) => Number(cursor.i64()) },
  12: { bytes: 8, read: (cursor) => cursor.f64() },
};
const STRING = 8;
const ARRAY = 9;
/** The least that an element takes, to reject counts that the file cannot hold. */
const STRING_LENGTH_BYTES = 8;

const TEXT = new TextDecoder("utf-8");

function readString(cursor: Cursor, what: string, most: number): string {
  const length = cursor.length(what, most);
  if (length > KEPT_STRING_BYTES) {
    cursor.skip(length);
    return "";
  }
  return TEXT.decode(cursor.bytes(length));
}

function readArray(cursor: Cursor, depth: number): GgufValue {
  if (depth > MAX_ARRAY_DEPTH) throw new ModelFileError("model-file-bad-header", { what: "nested lists" });
  const type = cursor.u32();
  const length = cursor.length("list", MAX_ARRAY_LENGTH);
  const scalar = SCALARS[type];
  if (scalar !== undefined) {
    if (length > KEPT_ARRAY_LENGTH) {
      cursor.skip(length * scalar.bytes);
      return { length };
    }
    return Array.from({ length }, () => scalar.read(cursor));
  }
  if (type !== STRING && type !== ARRAY)
    throw new ModelFileError("model-file-bad-header", { what: `value type ${type}` });
  if (length * STRING_LENGTH_BYTES > cursor.remainingBytes)
    throw new ModelFileError("model-file-truncated", { offset: cursor.position });
  for (let i = 0; i < length; i++) {
    if (type === STRING) cursor.skip(cursor.length("string", MAX_STRING_BYTES));
    else readArray(cursor, depth + 1);
  }
  return { length };
}

function readValue(cursor: Cursor): GgufValue {
  const type = cursor.u32();
  const scalar = SCALARS[type];
  if (scalar !== undefined) return scalar.read(cursor);
  if (type === STRING) return readString(cursor, "string", MAX_STRING_BYTES);
  if (type === ARRAY) return readArray(cursor, 1);
  throw new ModelFileError("model-file-bad-header", { what: `value type ${type}` });
}

function readTensor(cursor: Cursor): ModelTensor & { readonly offset: number } {
  const name = readString(cursor, "tensor name", MAX_NAME_BYTES);
  const dimensions = cursor.u32();
  if (dimensions > MAX_GGUF_DIMENSIONS) throw new ModelFileError("model-file-bad-tensor", { name: shown(name) });
  // The contiguous dimension comes first here, last in a shape.
  const sizes = Array.from({ length: dimensions }, () => cursor.length("dimension", Number.MAX_SAFE_INTEGER));
  const id = cursor.u32();
  const type = ggmlType(id);
  if (type === undefined || type.runtimeOnly === true) {
    const called = type?.name ?? REMOVED_GGML_TYPES.get(id) ?? String(id);
    throw new ModelFileError("model-file-unknown-type", { name: shown(name), type: called });
  }
  const offset = cursor.length("offset", Number.MAX_SAFE_INTEGER);
  const elements = elementsOf(sizes, name);
  const row = sizes[0] ?? 1;
  const bytes = row === 0 ? 0 : ggmlBytes(type, row, elements / row);
  if (row % type.blockSize !== 0 || !Number.isSafeInteger(bytes) || !Number.isSafeInteger(offset + bytes))
    throw new ModelFileError("model-file-bad-tensor", { name: shown(name) });
  return { name, dtype: type.name, shape: sizes.reverse(), elements, bytes, offset };
}

function whole(metadata: ReadonlyMap<string, GgufValue>, key: string, most: number): number | null {
  const value = metadata.get(key);
  if (value === undefined) return null;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0 || value > most)
    throw new ModelFileError("config-bad-field", { field: key, value: shown(value) });
  return value;
}

/** Reads the header of a file; throws {@link ModelFileError}. */
export function readGguf(file: RangeReader): GgufHeader {
  const cursor = new Cursor(file);
  if (cursor.u32() !== MAGIC) throw new ModelFileError("model-file-unknown");
  const version = cursor.u32();
  if (version !== 2 && version !== 3) throw new ModelFileError("model-file-version", { version });
  const tensorCount = cursor.length("tensors", MAX_GGUF_TENSORS);
  const keyCount = cursor.length("keys", MAX_GGUF_KEYS);
  const metadata = new Map<string, GgufValue>();
  for (let i = 0; i < keyCount; i++) {
    const key = readString(cursor, "key", MAX_KEY_BYTES);
    metadata.set(key, readValue(cursor));
  }
  const alignment = whole(metadata, "general.alignment", MAX_ALIGNMENT) ?? DEFAULT_ALIGNMENT;
  if (alignment === 0 || alignment % 8 !== 0)
    throw new ModelFileError("config-bad-field", { field: "general.alignment", value: alignment });
  const tensors: ModelTensor[] = [];
  const names = new Set<string>();
  let dataBytes = 0;
  for (let i = 0; i < tensorCount; i++) {
    const { offset, ...tensor } = readTensor(cursor);
    if (offset % alignment !== 0) throw new ModelFileError("model-file-bad-tensor", { name: shown(tensor.name) });
    // as llama.cpp does
    if (names.has(tensor.name)) throw new ModelFileError("model-file-same-name", { name: shown(tensor.name) });
    names.add(tensor.name);
    tensors.push(tensor);
    dataBytes = Math.max(dataBytes, offset + Math.ceil(tensor.bytes / alignment) * alignment);
  }
  const headerBytes = Math.ceil(cursor.position / alignment) * alignment;
  const parts = whole(metadata, "split.count", 0xffff) ?? 0;
  const split = parts > 1 ? { part: whole(metadata, "split.no", parts - 1) ?? 0, parts } : null;
  const dataIsCut = headerBytes + dataBytes - (alignment - 1) > file.sizeBytes;
  return { version, metadata, tensors, headerBytes, dataBytes, dataIsCut, split };
}

const SPLIT_NAME = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/;

/** Names of all parts of a split file from the name of one; null where the name is not of that kind. */
export function ggufParts(name: string): readonly string[] | null {
  const match = SPLIT_NAME.exec(name);
  if (match === null) return null;
  const parts = Number(match[3]);
  const digits = (value: number) => String(value).padStart(5, "0");
  return Array.from({ length: parts }, (_, i) => `${match[1]}-${digits(i + 1)}-of-${match[3]}.gguf`);
}

/** One model of all its parts: metadata of the first, tensors of all. */
export function joinGguf(parts: readonly GgufHeader[]): GgufHeader {
  const [first] = parts;
  if (first === undefined) throw new ModelFileError("model-file-missing-part", { part: 1 });
  return {
    ...first,
    tensors: parts.flatMap((part) => part.tensors),
    dataBytes: parts.reduce((sum, part) => sum + part.dataBytes, 0),
    dataIsCut: parts.some((part) => part.dataIsCut),
  };
}

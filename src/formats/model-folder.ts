/**
 * A model as people have it: a `config.json`, a `.safetensors` file, an index with its shards, a `.gguf` file with its parts,
 * or a folder of them. Names decide nothing; the first bytes do.
 */

import { readGguf, ggufParts, joinGguf, type GgufHeader } from "./gguf.ts";
import { field, isObject, parseObject, utf8, type JsonObject } from "./json-text.ts";
import { checkModelConfig, type ModelConfig } from "./model-config.ts";
import { ModelFileError, shown } from "./model-file-error.ts";
import type { ModelTensor } from "./model-tensor.ts";
import type { RangeReader } from "./range-reader.ts";
import { MAX_INDEX_BYTES, readSafetensors, readSafetensorsIndex, type SafetensorsIndex } from "./safetensors.ts";

/** Files of one directory. */
export interface ModelFolder {
  /** File names, without directories. */
  readonly names: readonly string[];
  /** The file of a name, or null where there is none. */
  open(name: string): RangeReader | null;
}

export interface ModelFiles {
  /** `index`: names and total of the tensors are known, their shapes are not, because shards are missing. */
  readonly kind: "config" | "safetensors" | "index" | "gguf";
  readonly config: ModelConfig | null;
  readonly tensors: readonly ModelTensor[];
  readonly index: SafetensorsIndex | null;
  readonly gguf: GgufHeader | null;
  /** Bytes of the weights, where the files tell them. */
  readonly weightBytes: number | null;
  /** The data is cut off: only the header was there. */
  readonly dataIsCut: boolean;
}

const CONFIG = "config.json";
const INDEX_NAMES = ["model.safetensors.index.json", "diffusion_pytorch_model.safetensors.index.json"];
const GGUF_MAGIC = 0x46554747;
const SNIFFED_BYTES = 9;
const OPENING_BRACE = 0x7b;
/** A model in more files than this is none. */
const MAX_SHARDS = 4096;

function textOf(file: RangeReader, what: string): string {
  if (file.sizeBytes > MAX_INDEX_BYTES)
    throw new ModelFileError("model-file-too-large", { what, value: file.sizeBytes, most: MAX_INDEX_BYTES });
  return utf8(file.read(0, file.sizeBytes), what);
}

const sumBytes = (tensors: readonly ModelTensor[]): number => tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);

function opened(folder: ModelFolder, name: string): RangeReader {
  const file = folder.open(name);
  if (file === null) throw new ModelFileError("model-file-missing-part", { part: shown(name) });
  return file;
}

const NOTHING: ModelFiles = {
  kind: "config",
  config: null,
  tensors: [],
  index: null,
  gguf: null,
  weightBytes: null,
  dataIsCut: false,
};

function configOf(folder: ModelFolder): ModelConfig | null {
  const file = folder.open(CONFIG);
  return file === null ? null : checkModelConfig(parseObject(textOf(file, CONFIG), CONFIG));
}

function fromSafetensors(file: RangeReader, folder: ModelFolder): ModelFiles {
  const { tensors, dataIsCut } = readSafetensors(file);
  return {
    ...NOTHING,
    kind: "safetensors",
    config: configOf(folder),
    tensors,
    weightBytes: sumBytes(tensors),
    dataIsCut,
  };
}

function fromShards(names: readonly string[], folder: ModelFolder, index: SafetensorsIndex | null): ModelFiles {
  if (names.length > MAX_SHARDS)
    throw new ModelFileError("model-file-too-large", { what: "shards", value: names.length, most: MAX_SHARDS });
  const files = names.map((name) => folder.open(name));
  const config = configOf(folder);
  if (files.some((file) => file === null))
    return { ...NOTHING, kind: "index", config, index, weightBytes: index?.totalBytes ?? null };
  const headers = files.map((file) => readSafetensors(file!));
  const tensors = headers.flatMap((header) => header.tensors);
  const dataIsCut = headers.some((header) => header.dataIsCut);
  return { ...NOTHING, kind: "safetensors", config, tensors, index, weightBytes: sumBytes(tensors), dataIsCut };
}

function fromGguf(file: RangeReader, name: string, folder: ModelFolder): ModelFiles {
  const first = readGguf(file);
  let whole = first;
  if (first.split !== null) {
    const names = ggufParts(name);
    if (names === null || names.length !== first.split.parts)
      throw new ModelFileError("model-file-missing-part", { part: `${first.split.part + 1} of ${first.split.parts}` });
    if (names.length > MAX_SHARDS)
      throw new ModelFileError("model-file-too-large", { what: "parts", value: names.length, most: MAX_SHARDS });
    whole = joinGguf(names.map((part) => (part === name ? first : readGguf(opened(folder, part)))));
  }
  const { tensors, dataIsCut } = whole;
  return { ...NOTHING, kind: "gguf", tensors, gguf: whole, weightBytes: sumBytes(tensors), dataIsCut };
}

function fromJson(text: string, name: string, folder: ModelFolder): ModelFiles {
  const object: JsonObject = parseObject(text, name);
  if (!isObject(field(object, "weight_map"))) return { ...NOTHING, config: checkModelConfig(object) };
  const index = readSafetensorsIndex(text);
  return fromShards(index.shards, folder, index);
}

/** What one file of a folder says; throws {@link ModelFileError}. */
export function readModelFile(name: string, folder: ModelFolder): ModelFiles {
  const file = opened(folder, name);
  const start = file.read(0, SNIFFED_BYTES);
  const magic = start.length >= 4 ? new DataView(start.buffer, start.byteOffset, 4).getUint32(0, true) : 0;
  if (magic === GGUF_MAGIC) return fromGguf(file, name, folder);
  // A safetensors header begins after its length, at the ninth byte; spaces may stand before JSON.
  if (start.length === SNIFFED_BYTES && start[8] === OPENING_BRACE && start[0] !== OPENING_BRACE && start[7] === 0)
    return fromSafetensors(file, folder);
  if (/\.safetensors$/i.test(name)) return fromSafetensors(file, folder);
  if (/\.gguf$/i.test(name)) throw new ModelFileError("model-file-unknown");
  return fromJson(textOf(file, name), name, folder);
}

/** What a folder says: its weights where headers are there, its configuration otherwise; throws {@link ModelFileError}. */
export function readModelFolder(folder: ModelFolder): ModelFiles {
  const index = INDEX_NAMES.find((name) => folder.names.includes(name));
  if (index !== undefined) return readModelFile(index, folder);
  const safetensors = folder.names.filter((name) => /\.safetensors$/i.test(name)).sort();
  if (safetensors.length > 0) return fromShards(safetensors, folder, null);
  if (folder.names.includes(CONFIG)) return readModelFile(CONFIG, folder);
  const gguf = folder.names.filter((name) => /\.gguf$/i.test(name)).sort();
  if (gguf.length > 0) return readModelFile(gguf[0]!, folder);
  throw new ModelFileError("model-file-unknown");
}

/** Types of GGML tensors: how many values a block holds and how many bytes it takes. Measured with `ggml_type_size` of ggml 0.27. */

export interface GgmlType {
  readonly id: number;
  readonly name: string;
  /** Values in a block; a row's length must be a multiple. */
  readonly blockSize: number;
  readonly blockBytes: number;
  /** May hold keys and values of llama.cpp's cache. */
  readonly kvCache?: true;
  /** Made while computing, never in a file. */
  readonly runtimeOnly?: true;
}

// prettier-ignore
export const GGML_TYPES: readonly GgmlType[] = [
  { id: 0, name: "F32", blockSize: 1, blockBytes: 4, kvCache: true },
  { id: 1, name: "F16", blockSize: 1, blockBytes: 2, kvCache: true },
  { id: 2, name: "Q4_0", blockSize: 32, blockBytes: 18, kvCache: true },
  { id: 3, name: "Q4_1", blockSize: 32, blockBytes: 20, kvCache: true },
  { id: 6, name: "Q5_0", blockSize: 32, blockBytes: 22, kvCache: true },
  { id: 7, name: "Q5_1", blockSize: 32, blockBytes: 24, kvCache: true },
  { id: 8, name: "Q8_0", blockSize: 32, blockBytes: 34, kvCache: true },
  { id: 9, name: "Q8_1", blockSize: 32, blockBytes: 36, runtimeOnly: true },
  { id: 10, name: "Q2_K", blockSize: 256, blockBytes: 84 },
  { id: 11, name: "Q3_K", blockSize: 256, blockBytes: 110 },
  { id: 12, name: "Q4_K", blockSize: 256, blockBytes: 144 },
  { id: 13, name: "Q5_K", blockSize: 256, blockBytes: 176 },
  { id: 14, name: "Q6_K", blockSize: 256, blockBytes: 210 },
  { id: 15, name: "Q8_K", blockSize: 256, blockBytes: 292, runtimeOnly: true },
  { id: 16, name: "IQ2_XXS", blockSize: 256, blockBytes: 66 },
  { id: 17, name: "IQ2_XS", blockSize: 256, blockBytes: 74 },
  { id: 18, name: "IQ3_XXS", blockSize: 256, blockBytes: 98 },
  { id: 19, name: "IQ1_S", blockSize: 256, blockBytes: 50 },
  { id: 20, name: "IQ4_NL", blockSize: 32, blockBytes: 18, kvCache: true },
  { id: 21, name: "IQ3_S", blockSize: 256, blockBytes: 110 },
  { id: 22, name: "IQ2_S", blockSize: 256, blockBytes: 82 },
  { id: 23, name: "IQ4_XS", blockSize: 256, blockBytes: 136 },
  { id: 24, name: "I8", blockSize: 1, blockBytes: 1 },
  { id: 25, name: "I16", blockSize: 1, blockBytes: 2 },
  { id: 26, name: "I32", blockSize: 1, blockBytes: 4 },
  { id: 27, name: "I64", blockSize: 1, blockBytes: 8 },
  { id: 28, name: "F64", blockSize: 1, blockBytes: 8 },
  { id: 29, name: "IQ1_M", blockSize: 256, blockBytes: 56 },
  { id: 30, name: "BF16", blockSize: 1, blockBytes: 2, kvCache: true },
  { id: 34, name: "TQ1_0", blockSize: 256, blockBytes: 54 },
  { id: 35, name: "TQ2_0", blockSize: 256, blockBytes: 66 },
  { id: 39, name: "MXFP4", blockSize: 32, blockBytes: 17 },
  { id: 40, name: "NVFP4", blockSize: 64, blockBytes: 36 },
  { id: 41, name: "Q1_0", blockSize: 128, blockBytes: 18 },
  { id: 42, name: "Q2_0", blockSize: 64, blockBytes: 18 },
];

/** Numbers that earlier releases used and no file of today may hold. */
export const REMOVED_GGML_TYPES: ReadonlyMap<number, string> = new Map([
  [4, "Q4_2"],
  [5, "Q4_3"],
  [31, "Q4_0_4_4"],
  [32, "Q4_0_4_8"],
  [33, "Q4_0_8_8"],
  [36, "IQ4_NL_4_4"],
  [37, "IQ4_NL_4_8"],
  [38, "IQ4_NL_8_8"],
]);

const BY_ID: ReadonlyMap<number, GgmlType> = new Map(GGML_TYPES.map((type) => [type.id, type]));
const BY_NAME: ReadonlyMap<string, GgmlType> = new Map(GGML_TYPES.map((type) => [type.name.toLowerCase(), type]));

export function ggmlType(id: number): GgmlType | undefined {
  return BY_ID.get(id);
}

/** By name in any case: `q8_0`, `Q4_K`. */
export function ggmlTypeNamed(name: string): GgmlType | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** Bytes of `rows` rows of `rowLength` values; a row that is no whole number of blocks takes one more. */
export function ggmlBytes(type: GgmlType, rowLength: number, rows: number): number {
  return Math.ceil(rowLength / type.blockSize) * type.blockBytes * rows;
}

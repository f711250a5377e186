/** Element types: sizes, kinds and PyTorch's promotion table (c10/core/ScalarType.h, at::result_type). */

import { cxxName } from "./cxx-names.ts";
import { TorchError } from "./shape.ts";

/** Kind order is promotion order: a higher kind wins over a lower one whatever the widths. */
export const KIND_BOOL = 0;
export const KIND_INT = 1;
export const KIND_FLOAT = 2;
export const KIND_COMPLEX = 3;

export interface DType {
  /** PyTorch's name without the module, for example `bfloat16`. */
  readonly name: string;
  readonly itemBytes: number;
  readonly kind: number;
  /** Position among its kind for promotion; equal ranks that differ promote to the kind's join. */
  readonly rank: number;
  /** Promoted with floating types alone: PyTorch has no common type with any other. */
  readonly joinsFloatsOnly?: true;
}

/** Every type that tensors may have; Python's are made of the same rows. */
export const DTYPES: readonly DType[] = [
  { name: "bool", itemBytes: 1, kind: KIND_BOOL, rank: 0 },
  { name: "uint8", itemBytes: 1, kind: KIND_INT, rank: 0 },
  { name: "int8", itemBytes: 1, kind: KIND_INT, rank: 1 },
  { name: "int16", itemBytes: 2, kind: KIND_INT, rank: 2 },
  { name: "int32", itemBytes: 4, kind: KIND_INT, rank: 3 },
  { name: "int64", itemBytes: 8, kind: KIND_INT, rank: 4 },
  { name: "uint16", itemBytes: 2, kind: KIND_INT, rank: 2, joinsFloatsOnly: true },
  { name: "uint32", itemBytes: 4, kind: KIND_INT, rank: 3, joinsFloatsOnly: true },
  { name: "uint64", itemBytes: 8, kind: KIND_INT, rank: 4, joinsFloatsOnly: true },
  { name: "float8_e4m3fn", itemBytes: 1, kind: KIND_FLOAT, rank: 0 },
  { name: "float8_e5m2", itemBytes: 1, kind: KIND_FLOAT, rank: 0 },
  { name: "float8_e4m3fnuz", itemBytes: 1, kind: KIND_FLOAT, rank: 0 },
  { name: "float8_e5m2fnuz", itemBytes: 1, kind: KIND_FLOAT, rank: 0 },
  { name: "float8_e8m0fnu", itemBytes: 1, kind: KIND_FLOAT, rank: 0 },
  { name: "float16", itemBytes: 2, kind: KIND_FLOAT, rank: 1 },
  { name: "bfloat16", itemBytes: 2, kind: KIND_FLOAT, rank: 1 },
  { name: "float32", itemBytes: 4, kind: KIND_FLOAT, rank: 2 },
  { name: "float64", itemBytes: 8, kind: KIND_FLOAT, rank: 3 },
  { name: "complex32", itemBytes: 4, kind: KIND_COMPLEX, rank: 1 },
  { name: "complex64", itemBytes: 8, kind: KIND_COMPLEX, rank: 2 },
  { name: "complex128", itemBytes: 16, kind: KIND_COMPLEX, rank: 3 },
];

const byName = new Map(DTYPES.map((row) => [row.name, row]));

/** The row of a dtype by name; throws RangeError for an unknown one. */
export function dtype(name: string): DType {
  const row = byName.get(name);
  if (!row) throw new RangeError(`unknown dtype ${name}`);
  return row;
}

export const BOOL = dtype("bool");
export const UINT8 = dtype("uint8");
export const INT32 = dtype("int32");
export const INT64 = dtype("int64");
export const FLOAT16 = dtype("float16");
export const BFLOAT16 = dtype("bfloat16");
export const FLOAT32 = dtype("float32");
export const FLOAT64 = dtype("float64");
export const COMPLEX64 = dtype("complex64");
export const COMPLEX128 = dtype("complex128");

export const isFloating = (d: DType): boolean => d.kind === KIND_FLOAT;
export const isComplex = (d: DType): boolean => d.kind === KIND_COMPLEX;
export const isIntegral = (d: DType): boolean => d.kind <= KIND_INT;
/** Half-precision floats: the types that autocast lowers to and whose statistics CUDA keeps in float32. */
export const isReducedFloat = (d: DType): boolean => d.kind === KIND_FLOAT && d.itemBytes === 2;

const floatOfComplex: Record<string, string> = { complex32: "float16", complex64: "float32", complex128: "float64" };
const complexOfFloat: Record<string, string> = {
  float16: "complex32",
  bfloat16: "complex64",
  float32: "complex64",
  float64: "complex128",
};
/** The real type of a complex one (`complex64` to `float32`); other types are returned as they are. */
export const toReal = (d: DType): DType => (isComplex(d) ? dtype(floatOfComplex[d.name]) : d);
/** The complex type that holds a real one. */
export const toComplex = (d: DType): DType => (isComplex(d) ? d : dtype(complexOfFloat[d.name] ?? "complex64"));
/** What mean, var and normalisations accumulate in on CUDA (at::toOpMathType). */
export const accumulateType = (d: DType): DType => (isReducedFloat(d) ? FLOAT32 : d);

/** The common type of two tensors of equal priority (c10::promoteTypes). Throws {@link TorchError} where there is none. */
export function promoteTypes(a: DType, b: DType): DType {
  if (a === b) return a;
  if ((a.joinsFloatsOnly && b.kind !== KIND_FLOAT) || (b.joinsFloatsOnly && a.kind !== KIND_FLOAT))
    throw new TorchError(
      `Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ${cxxName(a)} and ${cxxName(b)}`,
    );
  if (a.kind !== b.kind) {
    const [high, low] = a.kind > b.kind ? [a, b] : [b, a];
    if (high.kind === KIND_COMPLEX && low.kind === KIND_FLOAT) return promoteTypes(high, toComplex(low));
    return high;
  }
  if (a.kind === KIND_FLOAT) {
    if (a.rank === b.rank) return FLOAT32;
    return a.rank > b.rank ? a : b;
  }
  if (a.kind === KIND_INT) {
    if (a === UINT8 || b === UINT8) {
      const other = a === UINT8 ? b : a;
      return other.name === "int8" ? dtype("int16") : other;
    }
  }
  return a.rank >= b.rank ? a : b;
}

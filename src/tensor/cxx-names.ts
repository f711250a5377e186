/** The names that PyTorch's C++ gives dtypes in its messages. */

import type { DType } from "./dtype.ts";
import type { Tensor } from "./tensor.ts";

const names: Readonly<Record<string, string>> = {
  float32: "Float",
  float64: "Double",
  float16: "Half",
  bfloat16: "BFloat16",
  int64: "Long",
  int32: "Int",
  int16: "Short",
  int8: "Char",
  uint8: "Byte",
  uint16: "UInt16",
  uint32: "UInt32",
  uint64: "UInt64",
  bool: "Bool",
  complex32: "ComplexHalf",
  complex64: "ComplexFloat",
  complex128: "ComplexDouble",
  float8_e4m3fn: "Float8_e4m3fn",
  float8_e5m2: "Float8_e5m2",
};

/** `Half` for float16, and so on. */
export const cxxName = (type: DType): string => names[type.name] ?? type.name;

/** `torch.cuda.HalfTensor`: a tensor's type as messages name it. */
export const typeName = (t: Tensor): string => `torch.${t.isCuda ? "cuda." : ""}${cxxName(t.dtype)}Tensor`;

const types: Readonly<Record<string, string>> = {
  float32: "float",
  float64: "double",
  float16: "c10::Half",
  bfloat16: "c10::BFloat16",
};

/** `c10::Half` for float16, and so on: the type that C++ compiles with. */
export const cxxType = (type: DType): string => types[type.name] ?? type.name;

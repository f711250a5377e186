/** Kernels of the bitsandbytes package (0.49): blockwise 8-bit and 4-bit quantization, and products of 8-bit matrices. */

import { dtype, FLOAT16, FLOAT32, INT32, isFloating, UINT8 } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps } from "./row.ts";

const INT8 = dtype("int8");
const BLOCK_SIZES: ReadonlySet<number> = new Set([64, 128, 256, 512, 1024, 2048, 4096]);

/** One float32 maximum for each block of values, the last block also where it is not full. */
function blocksOf(values: number, blocksize: number): number {
  if (!BLOCK_SIZES.has(blocksize))
    throw new TorchError(`blocksize must be one of ${[...BLOCK_SIZES].join(", ")}, got ${blocksize}`);
  return Math.ceil(values / blocksize);
}

function checkFloat(tensor: Tensor): void {
  if (!isFloating(tensor.dtype) || tensor.dtype.itemBytes > 4)
    throw new TorchError(
      `Blockwise quantization only supports 16/32-bit floats, but got torch.${tensor.dtype.name}`,
      "ValueError",
    );
}

function checkType(quantType: string): void {
  if (quantType !== "fp4" && quantType !== "nf4")
    throw new TorchError(`4-bit quantization data type ${quantType} is not implemented.`, "NotImplementedError");
}

export const quantizedOps = defineOps([
  {
    schema: "quantize_blockwise(Tensor A, Tensor code, int blocksize) -> (Tensor out, Tensor absmax)",
    python: "none",
    library: "bitsandbytes",
    evidence:
      "bitsandbytes 0.49.0 over PyTorch 2.14, its kernel library aside (backends/cuda/ops.py): the maxima are made before the result",
    forward: ({ A, blocksize }, k) => {
      checkFloat(A);
      const absmax = k.output([blocksOf(A.numel, blocksize)], FLOAT32);
      return [k.like(A, UINT8), absmax];
    },
  },
  {
    schema: "dequantize_blockwise(Tensor A, Tensor absmax, Tensor code, int blocksize, *, dtype? dtype=None) -> Tensor",
    python: "none",
    library: "bitsandbytes",
    evidence: "bitsandbytes 0.49.0 over PyTorch 2.14, its kernel library aside (backends/cuda/ops.py)",
    forward: (a, k) => {
      if (a.A.dtype !== UINT8) throw new TorchError(`A must be uint8, got torch.${a.A.dtype.name}`);
      return k.like(a.A, a.dtype ?? FLOAT32);
    },
  },
  {
    schema:
      "quantize_4bit(Tensor A, int blocksize, str quant_type, *, dtype? quant_storage=None) -> (Tensor out, Tensor absmax)",
    python: "none",
    library: "bitsandbytes",
    evidence:
      "bitsandbytes 0.49.0 over PyTorch 2.14, its kernel library aside (backends/cuda/ops.py): two values to a byte, as a column; bytes per value: reference, weight bytes by format",
    forward: ({ A, blocksize, quant_type, quant_storage }, k) => {
      checkFloat(A);
      checkType(quant_type);
      const absmax = k.output([blocksOf(A.numel, blocksize)], FLOAT32);
      const storage = quant_storage ?? UINT8;
      const rows = Math.floor((A.numel + 1) / (storage.itemBytes * 2));
      return [k.output([rows, 1], storage), absmax];
    },
  },
  {
    schema:
      "dequantize_4bit(Tensor A, Tensor absmax, int blocksize, str quant_type, int[] shape, *, dtype? dtype=None) -> Tensor",
    python: "none",
    library: "bitsandbytes",
    evidence: "bitsandbytes 0.49.0 over PyTorch 2.14, its kernel library aside (backends/cuda/ops.py)",
    forward: (a, k) => {
      checkType(a.quant_type);
      return k.output(a.shape, a.dtype ?? FLOAT32);
    },
  },
  {
    schema: "gemv_4bit(Tensor A, Tensor B, int[] shapeB, Tensor absmax, Tensor code, int blocksize) -> Tensor",
    python: "none",
    library: "bitsandbytes",
    evidence:
      "bitsandbytes 0.49.0 over PyTorch 2.14, its kernel library aside (backends/cuda/ops.py): the weight is not dequantized",
    forward: ({ A, shapeB }, k) => k.output([...A.sizes.slice(0, -1), shapeB[0]], A.dtype),
  },
  {
    schema: "int8_vectorwise_quant(Tensor A) -> (Tensor out, Tensor row_stats)",
    python: "none",
    library: "bitsandbytes",
    evidence:
      "bitsandbytes 0.49.0 over PyTorch 2.14, its kernel library aside (backends/cuda/ops.py): a float32 per row, made before the result",
    forward: ({ A }, k) => {
      if (A.dtype !== FLOAT16) throw new TorchError(`A must be float16, got torch.${A.dtype.name}`);
      const stats = k.output([A.numel / Math.max(A.size(-1), 1)], FLOAT32);
      return [k.output(A.sizes, INT8), stats];
    },
  },
  {
    schema: "int8_linear_matmul(Tensor A, Tensor B) -> Tensor",
    python: "none",
    library: "bitsandbytes",
    evidence:
      "bitsandbytes 0.49.0 over PyTorch 2.14, its kernel library aside (backends/cuda/ops.py): its own cuBLASLt handle takes no workspace",
    forward: ({ A, B }, k) => {
      if (A.size(-1) !== B.size(-1))
        throw new TorchError(
          `int8_linear_matmul only supports B^T @ A. Inner dimensions do not match: B @ A = [${A.sizes.join(", ")}] @ [${B.sizes.join(", ")}]`,
        );
      const out = k.output([...A.sizes.slice(0, -1), B.size(0)], INT32);
      // an inner size that is no multiple of 4 is computed in float32
      if (A.size(-1) % 4 !== 0) {
        k.scratch(A.numel * FLOAT32.itemBytes, "int8_operand_as_float");
        k.scratch(B.numel * FLOAT32.itemBytes, "int8_operand_as_float");
        k.scratch(out.numel * FLOAT32.itemBytes, "int8_product_as_float");
      }
      return out;
    },
  },
  {
    schema: "int8_mm_dequant(Tensor A, Tensor row_stats, Tensor col_stats) -> Tensor",
    python: "none",
    library: "bitsandbytes",
    evidence:
      "bitsandbytes 0.49.0 over PyTorch 2.14, its kernel library aside (backends/cuda/ops.py): always float16, cast afterwards",
    forward: ({ A }, k) => k.like(A, FLOAT16),
  },
]);

"""Names of kernels. gptqmodel/utils/backend.py: BACKEND"""

from __future__ import annotations

import enum

_NAMES = """auto auto_trainable gptq_torch_fused gptq_torch_int8 gptq_torch gptq_triton bitsandbytes gptq_exllama_v2 gptq_machete
gptq_swordfish gptq_marlin gptq_bitblas gptq_torch_aten qqq qqq_torch awq_gemm awq_gemm_triton awq_gemv awq_gemv_fast awq_torch_int8
awq_torch_fused awq_torch_aten awq_torch awq_bitblas awq_machete awq_marlin awq_swordfish awq_exllama_v2 torch triton exllama_v2
machete marlin gemm gemm_triton torch_awq""".split()

BACKEND = enum.Enum("BACKEND", {name.upper(): name for name in _NAMES}, type=str)

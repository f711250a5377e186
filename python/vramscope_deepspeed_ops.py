"""Stands in for the extensions that DeepSpeed compiles, and for the file that says which were: its optimizers' kernels.

They write into what they are given and take no memory of their own (csrc/adam/multi_tensor_adam.cu, csrc/adam/cpu_adam_impl.cpp of 0.19).
"""

from __future__ import annotations

import importlib.metadata
from typing import Any

import torch

# --- deepspeed.git_version_info_installed

version = importlib.metadata.version("deepspeed")
git_hash = git_branch = "unknown"
accelerator_name = "cuda"
_compiled = ("fused_adam", "cpu_adam", "fused_lion", "cpu_lion", "cpu_adagrad")
installed_ops = dict.fromkeys(_compiled, True)
torch_info = {
    "version": ".".join(torch.__version__.split(".")[:2]),
    "cuda_version": ".".join((torch.version.cuda or "0.0").split(".")[:2]),
    "hip_version": "0.0",
    "nccl_version": "0.0",
    "bf16_support": True,
}

# --- fused optimizers on the GPU


def multi_tensor_adam(chunk_size: int, noop_flag: Any, tensor_lists: list, *settings: Any) -> None:
    """One kernel for many parameters; a list of other than 4 tensors each is refused as it is there."""
    if len(tensor_lists) != 4:
        raise RuntimeError("vramscope: multi_tensor_adam takes gradients, parameters and two moments")


def multi_tensor_lion(chunk_size: int, noop_flag: Any, tensor_lists: list, *settings: Any) -> None:
    """One kernel for many parameters."""


# --- optimizers on the host


def create_adam(*settings: Any) -> int:
    return 0


destroy_adam = adam_update = adam_rollback = create_lion = destroy_lion = lion_update = create_adam
create_adagrad = destroy_adagrad = adagrad_update = create_adam

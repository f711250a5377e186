"""What the process holds on the device outside the allocator, step by step: bytes of the device in use less bytes reserved.

usage: context.py [STEP ...]    STEP: names of STEPS, in the order in which they run; all of them where none is named
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import torch
from torch.nn import functional as F

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def used_mib() -> tuple[int, str] | tuple:
    """Of this process, or of the whole device when the process is not listed (containers); -1 when nvidia-smi is not there."""
    try:
        ask = ["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"]
        for row in subprocess.run(ask, capture_output=True, text=True, timeout=20).stdout.splitlines():
            pid, _, used = row.partition(",")
            if pid.strip() == str(os.getpid()) and used.strip().isdigit():
                return int(used), "process"
        ask = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", "--id=0"]
        return int(subprocess.run(ask, capture_output=True, text=True, timeout=20).stdout.split()[0]), "device"
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired):
        return -1, "unknown"


def line(what: str) -> None:
    """The name of a step, MiB by nvidia-smi and whose, bytes reserved, bytes of the device in use by the driver."""
    torch.cuda.synchronize()
    used, whose = used_mib()
    free, total = torch.cuda.mem_get_info()
    print(f"context\t{what}\t{used}\t{whose}\t{torch.cuda.memory_reserved()}\t{total - free}", flush=True)


def real(*shape: int, dtype: torch.dtype = torch.float32, grad: bool = False) -> torch.Tensor:
    return torch.randn(*shape, device="cuda", dtype=dtype, requires_grad=grad)


def product(dtype: torch.dtype) -> Callable:
    return lambda: (real(1024, 1024, dtype=dtype, grad=True) @ real(1024, 1024, dtype=dtype)).sum().backward()


def attention(heads: int, width: int, dtype: torch.dtype) -> Callable:
    def step() -> None:
        F.scaled_dot_product_attention(
            *(real(1, heads, 128, width, dtype=dtype, grad=True) for _ in "qkv")
        ).sum().backward()

    return step


def convolution(dtype: torch.dtype) -> Callable:
    return lambda: (
        F.conv2d(real(4, 16, 32, 32, dtype=dtype, grad=True), real(16, 16, 3, 3, dtype=dtype, grad=True))
        .sum()
        .backward()
    )


def recurrent() -> None:
    layer = torch.nn.LSTM(64, 64).cuda()
    layer(real(16, 8, 64))[0].sum().backward()


def sparse() -> None:
    torch.sparse.mm(torch.eye(64, device="cuda").to_sparse_csr(), real(64, 64))


def optimizer(**options: Any) -> Callable:
    def step() -> None:
        weight = torch.nn.Parameter(real(64, 64))
        weight.grad = torch.ones_like(weight)
        torch.optim.AdamW([weight], **options).step()

    return step


def graph() -> None:
    x = real(64, 64)
    made = torch.cuda.CUDAGraph()
    with torch.cuda.graph(made):
        x + 1
    made.replay()


def compiled() -> None:
    torch.compile(lambda x: torch.softmax(x * 2, -1).sum())(real(64, 64))


def nccl() -> None:
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29511", RANK="0", WORLD_SIZE="1")
    torch.distributed.init_process_group("nccl")
    torch.distributed.all_reduce(torch.ones(1, device="cuda"))
    torch.cuda.synchronize()
    torch.distributed.destroy_process_group()


STEPS = {
    "one tensor": lambda: torch.ones(1, device="cuda"),
    "float32 product": product(torch.float32),
    "bfloat16 product": product(torch.bfloat16),
    "float16 attention": attention(8, 64, torch.float16),
    "bfloat16 attention": attention(4, 128, torch.bfloat16),
    "float32 attention": attention(8, 64, torch.float32),
    "float32 convolution": convolution(torch.float32),
    "bfloat16 convolution": convolution(torch.bfloat16),
    "recurrent": recurrent,
    "batch norm": lambda: torch.nn.BatchNorm2d(16).cuda()(real(4, 16, 32, 32, grad=True)).sum().backward(),
    "layer norm": lambda: F.layer_norm(real(64, 64, grad=True), (64,)).sum().backward(),
    "embedding": lambda: F.embedding(torch.arange(64, device="cuda"), real(1000, 64, grad=True)).sum().backward(),
    "cross entropy": lambda: F.cross_entropy(real(64, 1000, grad=True), torch.arange(64, device="cuda")).backward(),
    "dropout": lambda: F.dropout(real(64, 64)),
    "sort": lambda: real(64, 10000).sort(),
    "multinomial": lambda: torch.multinomial(torch.rand(4, 1000, device="cuda"), 1),
    "foreach adamw": optimizer(),
    "fused adamw": optimizer(fused=True),
    "cholesky": lambda: torch.linalg.cholesky(torch.eye(64, device="cuda")),
    "svd": lambda: torch.linalg.svd(real(64, 64)),
    "fft": lambda: torch.fft.fft(real(64, 64)),
    "sparse product": sparse,
    "graph": graph,
    "compile": compiled,
    "nccl": nccl,
}

if __name__ == "__main__":
    torch.cuda.init()
    line("after init")
    for name in sys.argv[1:] or STEPS:
        try:
            STEPS[name]()
        except (RuntimeError, ImportError, AttributeError) as problem:
            print(f"context\t{name} failed: {type(problem).__name__}", flush=True)
        line(name)

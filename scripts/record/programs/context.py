"""What the process holds on the device outside the allocator, step by step: bytes by nvidia-smi less bytes reserved."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
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


def line(what: Any) -> None:
    torch.cuda.synchronize()
    used, whose = used_mib()
    print(f"context\t{what}\t{used}\t{whose}\t{torch.cuda.memory_reserved()}", flush=True)


torch.cuda.init()
line("after init")
x = torch.ones(1, device="cuda")
line("one tensor")
a = torch.randn(1024, 1024, device="cuda", requires_grad=True)
(a @ a).sum().backward()
line("float32 product and backward")
b = torch.randn(1024, 1024, device="cuda", dtype=torch.bfloat16)
b @ b
line("bfloat16 product")
torch.nn.functional.scaled_dot_product_attention(
    *(torch.randn(1, 8, 128, 64, device="cuda", dtype=torch.float16) for _ in "qkv")
)
line("attention")
torch.nn.functional.conv2d(torch.randn(4, 16, 32, 32, device="cuda"), torch.randn(16, 16, 3, 3, device="cuda"))
line("convolution")
torch.linalg.cholesky(torch.eye(64, device="cuda"))
line("linear algebra")

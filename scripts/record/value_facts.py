"""Records the numbers that PyTorch draws on the CPU after a seed, and what elements of each type make of a number, for test/tensor: any build of torch, no GPU.

usage: value_facts.py OUT.json
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any


SEEDS = (0, 42, 4294967303)
NUMBERS = (
    0.1,
    1 / 3,
    -2.5,
    255.9,
    1.00390625,
    1.01171875,
    2049.0,
    2051.0,
    65519.0,
    16777217.0,
    3e38,
    -2051.0,
    3.0517578125e-05,
    4.4703484e-08,
    2.9e-08,
)
TYPES = "float16 bfloat16 float32 float64 int64".split()


def draws(seed: int) -> dict:
    """Each call goes on where the one before ended."""
    torch.manual_seed(seed)
    return {
        "uniform": torch.rand(5).tolist(),
        "uniformDouble": torch.rand(3, dtype=torch.float64).tolist(),
        "below": torch.randint(0, 1000, (6,)).tolist(),
        "belowMany": torch.randint(0, 2**40, (3,)).tolist(),
        "fewNormals": torch.randn(3).tolist(),
        "moreNormals": torch.randn(2).tolist(),
        "sixteenNormals": torch.randn(16).tolist(),
        "seventeenNormals": torch.randn(17).tolist(),
        "lastUniform": torch.rand(1).tolist(),
    }


def element(number: int, dtype: str) -> Any:
    if dtype == "int64" and abs(number) > 2**60:
        return None
    made = torch.tensor(number, dtype=torch.float64).to(getattr(torch, dtype)).item()
    return made if made not in (float("inf"), float("-inf")) else str(made)


def main(out: Any) -> None:
    facts = {
        "draws": [{"seed": seed, **draws(seed)} for seed in SEEDS],
        "elements": [[number, dtype, element(number, dtype)] for dtype in TYPES for number in NUMBERS],
    }
    pathlib.Path(out).write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])

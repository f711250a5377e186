"""Seeds of all generators at once."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from typing import Any


def seed_everything(seed: int | None = None, workers: bool = False, verbose: bool = True) -> Any:
    """Seeds Python, NumPy and torch; returns the seed."""
    seed = int(os.environ.get("PL_GLOBAL_SEED", 0) if seed is None else seed)
    if verbose:
        print(f"Seed set to {seed}")
    os.environ["PL_GLOBAL_SEED"], os.environ["PL_SEED_WORKERS"] = str(seed), str(int(workers))
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    return seed


def isolate_rng(include_cuda: bool = True) -> Any:
    return torch.random.fork_rng()

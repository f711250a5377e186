"""Seeds of all generators at once."""

import os
import random

import numpy as np
import torch


def seed_everything(seed=None, workers=False, verbose=True):
    """Seeds Python, NumPy and torch; returns the seed."""
    seed = int(os.environ.get("PL_GLOBAL_SEED", 0) if seed is None else seed)
    if verbose:
        print(f"Seed set to {seed}")
    os.environ["PL_GLOBAL_SEED"], os.environ["PL_SEED_WORKERS"] = str(seed), str(int(workers))
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    return seed


def isolate_rng(include_cuda=True):
    return torch.random.fork_rng()

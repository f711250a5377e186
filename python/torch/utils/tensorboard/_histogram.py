"""Histograms as TensorBoard stores them: limits of buckets and how many values lie in each."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from . import _protos

if TYPE_CHECKING:
    from typing import Any


# Reading more values one by one out of a simulated tensor would only give as many placeholders.
_MOST_VALUES = 100_000


def default_bins() -> Any:
    """Growing by a tenth from 1e-12 to 1e20, both signs, and zero."""
    up, v = [], 1e-12
    while v < 1e20:
        up.append(v)
        v *= 1.1
    return [-v for v in reversed(up)] + [0.0] + up


def values_of(values: Any) -> Any:
    """Numbers of a tensor, list or number; what a tensor on the simulated device holds is not known: zeros, and the report says so."""
    if hasattr(values, "detach"):
        values = values.detach().reshape(-1)
        if values.numel() > _MOST_VALUES:
            values[:1].tolist()
            return [0.0] * values.numel()
        values = values.tolist()
    elif hasattr(values, "tolist"):
        values = values.tolist()
    flat = []

    def visit(v):
        if isinstance(v, (list, tuple)):
            for item in v:
                visit(item)
        else:
            flat.append(float(v))

    visit(values)
    return flat


def encode(values: Any, bins: Any) -> Any:
    """HistogramProto; `bins` are limits from the lowest to the highest."""
    if not values:
        raise ValueError("The input has no element.")
    counts = [0] * (len(bins) - 1)
    for v in values:
        i = bisect_right(bins, v) - 1
        if v == bins[-1]:
            i -= 1
        if 0 <= i < len(counts):
            counts[i] += 1
    used = [i for i, c in enumerate(counts) if c]
    if not used:
        raise ValueError("The histogram is empty, please file a bug report.")
    first, last = used[0], used[-1] + 1
    # an empty bucket in front tells where the first one begins
    buckets = counts[first - 1 : last] if first > 0 else [0, *counts[:last]]
    limits = bins[first : last + 1]
    return _protos.histogram(
        min(values), max(values), len(values), sum(values), sum(v * v for v in values), limits, buckets
    )

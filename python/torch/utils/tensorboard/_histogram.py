"""Histograms as TensorBoard stores them: limits of buckets and how many values lie in each."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
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


def counts_of(values: Any) -> Counter[float]:
    """How often each number of a tensor, list or number occurs; what a tensor on the simulated device holds is not known: zeros, and the report says so."""
    if hasattr(values, "detach"):
        values = values.detach().reshape(-1)
        count = values.numel()
        if count > _MOST_VALUES:
            return Counter({0.0: count}) if values[:1].tolist() else Counter()
        values = values.tolist()
    elif hasattr(values, "tolist"):
        values = values.tolist()
    counts = Counter()

    def visit(v):
        if isinstance(v, (list, tuple)):
            if set(map(type, v)) == {float}:
                counts.update(v)
                return
            for item in v:
                visit(item)
        else:
            counts[float(v)] += 1

    visit(values)
    return counts


def encode(counts: Counter[float], bins: Any) -> Any:
    """HistogramProto; `bins` are limits from the lowest to the highest."""
    if not counts:
        raise ValueError("The input has no element.")
    buckets = [0] * (len(bins) - 1)
    for v, count in counts.items():
        i = bisect_right(bins, v) - 1
        if v == bins[-1]:
            i -= 1
        if 0 <= i < len(buckets):
            buckets[i] += count
    used = [i for i, c in enumerate(buckets) if c]
    if not used:
        raise ValueError("The histogram is empty, please file a bug report.")
    first, last = used[0], used[-1] + 1
    # an empty bucket in front tells where the first one begins
    shown = buckets[first - 1 : last] if first > 0 else [0, *buckets[:last]]
    limits = bins[first : last + 1]
    total = sum(v * count for v, count in counts.items())
    squares = sum(v * v * count for v, count in counts.items())
    return _protos.histogram(min(counts), max(counts), counts.total(), total, squares, limits, shown)

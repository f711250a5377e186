"""Indexing: axes of the first tensor in brackets are looked up by the second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._pattern import aligned, expanded, split

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def get_at(pattern: str, tensor: Tensor, indices: Tensor, **sizes: Any) -> Any:
    """`a [n] d, ... -> a ... d`: one bracket of one axis; the result is what `index_select` along it makes, reordered as a view."""
    from torch._stand_ins import note

    (names, index_names), result = split(pattern.replace("[", " [").replace("]", "] "), 2)
    inner = [name for name in names if name.startswith("[")]
    if len(inner) != 1:
        raise NotImplementedError(f"vramscope's einx looks up one axis in brackets, not {pattern!r}")
    note("short_form_memory", "library", "einx.get_at")
    index_names = expanded(index_names, indices.ndim)
    if "..." in result:
        at = result.index("...")
        result = [*result[:at], *[n for n in index_names if n.startswith("...")], *result[at + 1 :]]
    axis = names.index(inner[0])
    shared = [name for name in names if name in index_names]
    if shared:
        raise NotImplementedError(f"vramscope's einx looks up with indices of their own axes, not {pattern!r}")
    taken = tensor.index_select(axis, indices.reshape(-1))
    taken = taken.reshape(*tensor.shape[:axis], *indices.shape, *tensor.shape[axis + 1 :])
    return aligned(taken, [*names[:axis], *index_names, *names[axis + 1 :]], result)

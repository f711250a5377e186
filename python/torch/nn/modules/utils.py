"""Where PyTorch keeps its tuple makers, and a fix for the keys of a wrapped module's state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._tuples import (  # noqa: F401
    _list_with_default,
    _ntuple,
    _pair,
    _quadruple,
    _reverse_repeat_tuple,
    _single,
    _triple,
)

if TYPE_CHECKING:
    from typing import Any


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", None)
    for key in list(metadata or ()):
        if key in (prefix.replace(".", ""), ""):
            continue
        if key.startswith(prefix):
            metadata[key[len(prefix) :]] = metadata.pop(key)

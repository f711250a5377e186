"""ml_collections.config_dict: the same classes under their longer name, and values that are set later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import ConfigDict, FieldReference, FrozenConfigDict

if TYPE_CHECKING:
    from typing import Any

__all__ = ["ConfigDict", "FieldReference", "FrozenConfigDict", "placeholder", "required_placeholder"]


def create(**kwargs: Any) -> ConfigDict:
    return ConfigDict(initial_dictionary=kwargs)


def placeholder(field_type: type, required: bool = False) -> FieldReference:
    """A value that is None until it is set."""
    return FieldReference(None, field_type)


required_placeholder = placeholder

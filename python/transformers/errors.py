"""Errors of the stand-in that are not the library's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def cannot_read(place: Any) -> Any:
    """A model or config that is not among the program's files: nothing is downloaded."""
    is_id = str(place).count("/") == 1 and not str(place).startswith((".", "/"))
    fetch = f"'vramscope models add {place}' fetches the model's configuration, or " if is_id else ""
    return OSError(
        f"{place!r} is neither a folder with a config.json nor a file that this program can see, nor a published model "
        f"that vramscope knows. It downloads nothing: {fetch}put the model's config.json into a folder beside the script "
        "and give its path."
    )


def absent(name: str) -> Any:
    """A name of transformers that the stand-in lacks."""
    return AttributeError(f"vramscope's stand-in for transformers has no {name!r}")

"""torch.utils.model_zoo: the older name of torch.hub's reader."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from torch.hub import _get_torch_home as _get_torch_home
from torch.hub import load_state_dict_from_url as load_url

if TYPE_CHECKING:
    from typing import Any

__all__ = ["load_url"]


def __getattr__(name: str) -> Any:
    """torchvision of old took its progress bar from here."""
    if name == "tqdm":
        return importlib.import_module("tqdm").tqdm
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

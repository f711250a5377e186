"""accelerate.utils.tqdm: a progress bar that the first process of a machine alone shows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tqdm.auto import tqdm as _tqdm

if TYPE_CHECKING:
    from typing import Any


def tqdm(*args: Any, main_process_only: bool = True, **kwargs: Any) -> Any:
    """tqdm's own bar, disabled in the other processes unless `main_process_only` is false."""
    is_other = main_process_only and os.environ.get("LOCAL_RANK", "0") != "0"
    disable = kwargs.pop("disable", False) or is_other
    return _tqdm(*args, **kwargs, disable=disable)

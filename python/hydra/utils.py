"""hydra.utils: objects from configurations that name their class."""

from __future__ import annotations

import functools
import importlib
import os
from typing import TYPE_CHECKING

from omegaconf import OmegaConf

if TYPE_CHECKING:
    from typing import Any


_config = None


def get_class(path: str) -> Any:
    """What a dotted path names."""
    parts = path.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError as error:
            if error.name and not ".".join(parts[:cut]).startswith(error.name):
                raise
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise ImportError(f"Error loading '{path}'")


get_method = get_object = get_class


def instantiate(config: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls `_target_` with the other keys; what is nested is made first, unless `_recursive_` is false."""
    if config is None:
        return None
    recursive = kwargs.pop("_recursive_", config.get("_recursive_", True) if hasattr(config, "get") else True)
    settings = OmegaConf.to_container(config, resolve=True) if OmegaConf.is_config(config) else config
    return _made({**settings, **kwargs} if isinstance(settings, dict) else settings, args, recursive)


def _made(value, args=(), recursive=True):
    if isinstance(value, list):
        return [_made(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "_target_" not in value:
        made = {k: _made(v) if recursive else v for k, v in value.items()}
        return OmegaConf.create(made) if all(_is_plain(v) for v in made.values()) else made
    target = value["_target_"]
    function = get_class(target) if isinstance(target, str) else target
    special = {k: v for k, v in value.items() if k.startswith("_") and k.endswith("_")}
    named = {
        k: _made(v) if recursive else (OmegaConf.create(v) if isinstance(v, (dict, list)) else v)
        for k, v in value.items()
        if k not in special
    }
    args = (*args, *map(_made, special.get("_args_", ())))
    return functools.partial(function, *args, **named) if special.get("_partial_") else function(*args, **named)


def _is_plain(value):
    return value is None or isinstance(value, (str, int, float, bool, dict, list))


call = instantiate


def get_original_cwd() -> str:
    return os.getcwd()


def to_absolute_path(path: str) -> str:
    return os.path.abspath(path)

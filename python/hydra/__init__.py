"""hydra: a configuration composed of YAML files and the words of the command line; the package itself wins where it is installed."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING

from omegaconf import DictConfig, OmegaConf
from torch._stand_ins import lacks

from . import utils
from ._compose import compose_from, store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self


__version__ = "1.3.2"
__getattr__ = lacks("hydra")
_initialized = {"folder": None}


def main(
    config_path: str | None = None, config_name: str | None = None, version_base: Any = None, strict: bool | None = None
) -> Any:
    """Decorates a function of a configuration; called without one, it gets the composed one. Before 1.0 the path was that of the file, and `strict` an argument."""
    if config_name is None and config_path is not None and config_path.endswith((".yaml", ".yml")):
        config_path, config_name = os.path.split(config_path)

    def decorate(function):
        @functools.wraps(function)
        def run(cfg_passthrough=None):
            if cfg_passthrough is not None:
                return function(cfg_passthrough)
            words = [w for w in sys.argv[1:] if not w.startswith("-")]
            name = next(
                (sys.argv[i + 1] for i, w in enumerate(sys.argv[:-1]) if w in ("--config-name", "-cn")), config_name
            )
            words = [w for w in words if "=" in w or w.startswith(("+", "~"))]
            folder = os.path.join(
                os.path.dirname(os.path.abspath(function.__globals__.get("__file__", ""))), config_path or ""
            )
            config = compose_from(folder, name, words)
            utils._config = config
            OmegaConf.set_struct(config, True)
            return function(config)

        return run

    return decorate


class initialize:
    """The folder that `compose` reads, as a call or for a `with` block."""

    def __init__(
        self,
        config_path: str | None = None,
        job_name: str | None = None,
        version_base: Any = None,
        caller_stack_depth: int = 1,
    ) -> None:
        caller = sys._getframe(caller_stack_depth).f_globals.get("__file__", "")
        _initialized["folder"] = os.path.join(os.path.dirname(os.path.abspath(caller)), config_path or "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> bool:
        return False


class initialize_config_dir(initialize):
    def __init__(self, config_dir: str, job_name: str | None = None, version_base: Any = None) -> None:
        _initialized["folder"] = config_dir


def compose(
    config_name: str | None = None,
    overrides: Sequence = (),
    return_hydra_config: bool = False,
    strict: bool | None = None,
) -> Any:
    return compose_from(_initialized["folder"], config_name, list(overrides))


class _ConfigStore:
    """Configurations that programs register as classes."""

    @staticmethod
    def instance() -> Any:
        return _ConfigStore

    @staticmethod
    def store(name: str, node: Any, group: Any = None, package: str | None = None, provider: Any = None) -> None:
        store[f"{group}/{name}" if group else name] = node


class _HydraConfig(DictConfig):
    @staticmethod
    def get() -> Any:
        return OmegaConf.create(
            {
                "runtime": {"output_dir": os.getcwd(), "cwd": os.getcwd(), "choices": {}},
                "job": {"name": "main", "num": 0},
                "run": {"dir": "."},
                "sweep": {"dir": "."},
            }
        )

    instance = initialized = get


class GlobalHydra:
    """Whether a folder was given."""

    @staticmethod
    def instance() -> Any:
        return GlobalHydra

    @staticmethod
    def is_initialized() -> bool:
        return _initialized["folder"] is not None

    @staticmethod
    def clear() -> None:
        _initialized["folder"] = None


ConfigStore, HydraConfig = _ConfigStore, _HydraConfig
for _name in ("core", "core.config_store", "core.hydra_config", "core.global_hydra", "experimental", "types"):
    sys.modules[f"{__name__}.{_name}"] = sys.modules[__name__]

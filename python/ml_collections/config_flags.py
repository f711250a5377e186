"""ml_collections.config_flags: `--config=FILE.py` is what its get_config() gives, and `--config.model.width=8` changes a part of that."""

from __future__ import annotations

import ast
import runpy
from typing import TYPE_CHECKING

from absl import flags

from . import ConfigDict

if TYPE_CHECKING:
    from typing import Any


class _Settings(flags.FlagHolder):
    """A flag whose value are settings; what changes a part waits for the file that is named behind it."""

    def __init__(self, name: str, values: Any, is_locked: bool) -> None:
        super().__init__(name, None, None, False, values)
        self.path, self._is_locked, self._waiting = None, is_locked, []

    def set(self, text: str) -> None:
        self.path, colon, given = text.partition(":")
        self.take(runpy.run_path(self.path)["get_config"](*([given] if colon else [])))
        self.present += 1

    def take(self, config: Any) -> None:
        self.value = config
        if self._is_locked and isinstance(config, ConfigDict):
            config.lock()
        for path, text in self._waiting:
            self.change(path, text)

    def change(self, path: str, text: str) -> None:
        """`path`: names with points between."""
        if self.value is None:
            self._waiting.append((path, text))
            return
        *names, last = path.split(".")
        node = self.value
        for name in names:
            node = node[name]
        node[last] = _read(text, node[last])


def _read(text, old):
    if isinstance(old, str):
        return text
    if isinstance(old, bool):
        return flags._truth(text)
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def DEFINE_config_file(
    name: str,
    default: str | None = None,
    help_string: str = "",
    flag_values: Any = flags.FLAGS,
    lock_config: bool = True,
    **_: Any,
) -> Any:
    made = _Settings(name, flag_values, lock_config)
    if default is not None:
        made.set(default)
        made.present = 0
    return made


def DEFINE_config_dict(
    name: str, config: Any, help_string: str = "", flag_values: Any = flags.FLAGS, lock_config: bool = True, **_: Any
) -> Any:
    made = _Settings(name, flag_values, lock_config)
    made.take(config)
    return made


def get_config_filename(config_flag: Any) -> str | None:
    return config_flag.path

"""jsonargparse: CLI calls a function or class by the words of the command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

__version__ = "4.41.0"


def CLI(components: Any = None, args: Any = None, as_positional: bool = True, **_: Any) -> Any:  # noqa: N802
    """One function or class; of several the first word names one."""
    import sys

    import tyro

    words = list(sys.argv[1:] if args is None else args)
    if components is None:
        main = vars(sys.modules["__main__"])
        components = [
            value for value in main.values() if callable(value) and getattr(value, "__module__", "") == "__main__"
        ]
    if isinstance(components, dict):
        components = components[words.pop(0).replace("-", "_")]
    elif isinstance(components, (list, tuple)):
        named = {part.__name__: part for part in components}
        components = components[0] if len(components) == 1 else named[words.pop(0).replace("-", "_")]
    return tyro.cli(components, args=words)


auto_cli = CLI


class ArgumentParser(argparse.ArgumentParser):
    """The parser of the standard library, with what programs of this one's set besides."""

    def __init__(self, *args: Any, env_prefix: Any = None, default_env: bool = False, default_config_files: Any = (), parser_mode: str = "yaml", **settings: Any) -> None:  # fmt: skip
        super().__init__(*args, **settings)


ActionConfigFile = argparse.Action
Namespace = argparse.Namespace


def set_docstring_parse_options(*_: Any, **__: Any) -> None:
    """Help is not shown."""


set_config_read_mode = set_parsing_settings = set_docstring_parse_options
__getattr__ = lacks("jsonargparse")

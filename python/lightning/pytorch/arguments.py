"""Trainer's arguments on a command line, as lightning before 2 puts them there."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any, Self


class OnCommandLines:
    """What a Trainer of lightning 1 takes from argparse."""

    @classmethod
    def _named(cls):
        """Names and defaults of the arguments."""
        taken = inspect.signature(cls.__init__).parameters.values()
        named = {one.name: one.default for one in taken if one.kind is inspect.Parameter.KEYWORD_ONLY}
        return dict.fromkeys(sorted(cls.FORMER)) | named

    @classmethod
    def add_argparse_args(cls, parent_parser: ArgumentParser, **options: Any) -> ArgumentParser:
        group = parent_parser.add_argument_group(f"pl.{cls.__name__}")
        known = {word for action in parent_parser._actions for word in action.option_strings}
        for name, default in cls._named().items():
            if f"--{name}" not in known:
                group.add_argument(f"--{name}", default=default, type=_value, nargs="?", const=True)
        return parent_parser

    @classmethod
    def parse_argparser(cls, arg_parser: Any) -> Any:
        return arg_parser.parse_args() if hasattr(arg_parser, "parse_args") else arg_parser

    @classmethod
    def from_argparse_args(cls, args: Namespace | ArgumentParser, **kwargs: Any) -> Self:
        given, named = vars(cls.parse_argparser(args)), cls._named()
        return cls(**{name: value for name, value in given.items() if name in named} | kwargs)


def _value(text):
    """What a word says: a number, a truth, nothing, or itself."""
    lowered = text.lower()
    if lowered in ("true", "false"):
        return lowered == "true"
    if lowered == "none":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text

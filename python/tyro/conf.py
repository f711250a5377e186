"""tyro.conf: marks of annotations; they change how arguments are written, and none is needed to read the plain form."""

import typing


class _Mark:
    """A mark: `Mark[type]` is the type."""

    def __init__(self, name):
        self._name = name

    def __getitem__(self, kind):
        return typing.Annotated[kind, self]

    def __repr__(self):
        return f"tyro.conf.{self._name}"


_MARKS = """Positional Fixed Suppress FlagConversionOff AvoidSubcommands ConsolidateSubcommandArgs OmitSubcommandPrefixes OmitArgPrefixes
    UseAppendAction UseCounterAction EnumChoicesFromValues CascadeSubcommandArgs HelptextFromCommentsOff SuppressFixed PositionalRequiredArgs""".split()
globals().update({name: _Mark(name) for name in _MARKS})


def arg(**settings):
    return _Mark("arg")


def subcommand(name=None, **settings):
    return _Mark("subcommand")


def without_marks(kind):
    """The type behind Annotated."""
    while typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    return kind

"""HfArgumentParser: options of the command line from the fields of dataclasses, and dataclasses from dictionaries, JSON and YAML files."""

from __future__ import annotations

import argparse
import dataclasses
import enum
import json
import sys
import types
import typing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_BOOLEANS = {
    **dict.fromkeys(("yes", "true", "t", "y", "1"), True),
    **dict.fromkeys(("no", "false", "f", "n", "0"), False),
}


def string_to_bool(text: str | bool) -> bool:
    """What a word of the command line means as a truth value."""
    if isinstance(text, bool):
        return text
    if text.lower() not in _BOOLEANS:
        raise argparse.ArgumentTypeError(
            f"Truthy value expected: got {text} but expected one of {', '.join(_BOOLEANS)}"
        )
    return _BOOLEANS[text.lower()]


def HfArg(*, aliases: Any = None, help: Any = None, metadata: dict | None = None, **field: Any) -> dataclasses.Field:
    """A field of a dataclass with other names and a text of help."""
    named = {"aliases": aliases, "help": help}
    said = {**(metadata or {}), **{name: value for name, value in named.items() if value is not None}}
    return dataclasses.field(metadata=said, **field)


def _kind(hint):
    """What one word for a field is read as, and whether it takes several words: texts where it may be a text."""
    several = False
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        hint = str if str in kinds else kinds[0]
    if typing.get_origin(hint) in (list, typing.List) or hint in (list, typing.List):  # noqa: UP006
        several, hint = True, (typing.get_args(hint) or (str,))[0]
    # what has no reading from one word of its own, such as a dictionary, stays a text
    return (
        hint if callable(hint) and typing.get_origin(hint) in (None, typing.Literal) and hint is not dict else str
    ), several


def _chosen(choices):
    by_text = {str(choice): choice for choice in choices}
    return lambda text: by_text.get(text, text)


class HfArgumentParser(argparse.ArgumentParser):
    def __init__(self, dataclass_types: Any = (), **options: Any) -> None:
        super().__init__(**{"formatter_class": argparse.ArgumentDefaultsHelpFormatter, **options})
        one = dataclasses.is_dataclass(dataclass_types)
        self.dataclass_types = [dataclass_types] if one else list(dataclass_types or ())
        for kind in self.dataclass_types:
            group = (
                self.add_argument_group(kind._argument_group_name) if hasattr(kind, "_argument_group_name") else self
            )
            hints = typing.get_type_hints(kind)
            for field in dataclasses.fields(kind):
                if field.init:
                    _add(group, field, hints[field.name])

    def parse_args_into_dataclasses(
        self,
        args: list | None = None,
        return_remaining_strings: bool = False,
        look_for_args_file: bool = True,
        args_filename: str | None = None,
        args_file_flag: str | None = None,
    ) -> tuple:
        """One object for each dataclass, then what other options were added, then, if asked for, the words that are left."""
        args = list(sys.argv[1:] if args is None else args)
        files = (
            [args_filename] if args_filename else [Path(sys.argv[0]).with_suffix(".args")] if look_for_args_file else []
        )
        if args_file_flag:
            of_files = argparse.ArgumentParser(add_help=False)
            of_files.add_argument(args_file_flag, action="append", dest="files")
            named, args = of_files.parse_known_args(args)
            files += named.files or []
        # later words win, so those of files come first
        words = [word for file in map(Path, files) if file.exists() for word in file.read_text().split()]
        namespace, left = self.parse_known_args(words + args)
        values = vars(namespace)
        made = []
        for kind in self.dataclass_types:
            made.append(kind(**{name: values[name] for name in _names(kind)}))
        taken = {name for kind in self.dataclass_types for name in _names(kind)}
        others = {name: value for name, value in values.items() if name not in taken}
        if others:
            made.append(argparse.Namespace(**others))
        if return_remaining_strings:
            return (*made, left)
        if left:
            raise ValueError(f"Some specified arguments are not used by the HfArgumentParser: {left}")
        return tuple(made)

    def parse_dict(self, args: dict, allow_extra_keys: bool = False) -> tuple:
        left = set(args).difference(*map(_names, self.dataclass_types))
        if left and not allow_extra_keys:
            raise ValueError(f"Some keys are not used by the HfArgumentParser: {sorted(left)}")
        return tuple(
            kind(**{name: value for name, value in args.items() if name in _names(kind)})
            for kind in self.dataclass_types
        )

    def parse_json_file(self, json_file: Any, allow_extra_keys: bool = False) -> tuple:
        return self.parse_dict(json.loads(Path(json_file).read_text(encoding="utf-8")), allow_extra_keys)

    def parse_yaml_file(self, yaml_file: Any, allow_extra_keys: bool = False) -> tuple:
        import yaml

        return self.parse_dict(yaml.safe_load(Path(yaml_file).read_text(encoding="utf-8")), allow_extra_keys)


def _names(kind):
    return [field.name for field in dataclasses.fields(kind) if field.init]


def _add(group, field, hint):
    """One option; a truth value that is True by default gets a second one that says no."""
    options = dict(field.metadata)
    aliases = options.pop("aliases", [])
    kind, several = _kind(hint)
    missing = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
    names = list(dict.fromkeys((f"--{field.name}", f"--{field.name.replace('_', '-')}")))
    given = dict(options)
    if typing.get_origin(kind) is typing.Literal or (isinstance(kind, type) and issubclass(kind, enum.Enum)):
        literal = typing.get_origin(kind) is typing.Literal
        given["choices"] = list(typing.get_args(kind)) if literal else [one.value for one in kind]
        given["type"] = _chosen(given["choices"])
    elif kind is bool:
        given["type"] = string_to_bool
        if hint is bool or default not in (None, dataclasses.MISSING):
            missing, default = False, False if missing else default
            given |= {"nargs": "?", "const": True}
    else:
        given["type"] = kind
    if several:
        given["nargs"] = "+"
    given |= {"required": True} if missing else {"default": default}
    group.add_argument(*names, *([aliases] if isinstance(aliases, str) else aliases), **given)
    if kind is bool and default is True and not several:
        no = list(dict.fromkeys((f"--no_{field.name}", f"--no-{field.name.replace('_', '-')}")))
        group.add_argument(*no, action="store_false", dest=field.name, **{**options, "default": True})

"""yaml: reads and writes the YAML of configuration files; PyYAML itself wins where it is installed.

YAML 1.1 as PyYAML resolves it: block and flow collections, quoted, literal and folded scalars, anchors, merges, several documents.
Of tags `!!str`, `!!int`, `!!float`, `!!bool` and `!!python/tuple` are known, and those that a constructor was added for.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ._errors import MarkedYAMLError, YAMLError
from ._reader import Document
from ._writer import dump_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


__version__ = "6.0.3"
__with_libyaml__ = False
ScannerError = ParserError = ConstructorError = ComposerError = RepresenterError = MarkedYAMLError


class BaseLoader:
    """Which constructors a loader has."""

    yaml_constructors = {}

    @classmethod
    def add_constructor(cls, tag: str, constructor: Any) -> None:
        cls.yaml_constructors = {**cls.yaml_constructors, tag: constructor}

    @classmethod
    def add_multi_constructor(cls, tag_prefix: str, multi_constructor: Any) -> None:
        cls.add_constructor(tag_prefix, multi_constructor)

    @classmethod
    def add_implicit_resolver(cls, tag: str, regexp: Any, first: Any) -> None:
        """Numbers such as 1e-4, which programs add this for, are read as numbers once it was called."""
        cls.yaml_resolvers = [*getattr(cls, "yaml_resolvers", ()), (tag, regexp)]

    def construct_scalar(self, node: Any) -> Any:
        return node.value

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        return node.value

    construct_sequence = construct_mapping


class SafeLoader(BaseLoader):
    pass


class FullLoader(SafeLoader):
    pass


class Loader(FullLoader):
    pass


class UnsafeLoader(Loader):
    pass


CLoader, CSafeLoader, CFullLoader, CBaseLoader = Loader, SafeLoader, FullLoader, BaseLoader


class SafeDumper:
    """Which representers a dumper has."""

    yaml_representers = {}

    @classmethod
    def add_representer(cls, data_type: Any, representer: Any) -> None:
        cls.yaml_representers = {**cls.yaml_representers, data_type: representer}

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_scalar(self, tag: str, value: Any, style: Any = None) -> Any:
        return value

    def represent_dict(self, data: Any) -> dict:
        return dict(data)

    def represent_list(self, data: Any) -> list:
        return list(data)

    represent_str = represent_data = lambda self, data: data


class Dumper(SafeDumper):
    pass


CDumper, CSafeDumper = Dumper, SafeDumper


def _text(stream):
    data = stream.read() if hasattr(stream, "read") else stream
    return data.decode("utf-8-sig") if isinstance(data, bytes) else data.removeprefix("\ufeff")


def load_all(stream: Any, Loader: Any = FullLoader) -> Iterator[Any]:
    """The documents of a text, bytes or file."""
    document = Document(_text(stream), Loader)
    while True:
        more, value = document.next()
        if not more:
            return
        yield value


def load(stream: Any, Loader: Any = None) -> Any:
    """The one document; None for an empty text."""
    found = list(load_all(stream, Loader or FullLoader))
    if len(found) > 1:
        raise ComposerError("expected a single document in the stream")
    return found[0] if found else None


def safe_load(stream: Any) -> Any:
    return load(stream, SafeLoader)


def safe_load_all(stream: Any) -> Iterator[Any]:
    return load_all(stream, SafeLoader)


full_load, unsafe_load, full_load_all, unsafe_load_all = safe_load, safe_load, safe_load_all, safe_load_all


def dump_all(
    documents: Any,
    stream: Any = None,
    Dumper: Any = Dumper,
    default_flow_style: bool = False,
    sort_keys: bool = True,
    explicit_start: bool = False,
    **options: Any,
) -> str | None:
    parts = [dump_text(d, Dumper, default_flow_style, sort_keys, **options) for d in documents]
    text = "".join(f"---\n{p}" for p in parts) if explicit_start or len(parts) > 1 else "".join(parts)
    if stream is None:
        return text
    stream.write(text.encode() if "b" in getattr(stream, "mode", "") else text)
    return None


def dump(data: Any, stream: Any = None, Dumper: Any = Dumper, **options: Any) -> str | None:
    return dump_all([data], stream, Dumper, **options)


def safe_dump(data: Any, stream: Any = None, **options: Any) -> str | None:
    return dump_all([data], stream, SafeDumper, **options)


safe_dump_all = dump_all


def add_constructor(tag: str, constructor: Any, Loader: Any = None) -> None:
    for loader in [Loader] if Loader else [SafeLoader]:
        loader.add_constructor(tag, constructor)


def add_representer(data_type: Any, representer: Any, Dumper: Any = Dumper) -> None:
    Dumper.add_representer(data_type, representer)


class YAMLObject:
    """A class whose subclasses would read themselves from their tag."""


for _name in ("scanner", "parser", "constructor", "composer", "error", "loader", "dumper", "representer", "cyaml"):
    sys.modules[f"yaml.{_name}"] = vars()[_name] = sys.modules[__name__]

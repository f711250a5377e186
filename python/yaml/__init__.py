"""yaml: reads and writes the YAML of configuration files; PyYAML itself wins where it is installed.

YAML 1.1 as PyYAML resolves it: block and flow collections, quoted, literal and folded scalars, anchors, merges, several documents.
Of tags `!!str`, `!!int`, `!!float`, `!!bool` and `!!python/tuple` are known, and those that a constructor was added for.
"""

import sys

from ._errors import MarkedYAMLError, YAMLError
from ._reader import Document
from ._writer import dump_text

__version__ = "6.0.3"
__with_libyaml__ = False
ScannerError = ParserError = ConstructorError = ComposerError = RepresenterError = MarkedYAMLError


class BaseLoader:
    """Which constructors a loader has."""

    yaml_constructors = {}

    @classmethod
    def add_constructor(cls, tag, constructor):
        cls.yaml_constructors = {**cls.yaml_constructors, tag: constructor}

    @classmethod
    def add_multi_constructor(cls, tag_prefix, multi_constructor):
        cls.add_constructor(tag_prefix, multi_constructor)

    @classmethod
    def add_implicit_resolver(cls, tag, regexp, first):
        """Numbers such as 1e-4, which programs add this for, are read as numbers once it was called."""
        cls.yaml_resolvers = [*getattr(cls, "yaml_resolvers", ()), (tag, regexp)]

    def construct_scalar(self, node):
        return node.value

    def construct_mapping(self, node, deep=False):
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
    def add_representer(cls, data_type, representer):
        cls.yaml_representers = {**cls.yaml_representers, data_type: representer}

    def ignore_aliases(self, data):
        return True

    def represent_scalar(self, tag, value, style=None):
        return value

    def represent_dict(self, data):
        return dict(data)

    def represent_list(self, data):
        return list(data)

    represent_str = represent_data = lambda self, data: data


class Dumper(SafeDumper):
    pass


CDumper, CSafeDumper = Dumper, SafeDumper


def _text(stream):
    data = stream.read() if hasattr(stream, "read") else stream
    return data.decode("utf-8-sig") if isinstance(data, bytes) else data.removeprefix("\ufeff")


def load_all(stream, Loader=FullLoader):
    """The documents of a text, bytes or file."""
    document = Document(_text(stream), Loader)
    while True:
        more, value = document.next()
        if not more:
            return
        yield value


def load(stream, Loader=None):
    """The one document; None for an empty text."""
    found = list(load_all(stream, Loader or FullLoader))
    if len(found) > 1:
        raise ComposerError("expected a single document in the stream")
    return found[0] if found else None


def safe_load(stream):
    return load(stream, SafeLoader)


def safe_load_all(stream):
    return load_all(stream, SafeLoader)


full_load, unsafe_load, full_load_all, unsafe_load_all = safe_load, safe_load, safe_load_all, safe_load_all


def dump_all(
    documents, stream=None, Dumper=Dumper, default_flow_style=False, sort_keys=True, explicit_start=False, **options
):
    parts = [dump_text(d, Dumper, default_flow_style, sort_keys, **options) for d in documents]
    text = "".join(f"---\n{p}" for p in parts) if explicit_start or len(parts) > 1 else "".join(parts)
    if stream is None:
        return text
    stream.write(text.encode() if "b" in getattr(stream, "mode", "") else text)
    return None


def dump(data, stream=None, Dumper=Dumper, **options):
    return dump_all([data], stream, Dumper, **options)


def safe_dump(data, stream=None, **options):
    return dump_all([data], stream, SafeDumper, **options)


safe_dump_all = dump_all


def add_constructor(tag, constructor, Loader=None):
    for loader in [Loader] if Loader else [SafeLoader]:
        loader.add_constructor(tag, constructor)


def add_representer(data_type, representer, Dumper=Dumper):
    Dumper.add_representer(data_type, representer)


class YAMLObject:
    """A class whose subclasses would read themselves from their tag."""


for _name in ("scanner", "parser", "constructor", "composer", "error", "loader", "dumper", "representer", "cyaml"):
    sys.modules[f"yaml.{_name}"] = vars()[_name] = sys.modules[__name__]

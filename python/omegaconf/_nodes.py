"""The nodes of a configuration: dictionaries and lists whose texts may refer to other places."""

from __future__ import annotations

import dataclasses
import os
import re
from typing import TYPE_CHECKING

from ._errors import MISSING, ConfigAttributeError, ConfigKeyError, MissingMandatoryValue, OmegaConfBaseException

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


resolvers = {}
_FLOAT = re.compile(
    r"[-+]?(?:\d[\d_]*\.[\d_]*(?:[eE][-+]?\d+)?|\d[\d_]*[eE][-+]?\d+|\.[\d_]+(?:[eE][-+]\d+)?|\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
)
_OPENING, _CLOSING = frozenset("[{"), frozenset("]}")


def _interpolations(text):
    """Where each outermost ${...} of a text begins and ends."""
    at = text.find("${")
    while at != -1:
        depth, end = 1, at + 2
        while end < len(text) and depth:
            depth += (text[end] in _OPENING) - (text[end] in _CLOSING)
            end += 1
        if depth:
            return
        yield at, end - 1
        at = text.find("${", end)


def _arguments(text):
    """What stands between commas that are in no brackets."""
    found, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == "," and not depth:
            found.append(text[begin:at].strip())
            begin = at + 1
    return [*found, text[begin:].strip()] if text.strip() else []


def read_yaml(text: Any) -> Any:
    """YAML as OmegaConf reads it, in which 1e-4 is a number."""
    import yaml

    loader = type("Loader", (yaml.SafeLoader,), {})
    loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789."))
    return yaml.load(text, Loader=loader)


def _typed(argument):
    """An argument as YAML reads it; what an interpolation gave, or no YAML reads, as it is."""
    import yaml

    if not isinstance(argument, str):
        return argument
    try:
        return read_yaml(argument)
    except yaml.YAMLError:
        return argument


class _Node:
    """What dictionaries and lists share: a parent for interpolation, and raw values."""

    def _attach(self, value):
        made = made_of(value)
        if isinstance(made, _Node):
            made.__dict__["_parent"] = self
        return made

    def _root(self):
        node = self
        while node.__dict__.get("_parent") is not None:
            node = node.__dict__["_parent"]
        return node

    def _resolved(self, value):
        if not isinstance(value, str) or "${" not in value:
            return value
        parts, at, has_text = [], 0, False
        for start, end in _interpolations(value):
            has_text = has_text or start > at
            parts += [value[at:start], self._resolved(self._interpolated(value[start + 2 : end]))]
            at = end + 1
        if len(parts) == 2 and not has_text and at == len(value):
            return parts[1]
        return "".join(map(str, parts)) + value[at:]

    def _interpolated(self, text):
        name, colon, arguments = text.partition(":")
        if colon and "${" not in name:
            return _resolve(name.strip(), [self._resolved(each) for each in _arguments(arguments)], self)
        text = self._resolved(text)
        node = self._root()
        if text.startswith("."):
            node, dots = self, len(text) - len(text.lstrip("."))
            for _ in range(dots - 1):
                node = node.__dict__["_parent"]
        found = select(node, text.lstrip("."))
        if found is None and text.strip(".").split(".")[0] not in node:
            raise OmegaConfBaseException(f"Interpolation key '{text}' not found")
        return found


def _resolve(name, arguments, node):
    if name == "oc.env" or name == "env":
        return os.environ[arguments[0]] if len(arguments) == 1 else os.environ.get(arguments[0], _typed(arguments[1]))
    if name in ("now", "oc.now"):
        import datetime

        return datetime.datetime.now().strftime(":".join(map(str, arguments)))
    if name in ("oc.select", "oc.decode"):
        return select(node._root(), arguments[0], default=arguments[1] if len(arguments) > 1 else None)
    if name == "hydra":
        return select(node._root(), f"hydra.{arguments[0]}", default=arguments[0].rpartition(".")[2])
    if name not in resolvers:
        raise OmegaConfBaseException(f"Unsupported interpolation type {name}")
    return resolvers[name](*map(_typed, arguments))


class DictConfig(_Node, dict):
    """A dictionary whose keys are attributes. A struct has no other keys than those it was made with."""

    def __init__(self, content: Any = None, parent: Any = None, flags: Any = None) -> None:
        super().__init__()
        self.__dict__.update(_parent=parent, _struct=False, _readonly=False)
        for key, value in dict(content or {}).items():
            dict.__setitem__(self, key, self._attach(value))

    def _flag(self, name):
        node = self
        while node is not None:
            if node.__dict__.get(name):
                return True
            node = node.__dict__.get("_parent")
        return False

    def __getitem__(self, key: Any) -> Any:
        if not dict.__contains__(self, key):
            raise ConfigKeyError(f"Missing key {key}")
        return self._read(key)

    def _read(self, key):
        value = self._resolved(dict.__getitem__(self, key))
        if isinstance(value, str) and value == MISSING:
            raise MissingMandatoryValue(f"Missing mandatory value: {key}")
        return value

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        if not dict.__contains__(self, key):
            raise ConfigAttributeError(f"Missing key {key}")
        return self._read(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._flag("_readonly"):
            raise OmegaConfBaseException("DictConfig is read-only")
        if self._flag("_struct") and not dict.__contains__(self, key):
            raise ConfigAttributeError(f"Key '{key}' is not in struct")
        dict.__setitem__(self, key, self._attach(value))

    __setattr__ = __setitem__

    def __delattr__(self, key: str) -> None:
        del self[key]

    def get(self, key: Any, default: Any = None) -> Any:
        return self._read(key) if dict.__contains__(self, key) and dict.__getitem__(self, key) != MISSING else default

    def pop(self, key: Any, *default: Any) -> Any:
        return self._resolved(dict.pop(self, key, *default))

    def items(self) -> list:
        return [(key, self._read(key)) for key in self]

    def items_ex(self, resolve: bool = True) -> list:
        return self.items() if resolve else list(dict.items(self))

    def values(self) -> list:
        return [self._read(key) for key in self]

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def copy(self) -> DictConfig:
        made = DictConfig(dict(dict.items(self)))
        made.__dict__.update(_struct=self.__dict__["_struct"])
        return made

    def __deepcopy__(self, memo: Any) -> DictConfig:
        return self.copy()

    def __reduce__(self) -> tuple:
        return DictConfig, (plain(self),)

    def __repr__(self) -> str:
        return repr(plain(self))

    __str__ = __repr__
    __hash__ = object.__hash__


class ListConfig(_Node, list):
    """A list in a configuration."""

    def __init__(self, content: Sequence = (), parent: Any = None, flags: Any = None) -> None:
        self.__dict__.update(_parent=parent)
        super().__init__(map(self._attach, content))

    def __getitem__(self, index: int) -> Any:
        if isinstance(index, slice):
            return ListConfig(list.__getitem__(self, index), self.__dict__["_parent"])
        return self._resolved(list.__getitem__(self, int(index)))

    def __setitem__(self, index: int, value: Any) -> None:
        list.__setitem__(self, index, self._attach(value))

    def __iter__(self) -> Any:
        return map(self._resolved, list.__iter__(self))

    def append(self, value: Any) -> None:
        list.append(self, self._attach(value))

    def __reduce__(self) -> tuple:
        return ListConfig, (plain(self),)

    def __deepcopy__(self, memo: Any) -> ListConfig:
        return ListConfig(plain(self))

    __hash__ = object.__hash__


def made_of(value: Any) -> Any:
    if isinstance(value, _Node):
        return value.copy() if isinstance(value, DictConfig) else ListConfig(list.__iter__(value))
    if dataclasses.is_dataclass(value):
        return DictConfig(_fields(value))
    if isinstance(value, dict):
        return DictConfig(value)
    if isinstance(value, (list, tuple)):
        return ListConfig(value)
    return value


def _fields(value):
    made = {}
    for field in dataclasses.fields(value):
        if not isinstance(value, type):
            made[field.name] = getattr(value, field.name)
        elif field.default is not dataclasses.MISSING:
            made[field.name] = field.default
        else:
            made[field.name] = MISSING if field.default_factory is dataclasses.MISSING else field.default_factory()
    return made


def merge_into(target: Any, source: str) -> None:
    for key, value in dict.items(source):
        own = dict.get(target, key)
        if isinstance(own, DictConfig) and isinstance(value, DictConfig):
            merge_into(own, value)
        else:
            if target._flag("_struct") and not dict.__contains__(target, key):
                raise ConfigKeyError(f"Key '{key}' is not in struct")
            dict.__setitem__(target, key, target._attach(value))


def plain(node: Any, resolve: bool = False) -> Any:
    if isinstance(node, DictConfig):
        rows = ((k, node._resolved(v) if resolve else v) for k, v in dict.items(node))
        return {k: plain(v, resolve) for k, v in rows}
    if isinstance(node, ListConfig):
        rows = (node._resolved(v) if resolve else v for v in list.__iter__(node))
        return [plain(v, resolve) for v in rows]
    return node


def select(node: Any, key: Any, default: Any = None) -> Any:
    """The value at a dotted key."""
    for part in filter(None, re.split(r"[.\[\]]", key)):
        if isinstance(node, DictConfig):
            if part not in node:
                return default
            node = node.get(part)
        elif isinstance(node, ListConfig):
            node = node[int(part)]
        else:
            return default
    return default if node is None else node

"""yacs.config: nodes of settings whose names are attributes, merged from YAML files, from other nodes and from lists of names and values."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self

_FROZEN, _NEW, _OLD, _RENAMED = "__immutable__", "__new_allowed__", "__deprecated_keys__", "__renamed_keys__"
# a value may take the place of one of the other kind
_EXCHANGED = ((tuple, list), (list, tuple), (int, float))


class CfgNode(dict):
    """A node: names with values, and with further nodes; frozen, none of them can be set."""

    IMMUTABLE, NEW_ALLOWED, DEPRECATED_KEYS, RENAMED_KEYS = _FROZEN, _NEW, _OLD, _RENAMED

    def __init__(self, init_dict: Any = None, key_list: Any = None, new_allowed: bool = False) -> None:
        nodes = {k: type(self)(v) if type(v) is dict else v for k, v in (init_dict or {}).items()}
        super().__init__(nodes)
        self.__dict__.update({_FROZEN: False, _NEW: new_allowed, _OLD: set(), _RENAMED: {}})

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if self.is_frozen():
            raise AttributeError(f"Attempted to set {name} to {value}, but CfgNode is immutable")
        self[name] = value

    def _set_all(self, name: str, value: Any) -> None:
        self.__dict__[name] = value
        for part in self.values():
            if isinstance(part, CfgNode):
                part._set_all(name, value)

    def freeze(self) -> None:
        self._set_all(_FROZEN, True)

    def defrost(self) -> None:
        self._set_all(_FROZEN, False)

    def is_frozen(self) -> bool:
        return self.__dict__[_FROZEN]

    def set_new_allowed(self, is_new_allowed: bool) -> None:
        self._set_all(_NEW, is_new_allowed)

    def is_new_allowed(self) -> bool:
        return self.__dict__[_NEW]

    def clone(self) -> Self:
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict) -> Self:
        made = type(self)()
        dict.update(made, {name: copy.deepcopy(value, memo) for name, value in self.items()})
        made.__dict__.update({name: copy.copy(value) for name, value in self.__dict__.items()})
        return made

    def register_deprecated_key(self, key: str) -> None:
        self.__dict__[_OLD].add(key)

    def register_renamed_key(self, old_name: str, new_name: str, message: str | None = None) -> None:
        self.__dict__[_RENAMED][old_name] = (new_name, message)

    def key_is_deprecated(self, full_key: str) -> bool:
        return full_key in self.__dict__[_OLD]

    def merge_from_file(self, cfg_filename: str) -> None:
        with open(cfg_filename, encoding="utf-8") as file:
            self.merge_from_other_cfg(self.load_cfg(file))

    def merge_from_other_cfg(self, cfg_other: Any) -> None:
        _merge(cfg_other, self, self, [])

    def merge_from_list(self, cfg_list: Iterable) -> None:
        cfg_list = list(cfg_list)
        assert len(cfg_list) % 2 == 0, f"Override list has odd length: {cfg_list}; it must be a list of pairs"
        for full_name, value in zip(cfg_list[::2], cfg_list[1::2]):
            if self.key_is_deprecated(full_name):
                continue
            *path, name = full_name.split(".")
            node = self
            for part in path:
                assert part in node, f"Non-existent key: {full_name}"
                node = node[part]
            assert name in node, f"Non-existent key: {full_name}"
            node[name] = _fitting(_decoded(value), node[name], full_name)

    @classmethod
    def load_cfg(cls, cfg_file_obj_or_str: Any) -> Self:
        import yaml

        return cls(yaml.safe_load(cfg_file_obj_or_str) or {})

    def dump(self, **kwargs: Any) -> str:
        import yaml

        return yaml.safe_dump(_plain(self), **kwargs)

    def __str__(self) -> str:
        lines = []
        for name, value in sorted(self.items()):
            text = str(value)
            if isinstance(value, CfgNode):
                text = "\n" + "\n".join(f"  {line}" for line in text.split("\n"))
                lines.append(f"{name}:{text}")
            else:
                lines.append(f"{name}: {text}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({super().__repr__()})"


def _plain(value):
    return {name: _plain(part) for name, part in value.items()} if isinstance(value, dict) else value


def _decoded(value):
    """What a text says as a literal of Python; any other is itself."""
    if isinstance(value, dict) and not isinstance(value, CfgNode):
        return CfgNode(value)
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


def _fitting(value, old, full_name):
    """The new value in the kind of the old one; ValueError where the kinds do not go together."""
    if type(value) is type(old) or value is None or old is None:
        return value
    for value_type, wanted in _EXCHANGED:
        if type(value) is value_type and type(old) is wanted:
            return wanted(value)
    if isinstance(value, dict) and isinstance(old, CfgNode):
        return CfgNode(value)
    raise ValueError(
        f"Type mismatch ({type(old)} vs. {type(value)}) with values ({old} vs. {value}) for config key: {full_name}"
    )


def _merge(source, into, root, path):
    for name, value in source.items():
        full_name = ".".join([*path, name])
        value = _decoded(copy.deepcopy(value))
        if name in into:
            value = _fitting(value, into[name], full_name)
            if isinstance(value, CfgNode) and isinstance(into[name], CfgNode):
                _merge(value, into[name], root, [*path, name])
            else:
                into[name] = value
        elif into.is_new_allowed():
            into[name] = value
        elif not root.key_is_deprecated(full_name):
            renamed = root.__dict__[_RENAMED].get(full_name)
            new = "" if renamed is None else f"; it was renamed to {renamed[0]}"
            raise KeyError(f"Non-existent config key: {full_name}{new}")


load_cfg = CfgNode.load_cfg

"""What makes, merges, changes and writes configurations."""

from __future__ import annotations

from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING

from ._errors import MISSING
from ._nodes import DictConfig, ListConfig, made_of, merge_into, plain, read_yaml, resolvers, select

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any


class OmegaConf:
    """What makes, merges and writes configurations."""

    @staticmethod
    def create(obj: Any = None, parent: Any = None, flags: Any = None) -> Any:
        if isinstance(obj, str):
            obj = read_yaml(obj)
        made = made_of({} if obj is None else obj)
        for flag in flags or {}:
            made.__dict__[f"_{flag}"] = flags[flag]
        return made

    structured = create

    @staticmethod
    def load(file_: Any) -> Any:
        if hasattr(file_, "read"):
            return made_of(read_yaml(file_) or {})
        with open(file_) as file:
            return made_of(read_yaml(file) or {})

    @staticmethod
    def save(config: Any, f: Any, resolve: bool = False) -> None:
        text = OmegaConf.to_yaml(config, resolve=resolve)
        if hasattr(f, "write"):
            f.write(text)
            return
        with open(f, "w") as file:
            file.write(text)

    @staticmethod
    def from_cli(args_list: Any = None) -> Any:
        import sys

        return OmegaConf.from_dotlist(sys.argv[1:] if args_list is None else args_list)

    @staticmethod
    def from_dotlist(dotlist: Any) -> Any:
        made = DictConfig()
        for word in dotlist:
            key, equals, value = word.partition("=")
            OmegaConf.update(made, key, _word(value) if equals else None)
        return made

    @staticmethod
    def merge(*configs: Any) -> Any:
        made = made_of(configs[0])
        if isinstance(made, ListConfig):
            return made_of(configs[-1])
        for flag in ("_struct", "_readonly"):
            made.__dict__[flag] = False
        for config in configs[1:]:
            other = OmegaConf.from_dotlist(config) if isinstance(config, list) else made_of(config)
            merge_into(made, other)
        return made

    unsafe_merge = merge

    @staticmethod
    def to_container(cfg: Any, *, resolve: bool = False, throw_on_missing: bool = False, **_: Any) -> Any:
        return plain(cfg, resolve)

    @staticmethod
    def to_object(cfg: Any) -> Any:
        return plain(cfg, True)

    @staticmethod
    def to_yaml(cfg: Any, *, resolve: bool = False, sort_keys: bool = False) -> Any:
        import yaml

        return yaml.safe_dump(
            plain(cfg if isinstance(cfg, (DictConfig, ListConfig)) else made_of(cfg), resolve), sort_keys=sort_keys
        )

    @staticmethod
    def resolve(cfg: Any) -> None:
        made = made_of(plain(cfg, True))
        cfg.clear()
        for key, value in dict.items(made):
            dict.__setitem__(cfg, key, cfg._attach(value))

    @staticmethod
    def select(cfg: Any, key: Any, *, default: Any = None, **_: Any) -> Any:
        return select(cfg, key, default)

    @staticmethod
    def update(cfg: Any, key: str, value: Any = None, *, merge: bool = True, force_add: bool = False) -> None:
        *path, last = key.split(".")
        for part in path:
            if not isinstance(dict.get(cfg, part), DictConfig):
                dict.__setitem__(cfg, part, cfg._attach({}))
            cfg = dict.__getitem__(cfg, part)
        value = cfg._attach(value)
        own = dict.get(cfg, last)
        if merge and isinstance(own, DictConfig) and isinstance(value, DictConfig):
            merge_into(own, value)
        else:
            dict.__setitem__(cfg, last, value)

    @staticmethod
    def set_struct(conf: Any, value: Any) -> None:
        conf.__dict__["_struct"] = value

    @staticmethod
    def set_readonly(conf: Any, value: Any) -> None:
        conf.__dict__["_readonly"] = value

    @staticmethod
    def is_struct(conf: Any) -> Any:
        return conf.__dict__.get("_struct", False)

    @staticmethod
    def is_config(obj: Any) -> bool:
        return isinstance(obj, (DictConfig, ListConfig))

    @staticmethod
    def is_dict(obj: Any) -> bool:
        return isinstance(obj, DictConfig)

    @staticmethod
    def is_list(obj: Any) -> bool:
        return isinstance(obj, ListConfig)

    @staticmethod
    def is_missing(cfg: Any, key: Any) -> bool:
        return dict.get(cfg, key) == MISSING

    @staticmethod
    def register_new_resolver(name: str, resolver: Any, *, replace: bool = False, use_cache: bool = False) -> None:
        resolvers[name] = resolver

    register_resolver = register_new_resolver

    @staticmethod
    def has_resolver(name: str) -> bool:
        return name in resolvers

    @staticmethod
    def clear_resolvers() -> None:
        resolvers.clear()

    @staticmethod
    def missing_keys(cfg: Any) -> set:
        return {k for k, v in dict.items(cfg) if v == MISSING}


def _word(text):
    """A value of the command line."""
    import yaml

    try:
        value = read_yaml(text)
    except yaml.YAMLError:
        return text
    return value.name if isinstance(value, Enum) else value


@contextmanager
def _flagged(config, name, value):
    before = config.__dict__.get(name, False)
    config.__dict__[name] = value
    yield config
    config.__dict__[name] = before


def open_dict(config: Any) -> Iterator[Any]:
    """Within, a struct takes new keys."""
    return _flagged(config, "_struct", False)


def read_write(config: Any) -> Iterator[Any]:
    return _flagged(config, "_readonly", False)


def flag_override(config: Any, names: Sequence[str], values: Any) -> Iterator[Any]:
    return _flagged(config, f"_{names if isinstance(names, str) else names[0]}", values)

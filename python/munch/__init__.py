"""munch: dictionaries whose keys are attributes, too; the package itself wins where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__getattr__ = lacks("munch")


class Munch(dict):
    """A missing attribute is an AttributeError, a missing key a KeyError."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(name)

    __setattr__ = dict.__setitem__

    def __delattr__(self, name: str) -> None:
        if name not in self:
            raise AttributeError(name)
        del self[name]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict.__repr__(self)})"

    def __dir__(self) -> list:
        return list(self)

    def toDict(self) -> dict:
        return unmunchify(self)

    def copy(self) -> Munch:
        return type(self).fromDict(self)

    @classmethod
    def fromDict(cls, d: Any) -> Munch:
        return munchify(d, cls)


AutoMunch = Munch


class DefaultMunch(Munch):
    """What is missing reads as one value."""

    def __init__(self, default: Any = None, *args: Any, **kwargs: Any) -> None:
        self.__dict__["__default__"] = default
        super().__init__(*args, **kwargs)

    def __missing__(self, name: str) -> Any:
        return self.__dict__["__default__"]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]


def munchify(x: Any, factory: Callable = Munch) -> Any:
    if isinstance(x, dict):
        return factory({k: munchify(v, factory) for k, v in x.items()})
    return type(x)(munchify(v, factory) for v in x) if isinstance(x, (list, tuple)) else x


def unmunchify(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: unmunchify(v) for k, v in x.items()}
    return type(x)(unmunchify(v) for v in x) if isinstance(x, (list, tuple)) else x

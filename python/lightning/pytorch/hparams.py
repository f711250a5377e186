"""save_hyperparameters: the arguments of a class's __init__ as `self.hparams`."""

from __future__ import annotations

import argparse
import inspect
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class AttributeDict(dict):
    """Its keys are attributes, too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f'Missing attribute "{name}"') from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class HyperparametersMixin:
    """Keeps hyperparameters."""

    def save_hyperparameters(
        self, *args: Any, ignore: Any = None, frame: int | None = None, logger: bool = True
    ) -> None:
        frame = frame or inspect.currentframe().f_back
        ignored = {ignore} if isinstance(ignore, str) else set(ignore or ())
        names = [a for a in args if isinstance(a, str)]
        whole = [a for a in args if not isinstance(a, str)]
        found = {}
        if whole:
            for value in whole:
                found.update(vars(value) if isinstance(value, argparse.Namespace) else dict(value))
        else:
            while frame is not None and frame.f_locals.get("self") is self and frame.f_code.co_name == "__init__":
                found = _arguments(frame) | found
                frame = frame.f_back
        if names:
            found = {name: found[name] for name in names}
        self.hparams.update({k: v for k, v in found.items() if k not in ignored})

    @property
    def hparams(self) -> Any:
        found = self.__dict__.get("_hparams")
        if found is None:
            found = self.__dict__["_hparams"] = AttributeDict()
        return found

    @property
    def hparams_initial(self) -> AttributeDict:
        return AttributeDict(self.hparams)


def _arguments(frame):
    code, values = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount
    found = {name: values[name] for name in code.co_varnames[1:count] if name in values}
    if code.co_flags & inspect.CO_VARKEYWORDS:
        found |= values.get(code.co_varnames[count + bool(code.co_flags & inspect.CO_VARARGS)], {})
    return {k: v for k, v in found.items() if k != "__class__"}

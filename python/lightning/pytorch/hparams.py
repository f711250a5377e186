"""save_hyperparameters: the arguments of a class's __init__ as `self.hparams`."""

from __future__ import annotations

import argparse
import ast
import inspect
import linecache
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType
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


def lacking(kind: type, given: dict[str, Any]) -> list[str]:
    """Arguments that a class cannot be made without and that are not given."""
    taken = list(inspect.signature(kind.__init__).parameters.values())[1:]
    needed = [
        one.name for one in taken if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    ]
    return [name for name in needed if name not in given]


def of_call(kind: type, frame: FrameType, path: str) -> dict[str, Any]:
    """The arguments with which the text around a running line makes such an object otherwise, as they are there now.

    A checkpoint that is not there cannot say with what its model was made; who loads it often makes the model anew where it is missing.
    """
    file, line = frame.f_code.co_filename, frame.f_lineno
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return {}
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    for scope in (*reversed(around), tree):
        for call in ast.walk(scope):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == kind.__name__:
                found = _given(kind, call, frame)
                if found is not None:
                    from torch._stand_ins import note

                    note("hyperparameters_of_call", "name", os.path.basename(str(path)), call=f"{kind.__name__}(...)")
                    return found
    return {}


def _given(kind, call, frame):
    """What a call would hand to the class, or None where it cannot be told here."""
    taken = ast.Call(ast.Name("dict", ast.Load()), [], call.keywords)
    try:
        named, *placed = (
            eval(
                compile(ast.fix_missing_locations(ast.Expression(part)), "<vramscope>", "eval"),
                frame.f_globals,
                frame.f_locals,
            )
            for part in (taken, *call.args)
        )
        names = [name for name in inspect.signature(kind.__init__).parameters][1:]
        return dict(zip(names, placed)) | named
    except Exception:
        return None

"""marimo: a notebook as a program. Its cells run once, each after those that make what it asks for; what they show is not drawn."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from vramscope_absent import Inert

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__version__ = "0.10.6"
_VALUES = ("value", "start")  # what a control holds before anybody moves it, by the argument that says so


class App:
    def __init__(self, **_: Any) -> None:
        self._cells = []

    def _take(self, function=None, **_):
        if function is None:
            return self._take
        self._cells.append(function)
        return function

    cell = function = class_definition = _take

    @property
    def setup(self) -> Inert:
        return Inert("marimo.setup")

    def run(self, *_: Any, **__: Any) -> tuple:
        """Outputs of the cells, and all names that they return."""
        made, outputs, waiting = {}, [], list(self._cells)
        while waiting:
            ready = next((cell for cell in waiting if made.keys() >= set(_wants(cell))), None)
            if ready is None:
                missing = {name for cell in waiting for name in _wants(cell)} - made.keys()
                raise NameError(f"name '{min(missing)}' is not defined by any cell")
            waiting.remove(ready)
            definitions = ready(**{name: made[name] for name in _wants(ready)})
            outputs.append(None)
            made.update(zip(_returns(ready), definitions if isinstance(definitions, tuple) else ()))
        return outputs, made


def _wants(cell):
    return list(inspect.signature(cell).parameters)


def _returns(cell):
    """Names that a cell returns: it ends with `return (a, b)`, as marimo writes it."""
    import ast
    import textwrap

    tree = ast.parse(textwrap.dedent(inspect.getsource(cell)))
    last = tree.body[0].body[-1]
    parts = last.value.elts if isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple) else []
    return [part.id for part in parts if isinstance(part, ast.Name)]


class _Control(Inert):
    """Something to move: it stands where it begins."""

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(name)
        self.__dict__["value"] = value


class _Controls:
    def __getattr__(self, name: str) -> Callable:
        def control(*args, **options):
            value = next((options[key] for key in _VALUES if key in options), args[0] if args else None)
            if name in ("dropdown", "radio", "multiselect") and "value" not in options:
                value = None
            return _Control(f"marimo.ui.{name}", value)

        return control


ui = _Controls()


def __getattr__(name: str) -> Inert:
    if name.startswith("__"):
        raise AttributeError(name)
    return Inert(f"marimo.{name}")

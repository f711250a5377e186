"""A rank that runs for others, too: what the program reads of its number holds theirs as well (torch/_ranked.py).

Numbers come from the environment. `int`, `str`, `print`, formatted strings and their like know nothing of such values, so the
program's own text calls them by functions that do. A package's text does not; what it reads counts as decided by.
"""

from __future__ import annotations

import ast
import builtins
import os
import random
import sys
from typing import TYPE_CHECKING

from torch import _ranked
from torch._types import device

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_OURS = "/lib/vramscope"
_VARIABLES = ("RANK", "LOCAL_RANK", "GROUP_RANK", "ROLE_RANK")
_PURE = (int, float, bool, str, repr, abs, round, min, max, divmod, pow, format)
_MARK = "\ue0f0{}\ue0f1"  # where a value of every rank stands in a text that is being formatted
_parts = []


def begin(functions: Any) -> None:
    """Asks whether this rank stands for others, and for which."""
    _ranked.alike.clear()
    asked = functions.ranksAlike("", "") if int(os.environ.get("WORLD_SIZE") or 1) > 1 else ""
    if not asked:
        return
    ranks = [int(word) for word in asked.split(",")]
    per_node = int(os.environ["LOCAL_WORLD_SIZE"])
    _ranked.begin(int(os.environ["RANK"]), ranks, per_node, lambda *left: functions.ranksAlike(*map(_listed, left)))
    numbers = {name: _ranked.by_rank(lambda rank: str(rank)) for name in ("RANK", "ROLE_RANK")}
    numbers["LOCAL_RANK"] = _ranked.by_rank(lambda rank: str(rank % per_node))
    numbers["GROUP_RANK"] = _ranked.by_rank(lambda rank: str(rank // per_node))
    _watch_environment(numbers)
    _watch_devices()
    _watch_seeds()
    builtins._vramscope_called, builtins._vramscope_part, builtins._vramscope_text = called, part, text


def _listed(ranks):
    return ",".join(map(str, ranks))


def _watch_environment(numbers):
    class Environment(os._Environ):
        def __getitem__(self, name: str) -> Any:
            value = super().__getitem__(name)
            ranked = numbers.get(name)
            # what the program itself put there is its own
            return ranked if ranked is not None and value == _ranked.plain(ranked) else value

    os.environ.__class__ = Environment


def _watch_seeds():
    """Python's generator looks into what it is given."""
    seed = random.seed
    random.seed = lambda a=None, version=2: seed(_ranked.draws(a), version)


def _watch_devices():
    """A program that reads a device's number reads that of a rank."""
    slot = device.index

    def index(self):
        if self._of is None or sys._getframe(1).f_code.co_filename.startswith(_OURS):
            return slot.__get__(self)
        return self._of

    device.index = property(index, slot.__set__)


# --- the program's text


def rewritten(source: Any, path: str, tree: Any = None) -> Any:
    """The syntax tree of a module of the program."""
    if tree is None:
        tree = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    return _Calls().visit(tree)


_NAMES = frozenset(f.__name__ for f in _PURE) | {"print"}


class _Calls(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id in _NAMES:
            return _call(node, "_vramscope_called", [function, *node.args], node.keywords)
        if isinstance(function, ast.Attribute) and function.attr == "format" and _is_text(function.value):
            return _call(node, "_vramscope_called", [function, *node.args], node.keywords)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        if not (isinstance(node.op, ast.Mod) and _is_text(node.left)):
            return node
        function = ast.copy_location(ast.Attribute(node.left, "__mod__", ast.Load()), node)
        return _call(node, "_vramscope_called", [function, node.right], [])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        self.generic_visit(node)
        for value in node.values:
            if isinstance(value, ast.FormattedValue) and (value.conversion == -1 or value.format_spec is None):
                value.value = _call(value.value, "_vramscope_part", [value.value], [])
        return _call(node, "_vramscope_text", [node], [])

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        # how it is written has no parts of its own
        node.value = self.visit(node.value)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> Any:
        return node


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _call(place, name, args, keywords):
    function = ast.copy_location(ast.Name(name, ast.Load()), place)
    return ast.copy_location(ast.Call(function, args, keywords), place)


def _lifted(x):
    """What a text of this value says on every rank."""
    return _ranked.each(lambda i: f"cuda:{i}", x._of) if type(x) is device and x._of is not None else x


def called(function: Callable, /, *args: Any, **named: Any) -> Any:
    """A call of a function that looks into its arguments."""
    if function is print:
        return function(*[_ranked.plain(_lifted(x)) for x in args], **named)
    own = getattr(function, "__self__", None)
    if function in _PURE or (isinstance(own, str) and function.__name__ in ("format", "__mod__")):
        args = [_lifted(x) for x in args]
        flat = [y for x in args for y in (map(_lifted, x) if type(x) is tuple else [x])]
        if any(type(x) is _ranked.Ranked for x in (*flat, *named.values())):
            return _each(function, args, named)
    return function(*args, **named)


def _each(function, args, named):
    """As `_ranked.each`, for values inside of tuples and by name, too."""
    shape = [len(x) if type(x) is tuple else -1 for x in args]
    flat = [_lifted(y) for x in args for y in (x if type(x) is tuple else (x,))]

    def on_a_rank(*values):
        values = iter(values)
        values_read = [next(values) if n < 0 else tuple(next(values) for _ in range(n)) for n in shape]
        return function(*values_read, **dict(zip(named, values)))

    return _ranked.each(on_a_rank, *flat, *named.values())


class _Part:
    """Stands in a formatted string until the whole of it is there."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __format__(self, how: str) -> str:
        _parts.append((self._value, how))
        return _MARK.format(len(_parts) - 1)

    def __str__(self) -> str:
        return format(self, "")

    def __repr__(self) -> str:
        self._value = _ranked.each(repr, self._value)
        return format(self, "")


def part(x: Any) -> Any:
    """A value of a formatted string."""
    x = _lifted(x)
    return _Part(x) if type(x) is _ranked.Ranked else x


def text(formatted: str) -> Any:
    """A formatted string, with what its parts are on every rank."""
    if _MARK[0] not in formatted:
        return formatted
    pieces, values = [], []
    for piece in formatted.split(_MARK[0]):
        number, mark, rest = piece.partition(_MARK[-1])
        if mark and number.isdigit() and int(number) < len(_parts):
            values.append(_parts[int(number)])
            pieces.append(rest)
        else:
            pieces.append(piece)
    _parts.clear()

    def on_a_rank(*own):
        texts = iter(format(value, how) for value, (_, how) in zip(own, values))
        return pieces[0] + "".join(next(texts) + rest for rest in pieces[1:])

    return _ranked.each(on_a_rank, *[value for value, _ in values])

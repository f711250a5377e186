"""Puts a mark at the top of each pass of a loop, in the syntax tree; lines, columns and lifetimes stay as they are.

`for x in items:` becomes `for x in _vramscope_for(items, n):`, and `while test:` gets a local mark before it and asks it behind
the test. Loops that yield or await are paced by whoever consumes them and are left alone; one that only hands on what others
yield, in `yield from`, is watched as long as those have given nothing. A list made by calls of a function of the same file is a loop, too.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from importlib.util import decode_source
from typing import TYPE_CHECKING

from . import listing, passes, stepping
from .marks import call, is_short

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


_STARTS = r"^[ \t]*(?:for|while)\b"
_LOOP, _LOOP_LINE = re.compile(_STARTS.encode(), re.M), re.compile(_STARTS)
_ASKS_KIND = re.compile(rb"\btype\(.*\bis\b")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_PAUSES = (ast.Yield, ast.Await, ast.AsyncFor, ast.AsyncWith)


def has_loops(source: str) -> bool:
    """Whether a text may have a loop as a statement."""
    return _LOOP.search(source if isinstance(source, bytes) else source.encode()) is not None


def code_of(source: str, path: str, tree: Any = None) -> Any:
    """The compiled module."""
    text = source if isinstance(source, bytes) else source.encode()
    lines = None
    if tree is None:
        # not ast.parse: an error of the source would have a frame of that module in its traceback
        tree = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        lines = (decode_source(source) if isinstance(source, bytes) else source).split("\n")
    if _ASKS_KIND.search(text):
        _ask_kinds_by_value(tree)
    marking = _Marking(path, lines, stepping.may_step(text))
    marking.walk(tree, "<module>", None)
    listing.mark(tree, path, marking.sites, text)
    code = compile(tree, path, "exec", dont_inherit=True)
    if marking.sites:
        passes.cover(code, marking.sites)
    return code


def _ask_kinds_by_value(tree):
    """`type(x) is float` becomes `type(x) == float`: a number that nobody knows here has a class of its own, which is equal to that."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call) and len(node.left.args) == 1:
            if isinstance(node.left.func, ast.Name) and node.left.func.id == "type":
                node.ops = [
                    ast.Eq() if isinstance(op, ast.Is) else ast.NotEq() if isinstance(op, ast.IsNot) else op
                    for op in node.ops
                ]


class _Marking:
    """Marks the loops of a module, in statements that have one: a package's file is long, and few of them do."""

    def __init__(self, path: str, lines: list[str] | None, has_steps: bool) -> None:
        """`lines`: those of the text, None of a tree that is no longer the text's; `has_steps`: whether it may have an optimizer's step."""
        self._path, self._lines, self._has_steps = path, lines, has_steps
        self.sites = []
        self._loops = [at for at, line in enumerate(lines or (), 1) if _LOOP_LINE.match(line)]

    def _has_loop(self, node):
        if self._lines is None:
            return True
        at = bisect_left(self._loops, node.lineno)
        return at < len(self._loops) and self._loops[at] <= node.end_lineno

    def walk(self, node: Any, function: str, behind: bool | None) -> None:
        """`behind`: whether an optimizer steps behind the node, within the loops that enclose it; None outside of loops."""
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                self._statements(statements, function, behind)
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self.walk(part, function, behind)

    def _steps_behind(self, statements, behind):
        """Of each statement, whether an optimizer steps in one of those that follow it."""
        found, follows = [], behind
        for node in reversed(statements):
            found.append(follows)
            if behind is not None and not follows:
                follows = self._has_steps and stepping.steps_optimizer(own_nodes([node]))
        return found[::-1]

    def _statements(self, statements, function, behind):
        if not any(map(self._has_loop, statements)):
            return
        index = 0
        for node, follows in zip(tuple(statements), self._steps_behind(statements, behind)):
            if not self._has_loop(node):
                index += 1
                continue
            is_loop = isinstance(node, (ast.For, ast.While))
            is_scope = isinstance(node, _SCOPES[:3])
            inner = node.name if is_scope else function
            self.walk(node, inner, None if is_scope else bool(follows) if is_loop else follows)
            accumulates = bool(follows) and is_loop and stepping.only_adds_gradients(own_nodes(node.body))
            if isinstance(node, ast.For) and not _pauses(node) and not is_short(node.iter):
                node.iter = call(node.iter, "_vramscope_for", node.iter, self._site(node, inner, accumulates))
            elif isinstance(node, ast.While) and not _pauses(node):
                number = self._site(node, inner, accumulates)
                name = f"_vramscope_loop_{node.lineno}_{node.col_offset}"
                made = ast.Assign([ast.Name(name, ast.Store())], call(node.test, "_vramscope_while", number))
                statements.insert(index, ast.copy_location(made, node.test))
                ast.copy_location(made.targets[0], node.test)
                node.test = call(node.test, name, node.test)
                # the watch ends with its loop: kept until the next execution, it would end the loop around it
                over = ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None))
                statements.insert(index + 2, ast.fix_missing_locations(ast.copy_location(over, node.test)))
                index += 2
            index += 1

    def _site(self, node, function, accumulates):
        text = None if self._lines is None else "\n".join(self._lines[node.lineno - 1 : node.end_lineno])
        site = passes.Site(node, self._path, function, accumulates, text)
        self.sites.append(site)
        _hand_on(node.body, site.number)
        return ast.copy_location(ast.Constant(site.number), node.iter if isinstance(node, ast.For) else node.test)


def own_nodes(statements: Any) -> Iterator[Any]:
    """Every node of some statements, without those of functions and classes within."""
    waiting = list(statements)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))


def _pauses(loop):
    return any(isinstance(node, _PAUSES) for node in own_nodes(loop.body))


def _hand_on(body, number):
    """`yield from those` tells the loop when they give something."""
    for node in own_nodes(body):
        if isinstance(node, ast.YieldFrom):
            node.value = call(
                node.value, "_vramscope_from", node.value, ast.copy_location(ast.Constant(number), node.value)
            )

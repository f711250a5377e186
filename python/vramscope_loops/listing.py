"""Lists that a program makes by calling a function of its own for each item: their passes are watched as a loop's are.

`[run(i) for i in items]` becomes `_vramscope_list([run(i) for i in _vramscope_items(items, n)], n)`: left before its end, the list gets
its last item again for every pass that did not run.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from . import filling, passes
from .marks import call, is_short

if TYPE_CHECKING:
    from typing import Any


_DEFINED = re.compile(rb"^[ \t]*def\s+(\w+)", re.M)
_LISTED = re.compile(rb"\[(?:\s|#.*\n)*(\w+)\(")


def mark(tree: ast.Module, path: str, sites: list[Any], text: bytes) -> None:
    """Marks the lists of a module, whose text is `text`."""
    own = {name.decode() for name in {*_DEFINED.findall(text)}.intersection(_LISTED.findall(text))}
    if not own:
        return
    marking = _Marking(own, path, sites)
    marking.visit(tree)


class _Marking(ast.NodeTransformer):
    def __init__(self, own: set[str], path: str, sites: list[Any]) -> None:
        self._own, self._path, self._sites = own, path, sites
        self._function = "<module>"

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        around, self._function = self._function, node.name
        self.generic_visit(node)
        self._function = around
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        part, called = node.generators[0], getattr(node.elt, "func", None)
        is_plain = len(node.generators) == 1 and not part.ifs and not part.is_async
        if not is_plain or not isinstance(called, ast.Name) or called.id not in self._own or is_short(part.iter):
            return node
        loop = ast.copy_location(
            ast.For(part.target, part.iter, [ast.copy_location(ast.Expr(node.elt), node.elt)], []), node
        )
        site = passes.Site(loop, self._path, self._function, False)
        self._sites.append(site)
        number = ast.copy_location(ast.Constant(site.number), part.iter)
        part.iter = call(part.iter, "_vramscope_items", part.iter, number)
        return call(node, "_vramscope_list", node, number)


class _Items(passes.For):
    """Those of a list that is being made: what each pass adds to memory lives in it, and is not left out."""

    __slots__ = ("_bytes",)

    def __init__(self, items: Any, site: Any, total: int) -> None:
        super().__init__(items, site, total)
        self._bytes = -1  # that were allocated when it was last asked whether to leave

    def _leave(self, answer, frame):
        before, self._bytes = self._bytes, passes.engine().loopHeld()
        if self._bytes != before or answer == passes.GROWS:
            return None
        self._site.short = self._total - self._begun + 1
        self._say(answer, frame)
        return -1


def listed(items: Any, number: int) -> Any:
    """What a list is made of, where it is known how long that is."""
    watched = passes.over(items, number)
    return watched if watched is items or watched._total < 0 else _Items(items, passes.sites[number], watched._total)


def whole(made: list, number: int) -> list:
    """A list that was made, as long as it would be."""
    site = passes.sites[number]
    missing, site.short = site.short, 0
    if missing and made:
        filling.lengthen(made, 1, min(missing, filling.MOST))
        passes.engine().loopFilled(site.path, site.line, site.function, "[ ]")
    return made

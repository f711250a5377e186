"""Numbers that the script, or its command line, gives to a batch size are halved."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from vramscope_probe import _Numbers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_NAMES = {
    "b", "bs", "bsz", "batch", "batchsize", "batch_size", "n_batch", "micro_batch", "micro_batch_size",
    "mini_batch_size", "minibatch_size", "train_batch_size", "per_device_train_batch_size", "per_device_batch_size",
}  # fmt: skip


def apply() -> None:
    for index, argument in enumerate(sys.argv[1:], 1):
        name, equals, value = argument.lstrip("-").partition("=")
        if not argument.startswith("-") or name.replace("-", "_").lower() not in _NAMES:
            continue
        if equals:
            sys.argv[index] = f"{argument.partition('=')[0]}={_half(value)}"
        elif index + 1 < len(sys.argv):
            sys.argv[index + 1] = _half(sys.argv[index + 1])


def _half(text):
    return str(max(1, int(text) // 2)) if text.isdigit() else text


def rewrite(tree: Any, lines: Sequence[str]) -> Any:
    numbers = _Numbers()
    numbers.visit(tree)
    halves = {
        id(node): max(1, value // 2)
        for node, value, names in numbers.found
        if value > 1 and any(name.lower() in _NAMES for name in names)
    }
    return _Halve(halves).visit(tree)


class _Halve(ast.NodeTransformer):
    def __init__(self, halves: Any) -> None:
        self._halves = halves

    def visit(self, node: ast.AST) -> Any:
        half = self._halves.get(id(node))
        return super().visit(node) if half is None else ast.copy_location(ast.Constant(half), node)

"""Where an optimizer steps: in a loop's body, or behind a loop whose passes only add to the gradients."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


_STEPS = ("step", "training_step", "optimizer_step")
_CALL = re.compile(rf"\.\s*(?:{'|'.join(_STEPS)})\b".encode())
_SCHEDULES = ("sched", "lr", "warmup")


def may_step(text: bytes) -> bool:
    """Whether a text names a step at all."""
    return _CALL.search(text) is not None


def steps(nodes: Iterable[ast.AST]) -> bool:
    """Whether an optimizer's step seems to be among the calls."""
    return any(_method(node) in _STEPS for node in nodes)


def steps_optimizer(nodes: Iterable[ast.AST]) -> bool:
    """Whether a step is among the calls that is none of a schedule's."""
    return any(
        _method(node) in _STEPS and not any(word in ast.unparse(node.func.value).lower() for word in _SCHEDULES)
        for node in nodes
    )


def only_adds_gradients(nodes: Iterable[ast.AST]) -> bool:
    """Whether a loop's body computes gradients itself and leaves the step to what comes behind it."""
    nodes = list(nodes)
    return any(_method(node) == "backward" for node in nodes) and not steps(nodes)


def _method(node):
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None

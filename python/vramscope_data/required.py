"""Whether a program ends on one of two answers: where a path is not there, `assert path.is_file()`, or where a value is not as it must be."""

from __future__ import annotations

import ast
import dis
import functools
from typing import TYPE_CHECKING

from . import readers

if TYPE_CHECKING:
    from typing import Any


_ENDS = {"exit", "quit", "_exit"}
_STEPS_TO_TEST, _STEPS_TO_END = 4, 24
_known = {}


def by_asker() -> Any:
    """Looks at the statement of the program that asks whether a path exists: what comes after a false answer."""
    return ends_on(False)


def ends_on(answer: bool) -> bool:
    """Whether the program ends where the statement that asks is given this answer: it raises, or leaves."""
    frame = readers.asker()
    if frame is None:
        return False
    key = (frame.f_code, frame.f_lasti, answer)
    if key not in _known:
        _known[key] = _ends_when(*key)
    return _known[key]


def _ends_when(code, at, tested):
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "NOT_TAKEN", "NOP")]
    place = {step.offset: n for n, step in enumerate(steps)}
    here = place.get(at)
    if here is None:
        return False
    for n in range(here + 1, min(here + 1 + _STEPS_TO_TEST, len(steps))):
        name = steps[n].opname
        if name == "UNARY_NOT":
            tested = not tested
        elif name.startswith("POP_JUMP_IF_"):
            jumps_if = name == "POP_JUMP_IF_TRUE"
            target = place.get(steps[n].argval)
            return target is not None and _ends(steps, target if jumps_if == tested else n + 1)
        elif name == "LOAD_CONST" and isinstance(steps[n].argval, bool) and _holds_against(steps[n + 1]):
            # `is False` turns the answer round
            tested = tested == steps[n].argval
        elif name not in ("TO_BOOL", "COPY", "IS_OP", "COMPARE_OP"):
            return False
    return False


def _holds_against(step):
    """Whether two values are held against each other, and being the same is true."""
    return (step.opname == "IS_OP" and step.arg == 0) or (step.opname == "COMPARE_OP" and "==" in str(step.argval))


def _ends(steps, start):
    """Whether the way from there leads to a raise, or to an exit, without a decision."""
    for step in steps[start : start + _STEPS_TO_END]:
        if step.opname == "RAISE_VARARGS" or step.opname in ("LOAD_ASSERTION_ERROR", "LOAD_COMMON_CONSTANT"):
            return True
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR") and str(step.argval) in _ENDS:
            return True
        if "JUMP" in step.opname or step.opname.startswith(("RETURN", "FOR_ITER", "STORE")):
            return False
    return False


def by_lister() -> bool:
    """Whether a program ends when the list that it is making is empty: it asserts that it is not, or raises or leaves where it is."""
    frame = readers.asker()
    if frame is None:
        return False
    try:
        return frame.f_lineno in _lines_of_needed_lists(readers.text_of(frame))
    except (SyntaxError, ValueError):
        return False


@functools.cache
def _lines_of_needed_lists(text):
    nodes = list(ast.walk(ast.parse(text)))
    needed = {ast.unparse(part) for node in nodes if _ends_here(node) for part in ast.walk(node.test)}
    return {
        line
        for node in nodes
        if isinstance(node, ast.Assign) and any(ast.unparse(target) in needed for target in node.targets)
        for line in range(node.lineno, node.end_lineno + 1)
    }


def _ends_here(node):
    """An assertion, or a decision after which the program raises or leaves at once."""
    if isinstance(node, ast.Assert):
        return True
    if not isinstance(node, ast.If):
        return False
    last = node.body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    leaves = isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in _ENDS
    return isinstance(last, ast.Raise) or leaves

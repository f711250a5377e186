"""What the lines of a text hold, told by how the program that opens it takes them apart: numbers, names of pictures, words."""

from __future__ import annotations

import ast
import functools
import sys
from typing import TYPE_CHECKING

from . import readers

if TYPE_CHECKING:
    from typing import Any


_NUMBERS = frozenset("int float float32 float64 int64 int32 long".split())
_OF_TABLES = ("|", "\t", ";", "||")  # no prose has them
NUMBER, PICTURE, WORDS = "number", "picture", "words"


def parts() -> tuple[str, list[str]] | None:
    """(separator, what each part is) of the lines; None where the opening function does not take lines apart."""
    frame = readers.asker()
    if frame is None:
        return None
    try:
        found = _parts_in(readers.text_of(frame), frame.f_lineno)
    except (SyntaxError, ValueError):
        return None
    if found is None:
        return None
    separator, numbers, count = found
    other = PICTURE if "PIL" in sys.modules or "cv2" in sys.modules else WORDS
    return separator, [
        NUMBER if numbers is None or i in numbers or i - count in numbers else other for i in range(count)
    ]


@functools.cache
def _parts_in(text, line):
    """(separator, places of numbers or None for all, how many parts) of the function around a line."""
    tree = ast.parse(text)
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= line <= node.end_lineno
    ]
    nodes = list(ast.walk(max(around, key=lambda node: node.lineno) if around else tree))
    splits = [node for node in nodes if _splits_a_line(node)]
    if not splits:
        return None
    lists, unpacked = {}, {}  # names of lists of parts; names of single parts -> place and number of all
    for node in nodes:
        if isinstance(node, ast.Assign) and any(part in splits for part in ast.walk(node.value)):
            (target,) = node.targets[:1]
            if isinstance(target, ast.Name) and (node.value in splits or isinstance(node.value, ast.ListComp)):
                lists[target.id] = True
            elif isinstance(target, (ast.Tuple, ast.List)) and node.value in splits:
                names = [getattr(part, "id", None) for part in target.elts]
                unpacked.update((name, (place, len(names))) for place, name in enumerate(names) if name)
    for node in nodes:  # one line of a list of them
        if isinstance(node, (ast.For, ast.comprehension)) and getattr(node.iter, "id", None) in lists:
            lists[getattr(node.target, "id", None)] = True
    numbers, places = set(), set()
    for node in nodes:
        if isinstance(node, ast.Call) and _called(node.func) == "map" and _is_number(node.args[0]):
            if any(part in splits for part in ast.walk(node)):
                return _separator(splits), None, max(2, len(places))
        if isinstance(node, ast.ListComp) and isinstance(node.elt, ast.Call) and _is_number(node.elt.func):
            within = ast.walk(node.generators[0].iter)
            if any(part in splits or getattr(part, "id", None) in lists for part in within):
                return _separator(splits), None, 4
        place = _place(node, splits, lists, unpacked)
        if place is not None:
            places.add(place)
        if isinstance(node, ast.Call) and _is_number(node.func) and len(node.args) == 1:
            place = _place(_bare(node.args[0]), splits, lists, unpacked)
            if place is not None:
                numbers.add(place)
    count = max([2, *(n for _, n in unpacked.values()), *(p + 1 if p >= 0 else -p for p in places)])
    told = numbers or (places and _separator(splits) in _OF_TABLES)
    return (_separator(splits), frozenset(numbers), count) if told else None


def _bare(node):
    """What a text is before blanks are taken off."""
    while isinstance(node, ast.Call) and _called(node.func) in ("strip", "rstrip", "lstrip") and not node.args:
        node = node.func.value
    return node


def _splits_a_line(node):
    if not isinstance(node, ast.Call) or _called(node.func) != "split" or not isinstance(node.func, ast.Attribute):
        return False
    first = node.args[0] if node.args else None
    plain = first is None or isinstance(first, ast.Constant) and isinstance(first.value, str)
    return plain and _separator([node]) not in ("\n", "/", ".", "_", "-")


def _separator(splits):
    first = splits[0].args[0] if splits[0].args else None
    return first.value if first is not None and first.value else " "


def _place(node, splits, lists, unpacked):
    """Which part of a line an expression is."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in unpacked:
        return unpacked[node.id][0]
    if not isinstance(node, ast.Subscript) or not (node.value in splits or getattr(node.value, "id", None) in lists):
        return None
    index = node.slice
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub) and isinstance(index.operand, ast.Constant):
        return -index.operand.value
    return index.value if isinstance(index, ast.Constant) and isinstance(index.value, int) else None


def _called(function):
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)


def _is_number(function):
    return _called(function) in _NUMBERS


def text(separator: str, kinds: list[str], words: str, rows: int = 1000) -> tuple[bytes, str]:
    """Lines of such parts: a first number counts, so that lines can name each other, the others are small."""

    def part(kind: str, row: int, place: int) -> Any:
        if kind == PICTURE:
            return f"{row}.jpg"
        return words if kind == WORDS else row if place == 0 else row % 10

    lines = (separator.join(str(part(kind, i, place)) for place, kind in enumerate(kinds)) for i in range(rows))
    return "".join(f"{line}\n" for line in lines).encode(), f"{rows:,} lines of {', '.join(kinds)}"

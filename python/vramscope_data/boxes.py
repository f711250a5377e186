"""Annotations of pictures that are not there: boxes as Pascal VOC's files have them, and lists of pictures with texts of boxes beside, as darknet has them."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import re
import sys
from typing import TYPE_CHECKING

from vramscope_project import HOME

from . import readers

if TYPE_CHECKING:
    from typing import Any

_READS = re.compile(r"\bbndbox\b")
_CLASSES = re.compile(r"class|label|categor|names", re.IGNORECASE)
_USUAL = "person"  # a class of most sets
# a module that reads a list of pictures, and finds the boxes of each by another name of its folder
_LISTS = re.compile(r"\.readlines\(|\.splitlines\(")
_BESIDE = (re.compile(r"[\"'/{]images[\"'/}]"), re.compile(r"[\"'/{]labels[\"'/}]"))
_LISTED = 1000
_PICTURES = [f"{i:06}" for i in range(_LISTED)]
_listed: set[str] = set()


def begin() -> None:
    _listed.clear()


def pictures() -> tuple[bytes, str] | None:
    """(bytes, words) of a list of pictures, where the module that asks goes from each to its boxes."""
    frame = readers.asker()
    text = "" if frame is None else readers.text_of(frame)
    if _LISTS.search(text) is None or not all(part.search(text) for part in _BESIDE):
        return None
    _listed.update(_PICTURES)
    return "".join(f"./images/{name}.jpg\n" for name in _PICTURES).encode(), f"{_LISTED:,} names of pictures"


def is_listed(path: str) -> bool:
    """Whether a file is a picture of such a list, or holds its boxes."""
    folder, name = os.path.split(path)
    stem, ending = os.path.splitext(name)
    wanted = {"images": ".jpg", "labels": ".txt"}.get(os.path.basename(folder))
    return stem in _listed and ending == wanted


def beside() -> tuple[bytes, str]:
    """(bytes, words) of one box of the first class: its number, middle and sides as shares of the picture's."""
    return b"0 0.5 0.5 0.25 0.25\n", "one box"


def of(height: int, width: int) -> tuple[bytes, str] | None:
    """(bytes, words) of an annotation, where a module of the program takes boxes out of such files."""
    texts = _texts()
    if not any(map(_READS.search, texts)):
        return None
    name = _class_of(tuple(texts))
    box = f"<xmin>{width // 4}</xmin><ymin>{height // 4}</ymin><xmax>{width // 2}</xmax><ymax>{height // 2}</ymax>"
    thing = f"<object><name>{name}</name><pose>Unspecified</pose><truncated>0</truncated><difficult>0</difficult><bndbox>{box}</bndbox></object>"
    size = f"<size><width>{width}</width><height>{height}</height><depth>3</depth></size>"
    names = "<folder>VOC2012</folder><filename>000001.jpg</filename><path>000001.jpg</path>"
    made = f"<annotation>{names}{size}<segmented>0</segmented>{thing}</annotation>\n"
    return made.encode(), f"one box of class {name} in a picture of {width} x {height}"


def _texts():
    """The texts of the module that asks and of the program's others."""
    frame = readers.asker()
    found = [] if frame is None else [readers.text_of(frame)]
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and (file.startswith(HOME) or not file.startswith("/")):
            found.append("".join(linecache.getlines(file, vars(module))))
    return found


@functools.cache
def _class_of(texts: tuple) -> str:
    """The usual class where the program has it among its own, else the first of those."""
    known: list[str] = []
    for text in texts:
        try:
            known += _classes_in(text)
        except (SyntaxError, ValueError):
            continue
    others = [name for name in known if not re.fullmatch(r"_*background_*", name)]
    return _USUAL if _USUAL in known or not others else others[0]


def _classes_in(text: str) -> list[str]:
    found: list[Any] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign) and _CLASSES.search(ast.unparse(node.targets[0])):
            values = node.value.keys if isinstance(node.value, ast.Dict) else getattr(node.value, "elts", ())
            found += [part.value for part in values if isinstance(part, ast.Constant)]
    return [name for name in found if isinstance(name, str)]

"""What a program reads out of a folder, told by the text of its running module: which readers it calls, and whether it goes on below."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import re
import sys
from typing import TYPE_CHECKING

from vramscope_project import HOME

from . import looked_up

if TYPE_CHECKING:
    import types
    from typing import Any


_OURS = ("/lib/", "<frozen ", "<vramscope")
# the first that occurs decides: what is read more seldom but for data comes before what reads anything
_READERS = (
    (re.compile(r"\b(?:np|numpy)\.(?:memmap|fromfile)\("), ".bin"),
    (re.compile(r"\b(?:np|numpy)\.load\("), ".npy"),
    (re.compile(r"\bread_parquet\(|\bParquetFile\("), ".parquet"),
    (re.compile(r"\bjson\.loads?\("), ".json"),
    (re.compile(r"\bread_csv\(|\bcsv\.(?:Dict)?[rR]eader\("), ".csv"),
)

_OF_RECORDS = [reader for reader, kind in _READERS if kind in (".json", ".csv")]
_UNPICKLES = re.compile(
    r"\b(?:(?:pickle|pkl|cPickle|msgpack)\.(?:loads|unpackb)|(?:pa|pyarrow)\.deserialize|loads_\w+)\("
)
_SAVES = re.compile(r"\b(?:save\w*|dump|to_csv|tofile|write\w*)\(|open\([^)]*['\"][wax]b?['\"]")

_LISTS = {"listdir", "scandir", "glob", "iglob", "rglob", "walk", "iterdir", "isdir", "is_dir"}
_PARTS = {"splitext", "split", "rsplit", "partition", "rpartition", "replace", "removesuffix"}


def asker() -> types.FrameType | None:
    """The frame of the program that asks, or None."""
    frame = sys._getframe(1)
    # fsspec asks for whoever opens a path through it
    while frame is not None and (frame.f_code.co_filename.startswith(_OURS) or "/fsspec/" in frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def text_of(frame: types.FrameType) -> str:
    """The text of its module."""
    return "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))


def text() -> str:
    """The text of the module that asks."""
    frame = asker()
    return "" if frame is None else text_of(frame)


def ending() -> Any:
    """The ending of such files, or None where the module calls no reader of the table."""
    frame = asker()
    text = "" if frame is None else text_of(frame)
    return next((kind for reader, kind in _READERS if reader.search(text)), None)


def keys() -> list:
    """Names by which the module, the script itself and whatever else of the program reads records take parts out of them, in order."""
    frame, main = asker(), getattr(sys.modules.get("__main__"), "__file__", None)
    texts = [] if frame is None else [text_of(frame)]
    if main is not None:
        texts.append("".join(linecache.getlines(main)))
    texts += _that_read_records()
    try:
        return list(dict.fromkeys(key for text in texts for key in _keys_of(text)))
    except (SyntaxError, ValueError):
        return []


def _that_read_records():
    """The texts of the program's modules up to now that read JSON or tables."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    texts = [
        "".join(linecache.getlines(file)) for file in files if isinstance(file, str) and file.startswith(f"{HOME}/")
    ]
    return [text for text in texts if any(reader.search(text) for reader in _OF_RECORDS)]


def compared() -> dict:
    """Names of parts, each with the texts that the module holds it against or looks it up by: those are what such a part may be."""
    frame = asker()
    try:
        return {} if frame is None else _compared_in(text_of(frame))
    except (SyntaxError, ValueError):
        return {}


@functools.cache
def _compared_in(text):
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            part, value = node.left, node.comparators[0]
            named = isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant)
            if named and isinstance(value, ast.Constant) and isinstance(value.value, str):
                found.setdefault(part.slice.value, dict())[value.value] = None
    return {name: list(values) for name, values in found.items()} | looked_up.columns(text)


@functools.cache
def _keys_of(text):
    nodes = ast.walk(ast.parse(text))
    parts = (n.slice for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load))
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def of_object() -> dict:
    """What the module takes by name out of the very thing that json.load gave it: name -> whether it goes through what lies there.

    Empty where it takes records out of it, goes through it, or gives it on: then nobody can tell what the file is.
    """
    frame = asker()
    try:
        return {} if frame is None else _object_opened(text_of(frame), frame.f_lineno)
    except (SyntaxError, ValueError):
        return {}


@functools.cache
def _object_opened(text, line):
    nodes = list(ast.walk(ast.parse(text)))
    opening = [n for n in nodes if isinstance(n, (ast.With, ast.Assign)) and n.lineno <= line <= n.end_lineno]
    within = {part for statement in opening for part in ast.walk(statement)}
    loaded = {
        name
        for node in within
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _called(node.value.func) == "load"
        and "json" in _names([node.value.func])
        for name in _names([target for target in node.targets if isinstance(target, ast.Name)])
    }  # fmt: skip
    gone_through = {
        id(part) for node in nodes if isinstance(node, (ast.For, ast.comprehension)) for part in ast.walk(node.iter)
    }
    found, named = {}, set()
    for node in nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in loaded:
            named.add(id(node.value))
            if not isinstance(node.slice, ast.Constant) or not isinstance(node.slice.value, str):
                return {}
            found[node.slice.value] = found.get(node.slice.value, False) or id(node) in gone_through
    others = [
        n
        for n in nodes
        if isinstance(n, ast.Name) and n.id in loaded and isinstance(n.ctx, ast.Load) and id(n) not in named
    ]
    return {} if others else found


def takes_rows(name: str) -> bool:
    """Whether the module takes rows of the array that it keeps under a name, `ids = file["name"]` and then `ids[i]`; else parts of one line."""
    frame = asker()
    try:
        return frame is not None and name in _arrays_in_rows(text_of(frame))
    except (SyntaxError, ValueError):
        return False


@functools.cache
def _arrays_in_rows(text):
    nodes = list(ast.walk(ast.parse(text)))
    named = {}  # a variable -> the name of its array
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        both = all(isinstance(side, ast.Tuple) for side in (node.value, node.targets[0]))
        for target, value in zip(node.targets[0].elts, node.value.elts) if both else [(node.targets[0], node.value)]:
            key = getattr(value, "slice", None)
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and isinstance(target, ast.Name):
                named[target.id] = key.value
    taken = [n for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id in named]
    return {named[node.value.id] for node in taken if not isinstance(node.slice, (ast.Slice, ast.Constant))}


_MADE_TENSOR = re.compile(r"(?:[Tt]ensor|array)\(\s*\w+\[['\"](\w*(?:s|box))['\"]\]")


def made_tensors() -> list:
    """Names of parts of records, of several numbers each, that the module makes tensors of."""
    frame = asker()
    return [] if frame is None else list(dict.fromkeys(_MADE_TENSOR.findall(text_of(frame))))


_COLUMNS = re.compile(r"\[((?::|\w*:\w*)(?:, ?(?::|[\w.]*:?[\w.]*))+)\]|axis ?= ?1\b|\.shape\[(?:1|-1)\]")


def axes() -> int:
    """How many axes the arrays of the module have, as far as it takes columns of any."""
    frame = asker()
    text = "" if frame is None else text_of(frame)
    return max((found[0].count(",") + 1 if found[1] else 2 for found in _COLUMNS.finditer(text)), default=1)


_DIGITS = re.compile(r"mnist", re.IGNORECASE)


def of_digits(path: str) -> bool:
    """Whether a picture is one of handwritten digits, as its path or the file that opens it says."""
    frame = asker()
    return (
        _DIGITS.search(path) is not None or frame is not None and _DIGITS.search(frame.f_code.co_filename) is not None
    )


# how an item of a list is taken tells what it is
_ITEMS = (
    (r"(?:Image\.open|imread|read_image)\(\s*{}\[", "pictures"),
    (r"Tensor\(\s*{}\[\w+\]", "lists"),
    (r"Tensor\(\s*\[\s*{}\[\w+\]", "numbers"),
)


def items() -> str | None:
    """What the list holds that json.load gives where the module stands, as far as the module takes its items."""
    frame = asker()
    try:
        named = "" if frame is None else _loaded_at(text_of(frame), frame.f_lineno)
    except (SyntaxError, ValueError):
        return None
    text = text_of(frame) if named else ""
    return next((kind for pattern, kind in _ITEMS if named and re.search(pattern.format(re.escape(named)), text)), None)


@functools.cache
def _loaded_at(text, line):
    """What the statement around a line calls the thing that json.load gives."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.With, ast.Assign)) and node.lineno <= line <= node.end_lineno:
            for part in ast.walk(node):
                loads = isinstance(part, ast.Assign) and isinstance(part.value, ast.Call)
                if loads and _called(part.value.func) == "load":
                    return ast.unparse(part.targets[0])
    return ""


def makes_tensors_of_arrays() -> bool:
    """Whether the module turns arrays into tensors: then a file that torch.load reads held an array."""
    frame = asker()
    return frame is not None and "from_numpy(" in text_of(frame)


# items of a header of whole numbers that a module insists on
_INSISTS = re.compile(r"\bheader\[(\d{1,3})\]\s*[!=]=\s*(\d+)")
_TAKES_REST = re.compile(r"frombuffer\(\s*\w+\.read\(\)\s*,\s*dtype\s*=\s*(?:np|numpy)\.(\w+)")


def header() -> tuple[dict, str] | None:
    """(items of the header that the module insists on, type of what follows) where it reads shards of tokens; else None."""
    frame = asker()
    text = "" if frame is None else text_of(frame)
    items = {int(place): int(value) for place, value in _INSISTS.findall(text)}
    if items.get(0, 0) < 1000:
        return None  # a magic number is a large one
    rest = _TAKES_REST.search(text)
    return items, "uint16" if rest is None else rest[1]


def unpickles() -> bool:
    """Whether the running module reads objects out of bytes."""
    frame = asker()
    return frame is not None and _UNPICKLES.search(text_of(frame)) is not None


def loads_models() -> bool:
    """Whether the module gives what it loads to a model or an optimizer."""
    frame = asker()
    return frame is not None and "load_state_dict(" in text_of(frame)


def writers(name: str) -> list:
    """Scripts beside the program whose text names a file and saves something: they may be what makes it."""
    main = getattr(sys.modules.get("__main__"), "__file__", None) or ""
    folders = dict.fromkeys((os.path.dirname(main) or ".", os.getcwd(), os.path.dirname(os.path.abspath(name))))
    found = []
    for path in (os.path.join(folder, file) for folder in folders for file in _scripts(folder)):
        if path == main:
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if os.path.basename(name) in text and _SAVES.search(text):
            found.append(os.path.relpath(path))
    return list(dict.fromkeys(found))


def _scripts(folder):
    return sorted(file for file in os.listdir(folder) if file.endswith(".py")) if os.path.isdir(folder) else ()


def goes_below() -> bool:
    """Whether what is being listed are folders: the program goes through the names and lists what is in each, or asks whether it is a folder."""
    frame = asker()
    try:
        return frame is not None and frame.f_lineno in _lines_that_go_below(text_of(frame))
    except (SyntaxError, ValueError):
        return False


@functools.cache
def _lines_that_go_below(text):
    tree = ast.parse(text)
    counts = {}  # names that hold a listing -> the lines that made them
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _lists(node.value):
            for name in _names(node.targets):
                counts.setdefault(name, set()).update(range(node.lineno, node.end_lineno + 1))
    lines = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For):
            loops = [(node.iter, node.target, node.body)]
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            loops = [(part.iter, part.target, [node]) for part in node.generators]
        else:
            continue
        for listed, target, body in loops:
            if _asks_below(set(_names([target])), body, listed):
                if _lists(listed):
                    lines.update(range(listed.lineno, listed.end_lineno + 1))
                for name in _names([listed]):
                    lines |= counts.get(name, set())
    return lines


def _asks_below(names, body, listed):
    """Whether a call in the body lists what one of the names, or something made of it, leads to."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    own = set(ast.walk(listed))
    for node in nodes:
        if isinstance(node, ast.Assign) and names & set(_names([node.value])):
            names |= set(_names(node.targets))
    return any(_lists(node, whole=False) and names & set(_places(node)) for node in nodes if node not in own)


def _lists(node, whole=True):
    """Whether an expression is, or with `whole` has within it, a call that lists a folder."""
    calls = ast.walk(node) if whole else (node,)
    return any(isinstance(call, ast.Call) and _called(call.func) in _LISTS for call in calls)


def _places(call):
    """Names that the place which a call lists is made of: of a path's method the path, else the arguments; a part of a name is no place."""
    if isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", None) not in ("os", "glob", "path"):
        of_module = isinstance(call.func.value, ast.Attribute)  # os.path
        return _names(call.args if of_module and call.func.value.attr == "path" else [call.func.value])
    waiting, found = list(call.args), []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            found.append(node.id)
        if not (isinstance(node, ast.Call) and _called(node.func) in _PARTS):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def _called(function):
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)


def _names(nodes):
    return [part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)]

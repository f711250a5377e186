"""Notebooks run as programs: cells in order, each with lines of its own; magics and shell commands are skipped and named."""

from __future__ import annotations

import json
import linecache
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


_TIMED = ("%time ", "%timeit ")
# commands that a cell may begin a line with, without a mark (IPython's automagic)
_COMMANDS = re.compile(
    r"(?:pip3?|conda|mamba) (?:install|uninstall|list|show)\b|(?:cd|ls|mkdir|cp|mv|rm|cat|pwd)(?: +[\w./~-]+)+$"
)
_MARKS = re.compile(r"""(\"{3}|'{3})|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\#.*|([(\[{])|([)\]}])""")


_failed = {}  # cells that ended in an error when the notebook was saved -> its class


def is_notebook(path: str) -> bool:
    return path.endswith(".ipynb")


def cells(source: str) -> Iterator[Any]:
    """(number of the cell, its Python text, skipped lines, the error it shows) of each cell with code; a skipped line stays as an empty one."""
    try:
        document = json.loads(source)
        found = document["cells"]
    except (ValueError, KeyError, TypeError):
        raise SyntaxError("the notebook is not a JSON document with cells") from None
    for number, cell in enumerate(found, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        text = cell.get("source", "")
        fails = _fails(cell)
        lines = ("".join(text) if isinstance(text, list) else str(text)).split("\n")
        yield (number, *_python(lines), fails)


def _fails(cell):
    """The error that a cell ended in when the notebook was saved, by the class's name, or "" where it is only said to raise one."""
    for output in cell.get("outputs") or ():
        if isinstance(output, dict) and output.get("output_type") == "error":
            return str(output.get("ename", ""))
    return "" if "raises-exception" in ((cell.get("metadata") or {}).get("tags") or ()) else None


def _python(lines):
    """The lines without magics."""
    kept, skipped = [], []
    first = next((line.strip() for line in lines if line.strip()), "")
    whole = first.startswith("%%") and first.split()[0] not in ("%%time", "%%timeit", "%%capture")
    continued = False
    open_marks = _OpenMarks()
    for line in lines:
        start = line.lstrip()
        if open_marks and not whole:  # within a statement a % divides
            open_marks.read(line)
            kept.append(line)
            continue
        if start.startswith(_TIMED):  # what it times runs
            line = line.replace(start, start.partition(" ")[2], 1)
            start = line.lstrip()
        is_magic = start.startswith(("%", "!", "?")) or start.endswith("?") and _is_help(start)
        if whole or continued or is_magic or _COMMANDS.match(start):
            indent = "" if whole or continued else line[: len(line) - len(start)]
            if start and not continued:
                skipped.append(start)
            continued = not whole and start.endswith("\\")
            kept.append(f"{indent}pass" if start and indent else "")
        else:
            open_marks.read(line)
            kept.append(line)
    return "\n".join(kept), skipped


class _OpenMarks:
    """Brackets, a text of several lines or a backslash that a statement has open at the end of a line."""

    def __init__(self) -> None:
        self._depth, self._quotes, self._goes_on = 0, "", False

    def __bool__(self) -> bool:
        return self._depth > 0 or self._quotes != "" or self._goes_on

    def read(self, line: str) -> None:
        at = 0
        while True:
            if self._quotes:
                end = line.find(self._quotes, at)
                if end < 0:
                    return
                at, self._quotes = end + 3, ""
            found = _MARKS.search(line, at)
            if found is None:
                break
            quotes, opens, closes = found.groups()
            at = found.end()
            self._quotes = quotes or ""
            self._depth = max(0, self._depth + (opens is not None) - (closes is not None))
        self._goes_on = line.endswith("\\")


def _is_help(line):
    return line.rstrip("?").replace(".", "").replace("_", "").isalnum()


def _display(*objs: Any, **_: Any) -> None:
    """What a notebook shows, as text."""
    for one in objs:
        print(repr(one))


class ZMQInteractiveShell:
    """What get_ipython() gives in a notebook: its magics do nothing."""

    def run_line_magic(self, magic_name: str, line: str, *_: Any) -> None:
        from torch import _C

        _C._js.assume("cell_line_skipped", _C.here(), "text", f"%{magic_name} {line}"[:80])

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> None:
        self.run_line_magic(f"%{magic_name}", line)

    def magic(self, arg_s: str) -> None:
        self.run_line_magic(arg_s, "")

    system = magic


def name_of(path: str, number: int) -> str:
    """How a cell is called in tracebacks and reports."""
    return f"{path}#cell{number}"


def codes(source: str, path: str, compile_cell: Callable) -> Iterator[Any]:
    """The code of each cell in turn, made when the cells before it have run."""
    from torch import _C

    _failed.clear()
    sys.modules["__main__"].__dict__.update(display=_display, get_ipython=ZMQInteractiveShell)
    for number, text, skipped, fails in cells(source):
        name = name_of(path, number)
        if fails is not None:
            _failed[name] = fails
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        for line in skipped:
            _C._js.assume("cell_line_skipped", _C._js.frame(-1, name, 1, "<module>"), "text", line[:80])
        yield compile_cell(text, name)


def expects(code: Any, error: BaseException) -> bool:
    """Whether a cell shows that it ends in such an error: a notebook that was run to its end went on behind it. The report is told."""
    from torch import _C

    name = type(error).__name__
    ends = not isinstance(error, Exception) or isinstance(error, (_C.OutOfMemoryError, _C.UnsupportedOp))
    if ends or _failed.get(code.co_filename) not in (name, ""):
        return False
    frame = _C._js.frame(-1, code.co_filename, 1, "<module>")
    _C._js.assume("cell_fails_as_saved", frame, "error", f"{name}: {error}".splitlines()[0][:160])
    return True

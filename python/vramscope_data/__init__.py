"""Data that is not there: a file that a program opens to read, and that nobody has, becomes a placeholder, and the report says so.

`--data NAME=SPEC` says what a file holds; without it, the ending decides. A program that handles the absence itself is left alone.
"""

from __future__ import annotations

import builtins
import io
import os
import re
from typing import TYPE_CHECKING

from . import (
    boxes,
    contents,
    downloads,
    folders,
    handlers,
    measures,
    models,
    published_tables,
    readers,
    required,
    specs,
    sums,
)

if TYPE_CHECKING:
    from typing import Any


_LIBRARIES = ("/lib/", "/proc/", "/dev/", "/site-packages/", "/tmp/")
# How many rows a placeholder has, in the words for it.
_ROWS = re.compile(r"([\d,]+) (?:rows|records|lists|numbers) ?|(?:a NumPy array of )?(?:u?int|float)\d+ (\d+)(?:x|$)")
_open, _stat = io.open, os.stat
_specs = {}
_made = set()
_making = []  # the placeholders on the way: what is asked of the folders around them is no question of the program


def begin(mounted: Any) -> None:
    """`mounted`: names with their specifications, as the user typed them."""
    from torch import _conversions

    _conversions.guessed_rows.clear()
    _specs.clear()
    _made.clear()
    for name, text in mounted:
        _specs[name.strip("/")] = specs.parse(text)
    real_open, real_stat = _open, _stat

    def open_(file, mode="r", *rest, **options):
        if downloads.is_untold(file) and not set(mode) & set("wax+"):
            os.unlink(file)
        try:
            return real_open(file, mode, *rest, **options)
        except FileNotFoundError:
            if not (_make_folder(file) if set(mode) & set("wax") else "+" not in mode and _read(file, mode)):
                raise
        return real_open(file, mode, *rest, **options)

    def stat(path, *rest, **options):
        try:
            return real_stat(path, *rest, **options)
        except FileNotFoundError:
            if _making:
                raise
            if _specification(path) is not None:
                if not _supply(path, real_open):
                    raise
            elif _is_wanted(path) and _is_of_model(path):
                pass
            elif not _may_be_missing(path) or not (
                _supply(path, real_open)
                if folders.lists(os.fspath(path)) or boxes.is_listed(os.fspath(path))
                else folders.unpacked(path) or required.by_asker() and _require(path)
            ):
                raise
        return real_stat(path, *rest, **options)

    builtins.open = io.open = open_
    os.stat = stat
    boxes.begin()
    downloads.begin()
    folders.begin()
    sums.begin()


def _read(path, mode):
    """Supplies what is opened to read; who reads text tells so, whatever the ending."""
    return _supply(path, _open) or (
        "b" not in mode and _supply(path, _open, lambda spec: contents.text(_text(path), spec))
    )


def _make_folder(path):
    """Makes the folder that a file is written into, where nobody handles its absence; whether it did."""
    name = _text(path)
    if not _may_be_missing(name) or handlers.expects_absence():
        return False
    folder = os.path.dirname(name)
    try:
        os.makedirs(folder)
    except OSError:
        return False
    from torch._stand_ins import note

    note("folder_made", "file", folder)
    return True


def is_placeholder(path: str) -> bool:
    """Whether a file is one of ours, of which nobody said what it holds."""
    return _text(path) in _made and _specification(path) is None


def _text(path):
    return os.fspath(path) if isinstance(path, (str, os.PathLike)) else None


def _may_be_missing(path):
    name = _text(path)
    return isinstance(name, str) and name != "" and not os.path.join(os.getcwd(), name).startswith(_LIBRARIES)


def _require(path):
    """Makes what a program ends without: a file by its ending, a folder where there is none."""
    name = _text(path)
    if "." in os.path.basename(name):
        return _supply(name, _open, lambda spec: contents.of(name, spec) or (b"", "an empty file"))
    return folders.make(name)


def _specification(path):
    path = _text(path)
    if not isinstance(path, str):
        return None
    for name, spec in _specs.items():
        if path == name or path.endswith("/" + name) or os.path.basename(path) == name:
            return spec
    return None


def supply(path: str, make: Any = None) -> bool:
    """Puts a placeholder in the place of a file that is missing; whether it did. `make` says more than the file's ending."""
    return _supply(path, _open, make)


def supply_checkpoint(path: str) -> bool:
    """Puts what torch.save wrote in the place of a file that torch.load reads, whatever its ending, or of zeros that stood in for it."""
    if os.path.exists(path):
        with _open(path, "rb") as file:
            if not is_placeholder(path) or file.read(1) != b"\0":
                return False
        _made.discard(_text(path))
    return _supply(path, _open, lambda spec: contents.checkpoint(spec, os.fspath(path)))


def _is_wanted(path):
    """Whether the program ends without a path, or a library takes what is no folder for an id of the hub."""
    name = _text(path)
    return isinstance(name, str) and (required.by_asker() or models.is_asked_for(name, readers.asker()))


def _is_of_model(path):
    """Whether a path that is not there is a model's folder, or a file of one, and is there now."""
    _making.append(path)
    try:
        return models.supply(path) or models.fill(path)
    finally:
        _making.remove(path)


def _supply(path, real_open, make=None):
    spec = _specification(path)
    name = _text(path)
    if not isinstance(name, str) or not name or name in _made:
        return False
    full = os.path.join(os.getcwd(), name)
    handled = handlers.expects_absence() and not (boxes.is_listed(name) or folders.lists(name))
    if spec is None and not handled and not _making and _is_of_model(full):
        return os.path.exists(full)
    if spec is None and (full.startswith(_LIBRARIES) or handled):
        return False
    made = contents.of(name, spec) if make is None else make(spec)
    if made is None:
        return False
    data, words = made
    folder = os.path.dirname(full)
    _making.append(name)
    try:
        if not os.path.isdir(folder) and os.path.splitext(name)[1] in contents.IMAGES:
            folders.hold(folder)
        os.makedirs(folder, exist_ok=True)
        with real_open(full, "wb") as file:
            file.write(data)
    except OSError:
        return False
    finally:
        _making.remove(name)
    _made.add(name)
    if folders.lists(name) or boxes.is_listed(name):
        return True  # the folder or the list was said
    from torch import _C, _conversions

    rows = _ROWS.match(words) if spec is None and not published_tables.is_known(name) else None
    if rows is not None:
        _conversions.guess_rows(int((rows[1] or rows[2]).replace(",", "")), name)
    _C._js.assume(
        "placeholder_given" if spec is not None else "placeholder_file", _C.here(), "file", f"{name} ({words})"
    )
    return True

"""What the import statement that runs asks of a module: decides between a folder of the program and a stand-in of the same name."""

from __future__ import annotations

import os
import sys


def is_in_folders(fullname: str, folders: list) -> bool:
    """Whether folders without an __init__ hold what is asked of them, as far as it can be seen.

    `import data` asks for nothing that could be missed; `from data import load` and `import data.load` ask for load.
    """
    return all(any(_holds(folder, name) for folder in folders) for name in _names(fullname))


def _holds(folder, name):
    return name == "*" or any(os.path.exists(f"{folder}/{name}{ending}") for ending in ("", ".py"))


def _names(fullname):
    frame = sys._getframe(2)
    while frame is not None and ("importlib" in frame.f_code.co_filename or _is_ours(frame)):
        frame = frame.f_back
    if frame is None:
        return ()
    import dis

    steps = [step for step in dis.get_instructions(frame.f_code) if step.opname != "CACHE"]
    at = next((n for n, step in enumerate(steps) if step.offset == frame.f_lasti), None)
    if at is None or steps[at].opname != "IMPORT_NAME":
        return ()
    asked = steps[at].argval
    if asked == fullname:
        return steps[at - 1].argval or ()
    return (asked.removeprefix(f"{fullname}.").partition(".")[0],) if asked.startswith(f"{fullname}.") else ()


def _is_ours(frame):
    return frame.f_code.co_filename.startswith("/lib/vramscope/")

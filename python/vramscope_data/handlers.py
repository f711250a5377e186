"""Whether somebody on the way would catch that a file or a name is missing: then its absence is part of the program."""

from __future__ import annotations

import dis
import sys

_EVERYTHING = {"Exception", "BaseException"}
_NO_FILE = frozenset({"FileNotFoundError", "OSError", "IOError", "EnvironmentError"} | _EVERYTHING)
_NO_NAME = frozenset({"ImportError", "ModuleNotFoundError"} | _EVERYTHING)
_NO_COMPILER = frozenset({"RuntimeError", "OSError", "ImportError"} | _EVERYTHING)
_NO_INPUT = frozenset({"EOFError"})
_OURS = ("/lib/", "<frozen ", "<vramscope")
_ENDS = frozenset({"exit", "quit", "_exit"})
_known = {}


def expects_absence() -> bool:
    """Looks at each frame of the program for a handler around the running call that catches FileNotFoundError."""
    return _caught(_NO_FILE)


def expects_no_compiler() -> bool:
    """Whether the program goes on another way where an extension cannot be compiled."""
    return _caught(_NO_COMPILER)


def expects_end_of_input() -> bool:
    """Whether the program goes on another way where nobody types anything."""
    return _caught(_NO_INPUT)


def _caught(classes):
    frame = sys._getframe(2)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OURS) and _catches_in(frame, classes):
            return True
        frame = frame.f_back
    return False


def expects_no_name(frame: int) -> bool:
    """Whether the running statement of a frame stands in a `try` that catches ImportError."""
    return _catches_in(frame, _NO_NAME)


def _catches_in(frame, classes):
    """Whether a handler around the running statement does; one that only cleans up, as that of `with`, is within the next one."""
    code, at = frame.f_code, frame.f_lasti
    handlers = _handlers(code)
    for _ in handlers:
        target = next((target for start, end, target in handlers if start <= at < end), None)
        if target is None or target in _catching(code, classes):
            return target is not None
        at = target
    return False


def _handlers(code):
    return [(entry.start, entry.end, entry.target) for entry in dis._parse_exception_table(code)]


def _catching(code, classes):
    """Where handlers begin that catch it: an `except` without a class, or with one of `classes`."""
    found = _known.get((code, classes))
    if found is None:
        found = _known[code, classes] = {
            entry.target for entry in dis._parse_exception_table(code) if _catches(code, entry.target, classes)
        }
    return found


def _raises(code, at):
    """Whether a handler ends in an error of its own: then nobody goes on without the file."""
    for step in dis.get_instructions(code):
        if step.offset <= at or step.opname.startswith("POP_JUMP"):
            continue
        if step.opname == "RAISE_VARARGS":
            return True
        if (
            step.opname == "RERAISE"
            or "JUMP" in step.opname
            or step.opname.startswith(("RETURN", "POP_EXCEPT", "FOR_ITER"))
        ):
            return False
    return False


def _leaves(code, at):
    """Whether a handler ends the program at once: what it says first is for people who forgot the file."""
    for step in dis.get_instructions(code):
        if step.offset <= at or step.opname.startswith("POP_JUMP"):
            continue
        if step.opname.startswith("LOAD_") and str(step.argval) in _ENDS:
            return True
        if step.opname in ("RERAISE", "POP_EXCEPT") or "JUMP" in step.opname or step.opname.startswith("RETURN"):
            return False
    return False


def _catches(code, target, classes):
    seen, checked, until, first = False, False, target, True
    for step in dis.get_instructions(code):
        if step.offset < until:
            continue
        name = step.opname
        # SWAP: a comprehension that puts back its names, and raises again
        if name in ("WITH_EXCEPT_START", "RERAISE", "COPY", "SWAP"):
            return False
        if name in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "LOAD_FAST", "LOAD_FAST_BORROW"):
            seen = seen or str(step.argval) in classes
        elif name == "CHECK_EXC_MATCH":
            if seen:
                return not (_raises(code, step.offset) or _leaves(code, step.offset))
            checked = True
        elif name == "POP_TOP" and first:
            return not _leaves(
                code, step.offset
            )  # `except:` throws the exception away at once; in a `finally`, what a call gave is thrown away later
        elif name.startswith("POP_JUMP") and checked:
            seen, checked, until, first = False, False, step.argval, True  # the next clause
            continue
        first = first and name in ("PUSH_EXC_INFO", "NOP", "CACHE")
        if step.offset > target + 200 and step.offset > until:
            return False
    return False

"""Whether somebody on the way would catch that a file is missing: then its absence is part of the program."""

import dis
import sys

_CATCHES = {"FileNotFoundError", "OSError", "IOError", "EnvironmentError", "Exception", "BaseException"}
_OURS = ("/lib/", "<frozen ", "<vramscope")
_known = {}


def expects_absence():
    """Looks at each frame of the program for a handler around the running call that catches FileNotFoundError."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_OURS):
            for start, end, target in _handlers(code):
                if start <= frame.f_lasti < end and target in _catching(code):
                    return True
        frame = frame.f_back
    return False


def _handlers(code):
    return [(entry.start, entry.end, entry.target) for entry in dis._parse_exception_table(code)]


def _catching(code):
    """Where handlers begin that catch it: an `except` without a class, or with one of those above."""
    found = _known.get(code)
    if found is None:
        found = _known[code] = {
            entry.target for entry in dis._parse_exception_table(code) if _catches(code, entry.target)
        }
    return found


def _catches(code, target):
    seen = False
    for step in dis.get_instructions(code):
        if step.offset < target:
            continue
        name = step.opname
        if name in ("WITH_EXCEPT_START", "RERAISE", "COPY"):
            return False
        if name in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "LOAD_FAST", "LOAD_FAST_BORROW"):
            seen = seen or str(step.argval) in _CATCHES
        elif name == "CHECK_EXC_MATCH":
            if seen:
                return True
        elif name == "POP_TOP":
            return True  # `except:` throws the exception away at once
        elif name.startswith("POP_JUMP"):
            seen = False
        if step.offset > target + 200:
            return False
    return False

"""Words for how a program ended. Whether and how it ended is judged by the host (src/python/outcome.ts): what is here runs in the
program's own interpreter, where a program can change everything, so it gives text and nothing else.
"""

from __future__ import annotations

import io
import sys
import traceback
from typing import TYPE_CHECKING

import vramscope_caught

if TYPE_CHECKING:
    from typing import Any


_OURS = ("/lib/vramscope", "<vramscope")
# An error may carry megabytes.
_LONGEST = 2**20


def clean(error: Any) -> None:
    """Removes our frames from an exception and all that it came from."""
    waiting, seen = [error], set()
    while waiting:
        error = waiting.pop()
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        kept = []
        tb = error.__traceback__
        while tb is not None:
            if not tb.tb_frame.f_code.co_filename.startswith(_OURS):
                kept.append(tb)
            tb = tb.tb_next
        result = None
        for tb in reversed(kept):
            tb.tb_next = result
            result = tb
        error.__traceback__ = result
        waiting.append(error.__cause__)
        waiting.append(error.__context__)
        waiting.extend(getattr(error, "exceptions", ()))


def text_of(error: Any) -> Any:
    """The traceback as CPython prints it, or, where that cannot be made, its frames and its last line."""
    try:
        clean(error)
        buffer = io.StringIO()
        vramscope_caught.PLAIN["print_exception"](error, file=buffer)
        text = buffer.getvalue()
    except BaseException:
        text = "".join(_plain(error))
    if len(text) > _LONGEST:
        left_out = len(text) - _LONGEST
        text = f"{text[: _LONGEST // 2]}\n... {left_out} characters ...\n{text[-(_LONGEST // 2) :]}"
    return text.encode("utf-8", "backslashreplace").decode()


def _plain(error):
    tb = error.__traceback__
    if tb is not None:
        yield "Traceback (most recent call last):\n"
    while tb is not None:
        code = tb.tb_frame.f_code
        if not code.co_filename.startswith(_OURS):
            yield f'  File "{code.co_filename}", line {tb.tb_lineno}, in {code.co_qualname}\n'
        tb = tb.tb_next
    try:
        words = str(error)
    except BaseException:
        words = "<exception str() failed>"
    yield f"{type(error).__qualname__}: {words}\n" if words else f"{type(error).__qualname__}\n"


def say_exit(value: Any) -> None:
    """What `sys.exit` was given goes to standard error, when it is no number."""
    stream = sys.stderr
    if stream is None:
        return
    try:
        stream.write(str(value))
    finally:
        stream.write("\n")


def flush(streams: Any) -> None:
    """Empties the program's streams, whatever it put in their place, and those that were there at the start."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name, None)
        if stream is None or getattr(stream, "closed", False):
            continue
        try:
            stream.flush()
        except BaseException as error:
            clean(error)
            words = "".join(traceback.format_exception(error))
            streams[1].write(f"Exception ignored while flushing sys.{name}:\n{words}")
    for stream in streams:
        try:
            stream.flush()
        except (OSError, ValueError):
            pass

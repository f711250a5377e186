"""`input()` where nobody types: each question gets one answer, of the kind that its line makes of it; asked again, the program ends as at Ctrl-D.

A program that catches the end of its input is told of it at once.
"""

from __future__ import annotations

import builtins
import linecache
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_NUMBER = re.compile(r"\b(?:int|float|eval)\(\s*(?:raw_)?input\(")
_YES = re.compile(r"\[?y(?:es)?/no?\]?|\(y\)|yes or no", re.IGNORECASE)
_PICTURE = re.compile(r"\b(?:image|img|picture|photo)\b", re.IGNORECASE)
_LEAVES = re.compile(r"\b(?:continue|enter|return|key)\b", re.IGNORECASE)
# a question that says what its answers mean: `Input 1 for ml-1m, 20 for ml-20m`, `(1) train (2) test`, `1: train`
_CHOICE = re.compile(r"(?:^|[\s(\[])(\d{1,3})(?: for |[):\]]\s*\w)")
_asked: set[tuple] = set()


def begin() -> None:
    _asked.clear()
    end_of_input = builtins.input

    def input(prompt: object = "", /) -> str:
        from torch._stand_ins import note
        from vramscope_data.handlers import expects_end_of_input

        frame = sys._getframe(1)
        place = frame.f_code, frame.f_lasti
        if expects_end_of_input():
            return end_of_input(prompt)
        sys.stdout.write(str(prompt))
        if place in _asked:
            note("input_ended")
            raise SystemExit(0)
        _asked.add(place)
        answer = _answer(str(prompt), frame)
        sys.stdout.write(f"{answer}\n")
        note("input_answered", "text", answer or "(an empty line)")
        return answer

    builtins.input = input


def _answer(prompt: str, frame: FrameType) -> str:
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)
    if _NUMBER.search(line):
        return "1"
    choices = _CHOICE.findall(prompt)
    if len(choices) > 1:
        return choices[0]
    if _YES.search(prompt):
        return "y"
    if _PICTURE.search(prompt):
        return "image.jpg"
    return "" if _LEAVES.search(prompt) else "Hello"

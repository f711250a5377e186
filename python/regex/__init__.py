"""The regex package over Python's own `re`: its syntax for properties and sets is translated, its other powers refuse.

Real: compile, match, search, findall, finditer, split, sub, escape, flags, Unicode properties. Not: fuzzy matching, recursion,
branch reset, `captures`.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ._properties import translate

if TYPE_CHECKING:
    from typing import Any


A = ASCII = re.ASCII
I = IGNORECASE = re.IGNORECASE  # noqa: E741
L = LOCALE = re.LOCALE
M = MULTILINE = re.MULTILINE
S = DOTALL = re.DOTALL
U = UNICODE = re.UNICODE
X = VERBOSE = re.VERBOSE
T = TEMPLATE = 0
B = BESTMATCH = D = DEBUG = E = ENHANCEMATCH = F = FULLCASE = P = POSIX = R = REVERSE = W = WORD = 0
V0 = VERSION0 = V1 = VERSION1 = 0
DEFAULT_VERSION = 0
Match = re.Match
error = re.error
__version__ = "2026.7.19"


@functools.lru_cache(maxsize=512)
def _compiled(pattern, flags):
    text = pattern
    if isinstance(pattern, str):
        text = translate(pattern)
    return re.compile(text, flags)


class Pattern:
    """A compiled pattern; how long it may take and whether others run meanwhile are no questions here."""

    __slots__ = ("_plain", "pattern")

    def __init__(self, plain: re.Pattern, pattern: str | bytes) -> None:
        self._plain, self.pattern = plain, pattern

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self._plain == other._plain

    def __hash__(self) -> int:
        return hash(self._plain)

    def __reduce__(self) -> tuple:
        return compile, (self.pattern, self._plain.flags)

    def __repr__(self) -> str:
        return f"regex.compile({self.pattern!r})"


def _method(name):
    def call(self, *args, concurrent=None, timeout=None, partial=False, overlapped=False, **options):
        return getattr(self._plain, name)(*args, **options)

    call.__name__ = call.__qualname__ = name
    return call


for _name in ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"):
    setattr(Pattern, _name, _method(_name))


def compile(pattern: str, flags: int = 0, ignore_unused: bool = False, cache_pattern: Any = None, **_: Any) -> Any:
    if isinstance(pattern, re.Pattern):
        return Pattern(pattern, pattern.pattern)
    return pattern if isinstance(pattern, Pattern) else Pattern(_compiled(pattern, int(flags)), pattern)


def _through(name):
    def call(pattern, *args, flags=0, pos=None, endpos=None, partial=False, concurrent=None, timeout=None, ignore_unused=False, **kw):  # fmt: skip
        bounds = () if pos is None and endpos is None else (pos or 0, *([] if endpos is None else [endpos]))
        return getattr(compile(pattern, flags)._plain, name)(*args, *bounds, **kw)

    call.__name__ = call.__qualname__ = name
    return call


match, fullmatch, search, sub, subn, split, findall, finditer = map(
    _through, ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
)


def splititer(pattern: str, string: Any, maxsplit: int = 0, flags: int = 0, **_: Any) -> Any:
    return iter(compile(pattern, flags).split(string, maxsplit))


def escape(pattern: str, special_only: bool = True, literal_spaces: bool = False) -> Any:
    return re.escape(pattern)


def purge() -> None:
    _compiled.cache_clear()


def template(pattern: str, flags: int = 0) -> Any:
    return compile(pattern, flags)


Regex = compile

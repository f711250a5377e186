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
Pattern, Match = re.Pattern, re.Match
error = re.error
__version__ = "2026.7.19"


@functools.lru_cache(maxsize=512)
def _compiled(pattern, flags):
    text = pattern
    if isinstance(pattern, str):
        text = translate(pattern)
    return re.compile(text, flags)


def compile(pattern: str, flags: int = 0, ignore_unused: bool = False, cache_pattern: Any = None, **_: Any) -> Any:
    return pattern if isinstance(pattern, re.Pattern) else _compiled(pattern, int(flags))


def _through(name):
    def call(pattern, *args, flags=0, pos=None, endpos=None, partial=False, concurrent=None, timeout=None, ignore_unused=False, **kw):  # fmt: skip
        bounds = () if pos is None and endpos is None else (pos or 0, *([] if endpos is None else [endpos]))
        return getattr(compile(pattern, flags), name)(*args, *bounds, **kw)

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

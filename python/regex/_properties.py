"""Unicode properties and POSIX sets as character classes that `re` knows."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# General categories by what regex calls them, and the scripts that tokenizers ask for by their blocks.
_NAMES = {"letter": "L", "alpha": "L", "number": "N", "punctuation": "P", "symbol": "S", "mark": "M", "separator": "Z"}
_SCRIPTS = {
    "han": "\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufad9\U00020000-\U0003134a",
    "hiragana": "\u3041-\u3096\u309d-\u309f",
    "katakana": "\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff9d",
    "hangul": "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3",
    "cyrillic": "\u0400-\u052f\u1c80-\u1c88\u2de0-\u2dff\ua640-\ua69f",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "latin": "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u1e00-\u1eff",
    "arabic": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "hebrew": "\u0591-\u05f4\ufb1d-\ufb4f",
    "thai": "\u0e01-\u0e3a\u0e40-\u0e5b",
    "default_ignorable_code_point": "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff",
    "devanagari": "\u0900-\u097f",
}


# Beyond are rare ideographs, which are letters, and nothing else that text holds.
_LAST = 0x20000


@lru_cache(maxsize=None)
def _ranges(category, wanted=True):
    """The inside of a class with all characters of a general category, or all others."""
    found, start = [], None
    for point in range(_LAST + 1):
        inside = point < _LAST and unicodedata.category(chr(point)).startswith(category) == wanted
        if inside and start is None:
            start = point
        elif not inside and start is not None:
            found.append(f"{_shown(start)}-{_shown(point - 1)}" if point - 1 > start else _shown(start))
            start = None
    if (category in ("L", "Lo")) == wanted:
        found.append("\U00020000-\U000323af")
    return "".join(found)


def _shown(point):
    return f"\\U{point:08x}"


def _inside(name, negated):
    """The inside of a class for a property's name."""
    key = name.strip().lower().partition("=")[2] or name.strip().lower()
    key = key.removeprefix("is").removeprefix("script")
    if key in _SCRIPTS:
        if negated:
            raise re.error(f"vramscope's regex cannot negate the script {name}")
        return _SCRIPTS[key]
    category = _NAMES.get(key) or name.strip()
    return _ranges(category[:1].upper() + category[1:].lower(), not negated)


_PROPERTY = re.compile(r"\\([pP])(?:\{(\^?)([^}]*)\}|([A-Z]))")
_POSIX = {"alpha": "L", "digit": "Nd", "punct": "P", "upper": "Lu", "lower": "Ll", "alnum": None, "space": None}


def translate(pattern: str) -> str:
    """The pattern in the syntax of `re`."""
    out, depth, at = [], 0, 0
    while at < len(pattern):
        found = _PROPERTY.match(pattern, at)
        if found:
            negated = (found[1] == "P") != bool(found[2])
            inside = _inside(found[3] or found[4], negated)
            out.append(inside if depth else f"[{inside}]")
            at = found.end()
            continue
        char = pattern[at]
        if char == "\\":
            out.append(pattern[at : at + 2])
            at += 2
            continue
        if depth and pattern.startswith("[:", at) and ":]" in pattern[at:]:
            end = pattern.index(":]", at)
            name = pattern[at + 2 : end]
            out.append({"alnum": r"\w", "space": r"\s"}.get(name) or _ranges(_POSIX.get(name, "L")))
            at = end + 2
            continue
        if char == "[" and not depth:
            depth = 1
            out.append(char)
            at += 1
            if pattern[at : at + 1] == "^":
                out.append("^")
                at += 1
            if pattern[at : at + 1] == "]":
                out.append("\\]")
                at += 1
            continue
        if char == "[":
            out.append("\\[")
        else:
            if char == "]" and depth:
                depth = 0
            out.append(char)
        at += 1
    return "".join(out)

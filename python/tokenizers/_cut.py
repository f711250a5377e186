"""How pre-tokenizers cut a text into words, each from its description in tokenizer.json."""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_BYTES = {}


def _table():
    """The visible letter of each byte in byte-level vocabularies (GPT-2's table)."""
    if not _BYTES:
        plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
        rest = [b for b in range(256) if b not in plain]
        _BYTES.update({b: chr(b) for b in plain})
        _BYTES.update({b: chr(256 + i) for i, b in enumerate(rest)})
    return _BYTES


def byte_letters(text: str) -> str:
    table = _table()
    return "".join(table[b] for b in text.encode("utf-8", "replace"))


def byte_alphabet() -> list[str]:
    return list(_table().values())


def is_white(c: str) -> bool:
    return c in "\t\n\r" or c.isspace()


def _is_sign(c):
    return unicodedata.category(c).startswith("P") or (c.isascii() and c.isprintable() and not c.isalnum() and c != " ")


def _is_number(c):
    return unicodedata.category(c).startswith("N")


@functools.lru_cache(maxsize=64)
def _compiled(text):
    return regex.compile(text)


def pattern_of(state: Any) -> re.Pattern | regex.Pattern:
    """A pattern as tokenizer.json has it: {"String": …} or {"Regex": …}."""
    return re.compile(re.escape(state["String"])) if "String" in state else _compiled(state["Regex"])


def _marked(pattern, text) -> Iterator[tuple[str, bool]]:
    at = 0
    for found in pattern.finditer(text):
        start, end = found.span()
        if start == end:
            continue
        if start > at:
            yield text[at:start], False
        yield text[start:end], True
        at = end
    if at < len(text):
        yield text[at:], False


def _letters(is_one: Callable[[str], bool], text: str) -> Iterator[tuple[str, bool]]:
    """Each letter that is one by itself, what lies between as a whole."""
    at = 0
    for i, c in enumerate(text):
        if is_one(c):
            if i > at:
                yield text[at:i], False
            yield c, True
            at = i + 1
    if at < len(text):
        yield text[at:], False


def _joined(marked, behavior):
    """What becomes of the pieces that matched."""
    name = behavior.replace("_", "").lower()
    pieces = []
    if name == "removed":
        return [text for text, hit in marked if not hit]
    if name == "isolated":
        return [text for text, _ in marked]
    if name == "contiguous":
        before = None
        for text, hit in marked:
            if hit == before:
                pieces[-1] += text
            else:
                pieces.append(text)
            before = hit
        return pieces
    if name == "mergedwithprevious":
        before = True
        for text, hit in marked:
            if hit and not before:
                pieces[-1] += text
            else:
                pieces.append(text)
            before = hit
        return pieces
    before = True
    for text, hit in reversed(list(marked)):
        if hit and not before:
            pieces[-1] = text + pieces[-1]
        else:
            pieces.append(text)
        before = hit
    return pieces[::-1]


def _byte_level(state, text, first):
    if state.get("add_prefix_space", True) and not text[0].isspace():
        text = " " + text
    pieces = _compiled(_GPT2).findall(text) if state.get("use_regex", True) else [text]
    return [byte_letters(piece) for piece in pieces]


def _metaspace(state, text, first):
    mark = state.get("replacement", "▁")
    text = text.replace(" ", mark)
    scheme = state.get("prepend_scheme", "always" if state.get("add_prefix_space", True) else "never")
    if not text.startswith(mark) and (scheme == "always" or (scheme == "first" and first)):
        text = mark + text
    if not state.get("split", True):
        return [text]
    return _joined(_marked(re.compile(re.escape(mark)), text), "MergedWithNext")


def _split(state, text, first):
    marked = _marked(pattern_of(state["pattern"]), text)
    if state.get("invert"):
        marked = [(piece, not hit) for piece, hit in marked]
    return _joined(marked, state["behavior"])


def _bert(state, text, first):
    return [piece for word in text.split() for piece in _joined(_letters(_is_sign, word), "Isolated")]


CUTS = {
    "BertPreTokenizer": _bert,
    "ByteLevel": _byte_level,
    "CharDelimiterSplit": lambda state, text, first: [p for p in text.split(state["delimiter"]) if p],
    "Digits": lambda state, text, first: _joined(
        _letters(_is_number, text), "Isolated" if state.get("individual_digits") else "Contiguous"
    ),  # fmt: skip
    "FixedLength": lambda state, text, first: [
        text[i : i + state.get("length", 5)] for i in range(0, len(text), state.get("length", 5))
    ],  # fmt: skip
    "Metaspace": _metaspace,
    "Punctuation": lambda state, text, first: _joined(_letters(_is_sign, text), state.get("behavior", "Isolated")),
    "Split": _split,
    "Whitespace": lambda state, text, first: re.findall(r"\w+|[^\w\s]+", text),
    "WhitespaceSplit": lambda state, text, first: text.split(),
}


def cut(state: Any, text: str, first: bool = True) -> list[str]:
    """The words of a text; `first` where nothing stands before it."""
    if not text:
        return []
    if not state:
        return [text]
    if state["type"] == "Sequence":
        pieces = [text]
        for part in state["pretokenizers"]:
            pieces = [p for i, piece in enumerate(pieces) for p in cut(part, piece, first and i == 0)]
        return pieces
    return [piece for piece in CUTS[state["type"]](state, text, first) if piece]


def is_known(state: Any) -> bool:
    """Whether all of a pre-tokenizer is followed."""
    if state and state["type"] == "Sequence":
        return all(map(is_known, state["pretokenizers"]))
    return not state or state["type"] in CUTS

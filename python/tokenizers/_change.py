"""What normalizers make of a text, each from its description in tokenizer.json."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from ._cut import byte_letters, is_white, pattern_of

if TYPE_CHECKING:
    from typing import Any

# Blocks of Chinese characters as BERT counts them.
_CHINESE = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))  # fmt: skip


def _form(name):
    return lambda state, text: text if text.isascii() else unicodedata.normalize(name, text)


def _without_accents(text):
    return "".join(c for c in text if unicodedata.category(c) != "Mn")


def _is_control(c):
    return c not in "\t\n\r" and unicodedata.category(c).startswith("C")


def _bert(state, text):
    if state.get("clean_text", True):
        kept = (c for c in text if c not in "\0\ufffd" and not _is_control(c))
        text = "".join(" " if is_white(c) else c for c in kept)
    if state.get("handle_chinese_chars", True) and not text.isascii():
        text = "".join(f" {c} " if any(a <= ord(c) <= b for a, b in _CHINESE) else c for c in text)
    lower, strip = state.get("lowercase", True), state.get("strip_accents")
    if lower if strip is None else strip:
        text = _without_accents(unicodedata.normalize("NFD", text))
    return text.lower() if lower else text


def _replace(state, text):
    return pattern_of(state["pattern"]).sub(lambda _: state["content"], text)


def _strip(state, text):
    text = text.lstrip() if state.get("strip_left", state.get("left", True)) else text
    return text.rstrip() if state.get("strip_right", state.get("right", True)) else text


def _precompiled(state, text):
    """SentencePiece's own table, which is NFKC with all white space as spaces."""
    return unicodedata.normalize("NFKC", re.sub(r"\s", " ", text))


CHANGES = {
    "BertNormalizer": _bert,
    "ByteLevel": lambda state, text: byte_letters(text),
    "Lowercase": lambda state, text: text.lower(),
    "NFC": _form("NFC"),
    "NFD": _form("NFD"),
    "NFKC": _form("NFKC"),
    "NFKD": _form("NFKD"),
    "Precompiled": _precompiled,
    "Prepend": lambda state, text: state["prepend"] + text if text else text,
    "Replace": _replace,
    "Strip": _strip,
    "StripAccents": lambda state, text: _without_accents(text),
}


def changed(state: Any, text: str) -> str:
    if not state:
        return text
    if state["type"] == "Sequence":
        for part in state["normalizers"]:
            text = changed(part, text)
        return text
    return CHANGES[state["type"]](state, text)


def is_known(state: Any) -> bool:
    """Whether all of a normalizer is followed."""
    if state and state["type"] == "Sequence":
        return all(map(is_known, state["normalizers"]))
    return not state or state["type"] in CHANGES

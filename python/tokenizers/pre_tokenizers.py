"""tokenizers.pre_tokenizers: how text is split into words; one rule serves all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._parts import kinds
from ._words import words

if TYPE_CHECKING:
    from typing import Any


globals().update(
    kinds(
        __name__,
        "PreTokenizer",
        "BertPreTokenizer ByteLevel CharDelimiterSplit Digits FixedLength Metaspace Punctuation Sequence Split UnicodeScripts Whitespace WhitespaceSplit",
    )
)


def pre_tokenize_str(self: Any, text: str) -> Any:
    found, at = [], 0
    for word in words(text):
        found.append((word, (at, at + len(word))))
        at += len(word)
    return found


PreTokenizer.pre_tokenize_str = pre_tokenize_str  # noqa: F821
ByteLevel.alphabet = staticmethod(lambda: [chr(c) for c in range(256)])  # noqa: F821

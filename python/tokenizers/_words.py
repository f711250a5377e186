"""Where a tokenizer is not known well enough: text into words as most split it, and words into the longest pieces of a vocabulary."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

from ._cut import byte_letters

if TYPE_CHECKING:
    from typing import Any


# A word with the space before it, digits, signs, or spaces: the rule of GPT-2 in Python's own syntax.
_WORD = re.compile(r"'(?:[sdmt]|ll|ve|re)| ?[^\W\d_]+| ?\d+| ?[^\s\w]+|_+|\s+(?!\S)|\s+")
# Letters for one token of a vocabulary of which only the size is known.
_LETTERS = 4


def is_placeholder(vocabulary: Any) -> bool:
    """Whether only the size of a vocabulary is known."""
    return "⟨1000⟩" in vocabulary or "⟨5⟩" in vocabulary


def words(text: str) -> Any:
    return _WORD.findall(text)


class Splitter:
    """Longest pieces first, with the conventions of the vocabulary at hand: byte letters, `▁` or `##`."""

    def __init__(self, vocabulary: Any, unknown: Any = None) -> None:
        self._vocabulary, self._unknown = vocabulary, unknown
        self._longest = min(max(map(len, vocabulary), default=1), 64)
        self._style = (
            "placeholder" if is_placeholder(vocabulary)
            else "bytes" if "Ġ" in vocabulary or "Ġthe" in vocabulary
            else "spaces" if "▁" in vocabulary or "▁the" in vocabulary
            else "wordpiece" if any(k.startswith("##") for k in vocabulary)
            else "plain"
        )  # fmt: skip
        self._lower = self._style == "wordpiece" and not any(k.isupper() and k.isalpha() for k in vocabulary)

    def pieces(self, text: str) -> Any:
        """Ids of a text."""
        if self._style == "placeholder":
            return self._placeholders(text)
        found = []
        for word in words(text.lower() if self._lower else text):
            found += self._word(word)
        return found

    def _word(self, word):
        if self._style == "bytes":
            return self._longest_first(byte_letters(word), "")
        if self._style == "spaces":
            return self._longest_first(word.replace(" ", "▁"), "")
        if self._style == "wordpiece":
            return self._longest_first(word.strip(), "##") if word.strip() else []
        return self._longest_first(word.strip() if word not in self._vocabulary else word, "")

    def _placeholders(self, text):
        """One entry for about four letters: which one depends on the letters, so that a text is always the same ids."""
        size, ids = len(self._vocabulary), []
        for at in range(0, len(text), _LETTERS):
            number = zlib.crc32(text[at : at + _LETTERS].encode("utf-8", "replace"))
            # the first thousand and the last hold special tokens in most vocabularies
            edge = min(1000, size // 4)
            ids.append(edge + number % max(size - 2 * edge, 1))
        return ids

    def _longest_first(self, word, continued):
        vocabulary, at, ids = self._vocabulary, 0, []
        while at < len(word):
            for end in range(min(len(word), at + self._longest), at, -1):
                piece = (continued if at and continued else "") + word[at:end]
                known = vocabulary.get(piece)
                if known is not None:
                    ids.append(known)
                    at = end
                    break
            else:
                raw = [vocabulary.get(f"<0x{b:02X}>") for b in word[at].encode("utf-8", "replace")]
                ids += [r for r in raw if r is not None] or ([] if self._unknown is None else [self._unknown])
                at += 1
        return ids

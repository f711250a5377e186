"""tokenizers.pre_tokenizers: how a text is cut into words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._cut import byte_alphabet, cut, is_known
from ._parts import kinds
from ._words import words

if TYPE_CHECKING:
    from typing import Any

_FIELDS = {
    "ByteLevel": "add_prefix_space use_regex",
    "CharDelimiterSplit": "delimiter",
    "Digits": "individual_digits",
    "FixedLength": "length",
    "Metaspace": "replacement prepend_scheme split",
    "Punctuation": "behavior",
    "Sequence": "pretokenizers",
    "Split": "pattern behavior invert",
}
_NAMES = "BertPreTokenizer UnicodeScripts Whitespace WhitespaceSplit"
globals().update(kinds(__name__, "PreTokenizer", _FIELDS, _NAMES))


def pre_tokenize_str(self: Any, text: str) -> Any:
    state, found, at = self._json(), [], 0
    for word in cut(state, text) if is_known(state) else words(text):
        start = text.find(word, at)
        start = at if start < 0 else start
        at = start + len(word)
        found.append((word, (start, at)))
    return found


PreTokenizer.pre_tokenize_str = pre_tokenize_str  # noqa: F821
ByteLevel.alphabet = staticmethod(byte_alphabet)  # noqa: F821

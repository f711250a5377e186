"""tokenizers.normalizers: changes of a text before it is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._change import changed
from ._parts import kinds

if TYPE_CHECKING:
    from typing import Any

_FIELDS = {
    "BertNormalizer": "clean_text handle_chinese_chars strip_accents lowercase",
    "Prepend": "prepend",
    "Replace": "pattern content",
    "Sequence": "normalizers",
    "Strip": "left right",
    "Precompiled": "precompiled_charsmap",
}
_NAMES = "ByteLevel Lowercase NFC NFD NFKC NFKD Nmt StripAccents"
globals().update(kinds(__name__, "Normalizer", _FIELDS, _NAMES))


def normalize_str(self: Any, text: str) -> str:
    return changed(self._json(), text)


Normalizer.normalize_str = normalize_str  # noqa: F821
Normalizer.normalize = lambda self, text: setattr(text, "normalized", normalize_str(self, text.normalized))  # noqa: F821

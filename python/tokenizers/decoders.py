"""tokenizers.decoders: how tokens become text again; remembered, not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._parts import kinds

if TYPE_CHECKING:
    from typing import Any

    from tokenizers._tokenizer import Tokenizer


_FIELDS = {
    "BPEDecoder": "suffix",
    "Metaspace": "replacement prepend_scheme split",
    "Replace": "pattern content",
    "Sequence": "decoders",
    "Strip": "content left right",
    "WordPiece": "prefix cleanup",
}
_NAMES = "ByteFallback ByteLevel CTC Fuse"
globals().update(kinds(__name__, "Decoder", _FIELDS, _NAMES))


class DecodeStream:
    """Text of one id after the other."""

    def __init__(self, ids: Any = None, skip_special_tokens: bool = False) -> None:
        self._ids, self._skip = list(ids or ()), skip_special_tokens

    def step(self, tokenizer: Tokenizer, id: Any) -> str | None:
        return tokenizer.decode([id] if isinstance(id, int) else id, self._skip)

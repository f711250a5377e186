"""tokenizers.decoders: how tokens become text again; remembered, not run."""

from ._parts import kinds

globals().update(
    kinds(__name__, "Decoder", "BPEDecoder ByteFallback ByteLevel CTC Fuse Metaspace Replace Sequence Strip WordPiece")
)


class DecodeStream:
    """Text of one id after the other."""

    def __init__(self, ids=None, skip_special_tokens=False):
        self._ids, self._skip = list(ids or ()), skip_special_tokens

    def step(self, tokenizer, id):
        return tokenizer.decode([id] if isinstance(id, int) else id, self._skip)

"""Standard output and standard error of a program: a long text is encoded piece by piece, so that printing takes no memory beside it."""

from __future__ import annotations

import io
import sys

PIECE_CHARACTERS = 2**20


class TextIOWrapper(io.TextIOWrapper):
    """As the interpreter's own, which would encode a text of any length at once."""

    def __repr__(self) -> str:
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding={self.encoding!r}>"

    def write(self, s: str, /) -> int:
        if not isinstance(s, str) or len(s) <= PIECE_CHARACTERS:
            return super().write(s)
        for start in range(0, len(s), PIECE_CHARACTERS):
            super().write(s[start : start + PIECE_CHARACTERS])
        return len(s)


TextIOWrapper.__module__ = "_io"


def install() -> None:
    """Puts such streams in the place of the interpreter's; line by line, as at a terminal, so that the host hears of each."""
    for name in ("stdout", "stderr"):
        own = getattr(sys, name)
        if type(own) is TextIOWrapper:
            # from before the snapshot: loggers of packages that lie in it write there
            continue
        settings = {"encoding": own.encoding, "errors": own.errors, "newline": "\n", "line_buffering": True}
        stream = TextIOWrapper(own.detach(), **settings)
        stream.mode = "w"
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)

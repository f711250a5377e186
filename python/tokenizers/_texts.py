"""A text on its way through a tokenizer: added tokens are taken out, what is between is changed, cut and looked up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torch._stand_ins import note

from . import _change, _cut
from ._merge import KINDS
from ._parts import state_of
from ._words import Splitter, is_placeholder

if TYPE_CHECKING:
    from typing import Any

# Words whose ids are remembered.
_MOST_WORDS = 50_000


class Reader:
    """What a tokenizer's parts come to; made again when one of them is another."""

    def __init__(self, tokenizer: Any) -> None:
        model = tokenizer.model
        self.parts = parts_of(tokenizer)
        self._normalizer, self._cutter = state_of(tokenizer.normalizer), state_of(tokenizer.pre_tokenizer)
        self._known, self._splitter = {}, None
        exact = not model._likely and not is_placeholder(model._vocab) and type(model).__name__ in KINDS
        if exact and _change.is_known(self._normalizer) and _cut.is_known(self._cutter):
            self._model = KINDS[type(model).__name__](model)
        else:
            self._splitter = Splitter(model._vocab, tokenizer._unknown())
        added = list(tokenizer._added.values())
        self._plain = _Added([pair for pair in added if not pair[1].normalized], lambda text: text)
        self._changed = _Added([pair for pair in added if pair[1].normalized], self._change)

    def _change(self, text):
        return text if self._splitter else _change.changed(self._normalizer, text)

    def ids(self, text: str) -> list[tuple[int, int]]:
        """Ids with the number of the word that each belongs to."""
        if self._splitter:
            note("tokens_by_pieces", "library", "tokenizers")
        found, words, at = [], 0, 0
        for piece, token in self._plain.cut(text):
            if token is not None:
                found.append((token, words))
                words, at = words + 1, at + 1
                continue
            changed = self._change(piece)
            # what begins behind letters that were taken off does not begin the text
            at += piece[:1].isspace() and changed[:1] not in (" ", "▁", piece[:1])
            for inner, other in self._changed.cut(changed):
                if other is not None:
                    found.append((other, words))
                    words, at = words + 1, at + 1
                    continue
                for word in [inner] if self._splitter else _cut.cut(self._cutter, inner, at == 0):
                    found += [(i, words) for i in self._word(word)]
                    words += 1
                at += 1
        return found

    def _word(self, word):
        ids = self._known.get(word)
        if ids is None:
            ids = self._splitter.pieces(word) if self._splitter else self._model.ids(word)
            if len(self._known) < _MOST_WORDS:
                self._known[word] = ids
        return ids


def parts_of(tokenizer: Any) -> tuple:
    """What a reader was made of, to see whether it still holds."""
    model = tokenizer.model
    return model, model._vocab, tokenizer.normalizer, tokenizer.pre_tokenizer, len(tokenizer._added)


class _Added:
    """Tokens that are never split: the leftmost and longest is taken."""

    def __init__(self, tokens: Any, change: Any) -> None:
        self._tokens = {change(token.content): (i, token) for i, token in tokens}
        names = sorted(filter(None, self._tokens), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, names))) if names else None

    def cut(self, text: str) -> Any:
        """Pieces of text (with no id) and tokens (with theirs)."""
        at = 0
        for found in self._pattern.finditer(text) if self._pattern else ():
            start, end = found.span()
            number, token = self._tokens[found.group()]
            if start < at or (token.single_word and _touches(text, start, end)):
                continue
            while token.lstrip and start > at and text[start - 1].isspace():
                start -= 1
            while token.rstrip and end < len(text) and text[end].isspace():
                end += 1
            if start > at:
                yield text[at:start], None
            yield text[start:end], number
            at = end
        if at < len(text):
            yield text[at:], None


def _touches(text, start, end):
    return re.match(r"\w", text[start - 1 : start]) or re.match(r"\w", text[end : end + 1])

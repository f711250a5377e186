"""Words into the ids of a vocabulary, as each kind of model finds them: merges by rank, the best path, or the longest pieces."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# What SentencePiece takes from the lowest score for a letter that no piece holds.
_UNKNOWN_PENALTY = 10.0


def _bytes_of(vocabulary, text):
    """Ids of the text's bytes, where the vocabulary has one for each of them."""
    found = [vocabulary.get(f"<0x{b:02X}>") for b in text.encode("utf-8", "replace")]
    return None if None in found else found


class WordLevel:
    """Whole words."""

    def __init__(self, model: Any) -> None:
        self.vocabulary, self.unknown = model._vocab, model._vocab.get(model.unk_token)

    def ids(self, word: str) -> list[int]:
        found = self.vocabulary.get(word, self.unknown)
        if found is None:
            raise Exception("WordLevel error: Missing [UNK] token from the vocabulary")
        return [found]


class WordPiece:
    """The longest pieces from the left; one unknown for a word that they do not make up."""

    def __init__(self, model: Any) -> None:
        self.vocabulary, self.unknown = model._vocab, model._vocab.get(model.unk_token or "[UNK]")
        self.continued = model._option("continuing_subword_prefix", "##")
        self.most = model._option("max_input_chars_per_word", 100)

    def ids(self, word: str) -> list[int]:
        unknown = [] if self.unknown is None else [self.unknown]
        if len(word) > self.most:
            return unknown
        found, at = [], 0
        while at < len(word):
            for end in range(len(word), at, -1):
                known = self.vocabulary.get((self.continued if at else "") + word[at:end])
                if known is not None:
                    break
            else:
                return unknown
            found.append(known)
            at = end
        return found


class BPE:
    """Pairs that are merged, the earliest of the list first, the leftmost of alike ones first."""

    def __init__(self, model: Any) -> None:
        self.vocabulary, self.unknown = model._vocab, model._vocab.get(model.unk_token)
        self.before = model._option("continuing_subword_prefix", None) or ""
        self.after = model._option("end_of_word_suffix", None) or ""
        self.fuse, self.byte_fallback = model._option("fuse_unk", False), model._option("byte_fallback", False)
        self.whole = model._option("ignore_merges", False)
        pairs = (m.split(" ", 1) if isinstance(m, str) else m for m in model._merges)
        self.ranks = {(a, b): rank for rank, (a, b) in enumerate(pairs)}

    def ids(self, word: str) -> list[int]:
        if self.whole and word in self.vocabulary:
            return [self.vocabulary[word]]
        symbols = self._symbols(word)
        return [one if isinstance(one, int) else self.vocabulary[one] for one in self._merged(symbols)]

    def _symbols(self, word):
        """Letters of the vocabulary; numbers are ids of what is none."""
        found = []
        for i, c in enumerate(word):
            letter = (self.before if i else "") + c + (self.after if i == len(word) - 1 else "")
            if letter in self.vocabulary:
                found.append(letter)
                continue
            raw = _bytes_of(self.vocabulary, c) if self.byte_fallback else None
            if raw is not None:
                found += raw
            elif self.unknown is not None and not (self.fuse and found and found[-1] == self.unknown):
                found.append(self.unknown)
        return found

    def _merged(self, symbols):
        ranks, cut = self.ranks, len(self.before)
        right = [*range(1, len(symbols)), -1]
        left = [-1, *range(len(symbols) - 1)]
        waiting = []

        def look(i):
            if i >= 0 and right[i] >= 0:
                rank = ranks.get((symbols[i], symbols[right[i]]))
                if rank is not None:
                    heapq.heappush(waiting, (rank, i, symbols[i], symbols[right[i]]))

        for i in range(len(symbols) - 1):
            look(i)
        while waiting:
            _, i, first, second = heapq.heappop(waiting)
            j = right[i]
            if symbols[i] != first or j < 0 or symbols[j] != second:
                continue
            symbols[i], symbols[j] = first + second[cut:], None
            right[i] = right[j]
            if right[j] >= 0:
                left[right[j]] = i
            look(left[i])
            look(i)
        return [one for one in symbols if one is not None]


class Unigram:
    """The path of pieces with the highest sum of scores."""

    def __init__(self, model: Any) -> None:
        self.vocabulary, self.unknown, self.byte_fallback = model._vocab, model.unk_id, model.byte_fallback
        self.scores = model._scores
        self.longest = max(map(len, self.vocabulary), default=1)
        self.penalty = min(self.scores.values(), default=0.0) - _UNKNOWN_PENALTY

    def ids(self, word: str) -> list[int]:
        size, vocabulary, scores = len(word), self.vocabulary, self.scores
        best, came = [0.0] + [None] * size, [0] * (size + 1)
        for at in range(size):
            single = False
            for end in range(at + 1, min(size, at + self.longest) + 1):
                piece = word[at:end]
                score = scores.get(piece)
                if score is None:
                    continue
                if best[end] is None or best[at] + score > best[end]:
                    best[end], came[end] = best[at] + score, at
                single = single or end == at + 1
            if not single and (best[at + 1] is None or best[at] + self.penalty > best[at + 1]):
                best[at + 1], came[at + 1] = best[at] + self.penalty, at
        pieces, end = [], size
        while end > 0:
            pieces.append(word[came[end] : end])
            end = came[end]
        found, unknown = [], ""
        for piece in [*reversed(pieces), None]:
            if piece is not None and piece not in vocabulary:
                unknown += piece
                continue
            if unknown:
                raw = _bytes_of(vocabulary, unknown) if self.byte_fallback else None
                found += raw if raw is not None else [] if self.unknown is None else [self.unknown]
                unknown = ""
            if piece is not None:
                found.append(vocabulary[piece])
        return found


KINDS = {kind.__name__: kind for kind in (WordLevel, WordPiece, BPE, Unigram)}

"""A vocabulary counted from texts, as torchtext had it before 0.9 and under `legacy`: `stoi`, `itos`, `freqs`, `vectors`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_PUBLISHED = re.compile(r"(glove|fasttext|charngram)\.(.*?)\.?(\d+)d$")


class CountedVocab:
    """The most frequent words first, those as frequent by alphabet, what is special before them."""

    UNK = "<unk>"

    def __init__(
        self,
        counter: Counter,
        max_size: int | None = None,
        min_freq: int = 1,
        specials: Sequence = ("<unk>", "<pad>"),
        vectors: Any = None,
        unk_init: Any = None,
        vectors_cache: Any = None,
        specials_first: bool = True,
    ) -> None:
        self.freqs, self.vectors = counter.copy(), None
        first = list(specials) if specials_first else []
        rest = Counter({word: count for word, count in counter.items() if word not in specials})
        room = None if max_size is None else max_size
        ordered = sorted(sorted(rest.items()), key=lambda row: row[1], reverse=True)
        words = [word for word, count in ordered if count >= max(min_freq, 1)][:room]
        self.itos = [*first, *words] if specials_first else [*words, *specials]
        unknown = self.itos.index(self.UNK) if self.UNK in self.itos else None
        self.unk_index = unknown
        self.stoi = {} if unknown is None else defaultdict(lambda: unknown)
        self.stoi.update({word: i for i, word in enumerate(self.itos)})
        if vectors is not None:
            self.load_vectors(vectors, unk_init=unk_init, cache=vectors_cache)

    def __len__(self) -> int:
        return len(self.itos)

    def __getitem__(self, token: Any) -> int:
        return self.stoi[token]

    def __contains__(self, token: object) -> bool:
        return token in self.itos

    def lookup_indices(self, tokens: Any) -> list:
        return [self.stoi[token] for token in tokens]

    def extend(self, v: CountedVocab, sort: bool = False) -> None:
        for word in sorted(v.itos) if sort else v.itos:
            if word not in self.stoi:
                self.itos.append(word)
                self.stoi[word] = len(self.itos) - 1

    def load_vectors(self, vectors: Any, **options: Any) -> None:
        """One row a word; several sets of vectors beside each other."""
        found = [_vectors(part) for part in (vectors if isinstance(vectors, list) else [vectors])]
        self.vectors = torch.zeros(len(self), sum(part.dim for part in found))

    def set_vectors(self, stoi: dict, vectors: Any, dim: int, unk_init: Any = None) -> None:
        self.vectors = torch.zeros(len(self), dim)
        for i, token in enumerate(self.itos):
            if token in stoi:
                self.vectors[i] = vectors[stoi[token]]


def _vectors(named):
    """Vectors by their former names, `glove.6B.100d`."""
    from . import vocab

    if not isinstance(named, str):
        return named
    found = _PUBLISHED.match(named)
    if found is None:
        raise ValueError(
            f"Got string input vector {named}, but allowed pretrained vectors are glove, fasttext and charngram"
        )
    if found[1] == "glove":
        return vocab.GloVe(name=found[2], dim=int(found[3]))
    return vocab.FastText(language=found[2]) if found[1] == "fasttext" else vocab.CharNGram()

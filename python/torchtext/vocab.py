"""torchtext.vocab: words and their numbers."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks, note

from ._counted import CountedVocab

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("torchtext.vocab")
_FEW = 10_000  # words of vectors that nobody knows


class Vocab(nn.Module):
    """Numbers by words, and words by numbers; of counted words, as before 0.9, those of `legacy`."""

    def __new__(cls, words: Any, *args: Any, **options: Any) -> Any:
        return CountedVocab(words, *args, **options) if isinstance(words, Counter) else super().__new__(cls)

    def __init__(self, words: Any) -> None:
        super().__init__()
        self._words = list(words)
        self._numbers = {word: i for i, word in enumerate(self._words)}
        self._default = None

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, token: Any) -> bool:
        return token in self._numbers

    def __getitem__(self, token: Any) -> Any:
        found = self._numbers.get(token, self._default)
        if found is None:
            raise RuntimeError(f"Token {token} not found and default index is not set")
        return found

    def forward(self, tokens: Any) -> list:
        return [self[token] for token in tokens]

    lookup_indices = forward

    def set_default_index(self, index: int) -> None:
        self._default = index

    def get_default_index(self) -> Any:
        return self._default

    def lookup_token(self, index: int) -> Any:
        return self._words[index]

    def lookup_tokens(self, indices: Any) -> list:
        return [self._words[i] for i in indices]

    def get_stoi(self) -> dict:
        return dict(self._numbers)

    def get_itos(self) -> list:
        return list(self._words)

    def append_token(self, token: Any) -> None:
        self.insert_token(token, len(self))

    def insert_token(self, token: Any, index: int) -> None:
        self._words.insert(index, token)
        self._numbers = {word: i for i, word in enumerate(self._words)}


def vocab(ordered_dict: dict, min_freq: int = 1, specials: Any = None, special_first: bool = True) -> Vocab:
    words = [w for w, n in ordered_dict.items() if n >= min_freq and w not in (specials or ())]
    return Vocab([*(specials or ()), *words] if special_first else [*words, *(specials or ())])


def build_vocab_from_iterator(
    iterator: Any, min_freq: int = 1, specials: Any = None, special_first: bool = True, max_tokens: int | None = None
) -> Vocab:
    """The most frequent words first, those as frequent by alphabet."""
    counts = Counter(word for words in iterator for word in words)
    ordered = dict(sorted(counts.items(), key=lambda row: (-row[1], row[0])))
    if max_tokens is not None:
        ordered = dict(list(ordered.items())[: max_tokens - len(specials or ())])
    return vocab(ordered, min_freq, specials, special_first)


_SIZES = {"glove.840B": 2_196_017, "glove.42B": 1_917_494, "glove.6B": 400_000, "glove.twitter.27B": 1_193_514}


class Vectors:
    """Vectors of words that were published; here each is zeros, and every word has one."""

    def __init__(
        self, name: str, cache: Any = None, url: Any = None, unk_init: Any = None, max_vectors: Any = None
    ) -> None:
        self._begin(name, int(found[1]) if (found := re.search(r"(\d+)d", name)) else 300, max_vectors)

    def _begin(self, name: str, dim: int, count: int | None) -> None:
        self.dim = dim
        self.itos = [f"word{i}" for i in range(count or _FEW)]
        self.stoi = {word: i for i, word in enumerate(self.itos)}
        self.vectors = torch.zeros(len(self.itos), dim)
        note("placeholder_rows", "file", f"torchtext.vocab.{name}", count=len(self.itos))

    def __getitem__(self, token: str) -> torch.Tensor:
        return torch.zeros(self.dim)

    def __contains__(self, token: object) -> bool:
        return True

    def __len__(self) -> int:
        return len(self.vectors)

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> torch.Tensor:
        return torch.zeros(self.dim) if isinstance(tokens, str) else torch.zeros(len(tokens), self.dim)


class GloVe(Vectors):
    def __init__(self, name: str = "840B", dim: int = 300, **options: Any) -> None:
        self._begin(f"glove.{name}", dim, options.get("max_vectors") or _SIZES.get(f"glove.{name}"))


class FastText(Vectors):
    def __init__(self, language: str = "en", **options: Any) -> None:
        self._begin(f"wiki.{language}", 300, options.get("max_vectors") or 2_519_370)


class CharNGram(Vectors):
    def __init__(self, **options: Any) -> None:
        self._begin("charngram", 100, options.get("max_vectors") or 874_474)

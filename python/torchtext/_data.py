"""torchtext.data: splitting texts, and data sets by number."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from ._batches import Batch, BPTTIterator, BucketIterator, batch, pool
from ._batches import Iterator_ as Iterator
from ._examples import Dataset, Example, TabularDataset
from ._fields import Field, LabelField, RawField, ReversibleField

if TYPE_CHECKING:
    from collections.abc import Iterator as _Iterator
    from typing import Any


__all__ = [
    "BPTTIterator", "Batch", "BucketIterator", "Dataset", "Example", "Field", "Iterator", "LabelField", "RawField",
    "ReversibleField", "TabularDataset", "batch", "get_tokenizer", "interleave_keys", "ngrams_iterator", "pool",
    "to_map_style_dataset",
]  # fmt: skip
__getattr__ = lacks("torchtext.data")


def get_tokenizer(tokenizer: Any, language: str = "en") -> Any:
    """A function from a text to words."""
    if callable(tokenizer):
        return tokenizer
    if tokenizer == "spacy":
        import spacy

        model = spacy.blank(language)
        return lambda text: [token.text for token in model(text)]
    return lambda text: text.lower().split()


def ngrams_iterator(token_list: Any, ngrams: Any) -> _Iterator[Any]:
    yield from token_list
    for n in range(2, ngrams + 1):
        for words in zip(*(token_list[i:] for i in range(n))):
            yield " ".join(words)


def to_map_style_dataset(iter_data: Any) -> Any:
    """A data set with a length, of all that an iterator gives."""
    from torch.utils.data import Dataset

    class _Listed(Dataset):
        def __init__(self):
            self._data = list(iter_data)

        def __len__(self):
            return len(self._data)

        def __getitem__(self, index):
            return self._data[index]

    return _Listed()


def interleave_keys(a: int, b: int) -> int:
    """A key that orders by two numbers at once, their bits in turn."""
    pairs = zip(*(f"{x:016b}" for x in (a, b)))
    return int("".join(bit for pair in pairs for bit in pair), base=2)


utils = functional = sys.modules[__name__]

"""torchtext.data: splitting texts, and data sets by number."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


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


def ngrams_iterator(token_list: Any, ngrams: Any) -> Iterator[Any]:
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


utils = functional = sys.modules[__name__]

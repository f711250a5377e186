"""Fields of torchtext before 0.9 and of `legacy`: how a column becomes words, numbers and a padded tensor."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import torch

from ._counted import CountedVocab

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class RawField:
    """A column that stays as it is."""

    def __init__(self, preprocessing: Any = None, postprocessing: Any = None, is_target: bool = False) -> None:
        self.preprocessing, self.postprocessing, self.is_target = preprocessing, postprocessing, is_target

    def preprocess(self, x: Any) -> Any:
        return x if self.preprocessing is None else self.preprocessing(x)

    def process(self, batch: Any, *args: Any, **options: Any) -> Any:
        return batch if self.postprocessing is None else self.postprocessing(batch)


class Field(RawField):
    """A column of texts or numbers."""

    vocab_cls = CountedVocab

    def __init__(
        self,
        sequential: bool = True,
        use_vocab: bool = True,
        init_token: str | None = None,
        eos_token: str | None = None,
        fix_length: int | None = None,
        dtype: torch.dtype | None = None,
        preprocessing: Any = None,
        postprocessing: Any = None,
        lower: bool = False,
        tokenize: Any = None,
        tokenizer_language: str = "en",
        include_lengths: bool = False,
        batch_first: bool = False,
        pad_token: str | None = "<pad>",
        unk_token: str | None = "<unk>",
        pad_first: bool = False,
        truncate_first: bool = False,
        stop_words: Any = None,
        is_target: bool = False,
        tensor_type: Any = None,
    ) -> None:
        super().__init__(preprocessing, postprocessing, is_target)
        self.sequential, self.use_vocab, self.lower = sequential, use_vocab, lower
        self.init_token, self.eos_token, self.unk_token = init_token, eos_token, unk_token
        self.pad_token = pad_token if sequential else None
        self.fix_length, self.pad_first, self.truncate_first = fix_length, pad_first, truncate_first
        self.dtype = dtype or (tensor_type().dtype if tensor_type is not None else torch.int64)
        self.tokenize = _tokenizer(tokenize, tokenizer_language)
        self.include_lengths, self.batch_first, self.stop_words = include_lengths, batch_first, stop_words

    def preprocess(self, x: Any) -> Any:
        if self.sequential and isinstance(x, str):
            x = self.tokenize(x.rstrip("\n"))
        if self.lower:
            x = [word.lower() for word in x] if self.sequential else x.lower()
        if self.sequential and self.use_vocab and self.stop_words is not None:
            x = [word for word in x if word not in self.stop_words]
        return x if self.preprocessing is None else self.preprocessing(x)

    def process(self, batch: Any, device: Any = None, **options: Any) -> Any:
        return self.numericalize(self.pad(batch), device=device)

    def pad(self, minibatch: Any) -> Any:
        rows = list(minibatch)
        if not self.sequential:
            return rows
        ends = (self.init_token, self.eos_token)
        room = (
            max(map(len, rows)) if self.fix_length is None else self.fix_length - sum(end is not None for end in ends)
        )
        begin, end = ([] if token is None else [token] for token in ends)
        padded, lengths = [], []
        for row in rows:
            kept = list(row[-room:] if self.truncate_first else row[:room])
            fill = [self.pad_token] * max(0, room - len(row))
            whole = begin + kept + end
            padded.append(fill + whole if self.pad_first else whole + fill)
            lengths.append(len(whole))
        return (padded, lengths) if self.include_lengths else padded

    def build_vocab(self, *args: Any, **kwargs: Any) -> None:
        """Counts the words of this field in data sets, and in lists of rows."""
        counter = Counter()
        for source in args:
            for column, more in _columns(self, source):
                for row, times in _distinct(column):
                    for word in row if self.sequential else [row]:
                        counter[word] += times
                if more:
                    for word in self.preprocess(" ".join(more)) if self.sequential else ():
                        counter[word] += 2
        special = [self.unk_token, self.pad_token, self.init_token, self.eos_token, *kwargs.pop("specials", ())]
        specials = list(dict.fromkeys(token for token in special if token is not None))
        self.vocab = self.vocab_cls(counter, specials=specials, **kwargs)

    def numericalize(self, arr: Any, device: Any = None) -> Any:
        lengths = None
        if self.include_lengths and isinstance(arr, tuple):
            arr, lengths = arr
            lengths = torch.tensor(lengths, dtype=self.dtype, device=device)
        if self.use_vocab:
            numbers = self.vocab.stoi
            arr = (
                [[numbers[word] for word in row] for row in arr] if self.sequential else [numbers[word] for word in arr]
            )
            if self.postprocessing is not None:
                arr = self.postprocessing(arr, self.vocab)
        else:
            number = float if self.dtype.is_floating_point else int
            if not self.sequential:
                arr = [number(x) if isinstance(x, str) else x for x in arr]
            if self.postprocessing is not None:
                arr = self.postprocessing(arr, None)
        made = torch.tensor(arr, dtype=self.dtype, device=device)
        if self.sequential and not self.batch_first:
            made.t_()
        if self.sequential:
            made = made.contiguous()
        return (made, lengths) if self.include_lengths else made


class LabelField(Field):
    """What is to be learned: one word a row, none of it unknown."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "sequential": False, "unk_token": None, "is_target": True})


class ReversibleField(Field):
    """A field whose numbers go back to texts."""

    def reverse(self, batch: Any) -> list:
        rows = (batch if self.batch_first else batch.t()).tolist()
        ends = {self.init_token, self.pad_token}
        texts = [[self.vocab.itos[number] for number in row] for row in rows]
        return [" ".join(word for word in _until(row, self.eos_token) if word not in ends) for row in texts]


def _until(words, end):
    return words[: words.index(end)] if end in words else words


def _tokenizer(asked: Any, language: str) -> Callable:
    if callable(asked):
        return asked
    if asked is None:
        return str.split
    from ._data import get_tokenizer

    return get_tokenizer(asked, language)


def _columns(field, source):
    """(rows, words that rows of a placeholder leave out) of each column that has this field."""
    fields = getattr(source, "fields", None)
    if not isinstance(fields, dict):
        return [(source, None)]
    return [(list(getattr(source, name)), source.words) for name, kind in fields.items() if kind is field]


def _distinct(column):
    """Each row with how often it is there; rows of a placeholder are the same objects again and again."""
    times, rows = Counter(), {}
    for row in column:
        times[id(row)] += 1
        rows[id(row)] = row
    return [(rows[key], count) for key, count in times.items()]

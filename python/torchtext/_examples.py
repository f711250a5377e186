"""Data sets of torchtext before 0.9 and of `legacy`: examples with an attribute for each field, and tables of them."""

from __future__ import annotations

import csv
import json
import os
import random
from typing import TYPE_CHECKING

from torch._stand_ins import note
from torch.utils.data import Dataset as _Dataset

from ._sizes import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self


_ROWS = 10_000  # of a table that is not there
_WORDS, _LENGTH = 20_000, 30
DISTINCT = 97  # examples of a placeholder that differ; the others are the same ones again


class Example:
    """One row."""

    @classmethod
    def fromlist(cls, data: Any, fields: Any) -> Self:
        made = cls()
        for (name, field), value in zip(fields, data):
            if field is None:
                continue
            value = value.rstrip("\n") if isinstance(value, str) else value
            pairs = zip(name, field) if isinstance(name, tuple) else [(name, field)]
            for one, kind in pairs:
                setattr(made, one, kind.preprocess(value))
        return made

    @classmethod
    def fromdict(cls, data: dict, fields: dict) -> Self:
        made = cls()
        for key, targets in fields.items():
            for name, field in targets if isinstance(targets, list) else [targets]:
                setattr(made, name, field.preprocess(data[key]))
        return made

    @classmethod
    def fromJSON(cls, data: str, fields: dict) -> Self:
        return cls.fromdict(json.loads(data), fields)

    @classmethod
    def fromCSV(cls, data: Any, fields: Any, field_to_index: dict | None = None) -> Self:
        if field_to_index is None:
            return cls.fromlist(data, fields)
        return cls.fromdict({key: data[field_to_index[key]] for key in fields}, fields)


class Dataset(_Dataset):
    """Examples and their fields."""

    sort_key = None
    words: list | None = None  # those of a placeholder that its rows leave out

    def __init__(self, examples: Any, fields: Any, filter_pred: Any = None) -> None:
        self.examples = list(examples) if filter_pred is None else [one for one in examples if filter_pred(one)]
        self.fields = dict(fields)
        for name, field in list(self.fields.items()):
            if isinstance(name, tuple):
                self.fields.update(zip(name, field))
                del self.fields[name]

    def __getitem__(self, i: int) -> Any:
        return self.examples[i]

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator:
        yield from self.examples

    def __getattr__(self, attr: str) -> Any:
        if attr in self.__dict__.get("fields", ()):
            return (getattr(one, attr) for one in self.examples)
        raise AttributeError(attr)

    @classmethod
    def splits(
        cls,
        path: Any = None,
        root: str = ".data",
        train: Any = None,
        validation: Any = None,
        test: Any = None,
        **options: Any,
    ) -> tuple:
        return tuple(
            cls(os.path.join(path or root, part), **options) for part in (train, validation, test) if part is not None
        )

    def split(
        self, split_ratio: Any = 0.7, stratified: bool = False, strata_field: str = "label", random_state: Any = None
    ) -> tuple:
        """Two or three data sets, drawn at random; a stratified one has the same shares, too."""
        shares = [split_ratio, 1 - split_ratio] if isinstance(split_ratio, float) else list(split_ratio)
        if len(shares) == 3:
            shares = [shares[0], shares[2], shares[1]]
        generator = random.Random()
        if random_state is not None:
            generator.setstate(random_state)
        examples = list(self.examples)
        generator.shuffle(examples)
        parts, at = [], 0
        for i, share in enumerate(shares):
            end = len(examples) if i == len(shares) - 1 else at + round(share / sum(shares) * len(examples))
            part = Dataset(examples[at:end], self.fields)
            part.sort_key, part.words = self.sort_key, self.words
            parts.append(part)
            at = end
        if len(parts) == 3:
            parts = [parts[0], parts[2], parts[1]]
        return tuple(part for part in parts if len(part))


class TabularDataset(Dataset):
    """A table of a file: csv, tsv or a JSON text a line."""

    def __init__(
        self,
        path: Any,
        format: str,
        fields: Any,
        skip_header: bool = False,
        csv_reader_params: dict | None = None,
        **options: Any,
    ) -> None:
        columns = list(fields.values()) if isinstance(fields, dict) else list(fields)
        flat = [pair for column in columns for pair in (column if isinstance(column, list) else [column])]
        if not os.path.exists(path):
            super().__init__(*placeholder(os.fspath(path), _ROWS, flat, _WORDS, _LENGTH), **options)
            self.words = more_words(_WORDS)
            return
        kind = format.lower()
        with open(os.path.expanduser(path), encoding="utf8") as file:
            if kind == "json":
                examples = [Example.fromJSON(line, fields) for line in file]
            else:
                rows = csv.reader(file, delimiter="," if kind == "csv" else "\t", **(csv_reader_params or {}))
                places = {name: i for i, name in enumerate(next(rows))} if isinstance(fields, dict) else None
                if skip_header:
                    next(rows)
                examples = [Example.fromCSV(row, fields, places) for row in rows]
        super().__init__(examples, flat, **options)


def placeholder(name: str, count: int, fields: Any, words: int, length: int, labels: dict | None = None) -> tuple:
    """(examples, fields) of rows that nobody has; `labels`: what the columns that are labels say."""
    note("placeholder_texts", "file", name, count=count, words=words, length=length)
    used = [(column, field) for column, field in fields if field is not None]
    made = [
        Example.fromlist([_value(column, field, i, length, labels or {}) for column, field in used], used)
        for i in (range(min(count, DISTINCT)) if count > 1 else [DISTINCT // 2 + 1])
    ]
    return [made[i % len(made)] for i in range(count)], used


def more_words(count: int) -> list:
    return [f"word{i}" for i in range(count)]


def _value(column, field, i, length, labels):
    many = length // 2 + i * length // DISTINCT
    if column in labels:
        says = labels[column]
        return " ".join(says[(i + k) % len(says)] for k in range(many)) if field.sequential else says[i % len(says)]
    if not getattr(field, "sequential", False):
        return f"{i % 2}"
    return sentence(many)

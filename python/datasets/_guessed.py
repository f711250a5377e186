"""Columns and splits of a data set that nobody here knows: what a program asks for is there, a column of the kind that its name says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._features import Audio, ClassLabel, Features, Identifier, Image, Messages, Value
from ._splits import DatasetDict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


# words in a column's name, and what it then holds; the first that occurs decides, and others are text
_KINDS = (
    (("_id", "-id"), Identifier),
    (("image", "img", "picture", "photo"), Image),
    (("audio", "speech"), Audio),
    (("messages", "conversation"), Messages),
    (("label", "target", "class"), lambda: ClassLabel(num_classes=2)),
    (("idx", "index", "count"), lambda: Value("int64")),
    (("score", "rating"), lambda: Value("float32")),
)


class GuessedFeatures(Features):
    """Grows by what is asked for."""

    def placeholder(self, row: Any) -> _Row:
        return _Row(super().placeholder(row), self, row)

    def ask(self, name: str) -> Any:
        """The kind of a column that is new."""
        if name not in self:
            self[name] = next(
                (kind() for words, kind in _KINDS if any(w in name.lower() for w in words)), Value("string")
            )
            from torch._stand_ins import note

            note("dataset_column_guessed", "name", name)
        return self[name]


class GuessedSplits(DatasetDict):
    """Grows by the splits that are asked for."""

    def __init__(self, splits: dict, make: Callable) -> None:
        super().__init__(splits)
        self._make = make

    def __missing__(self, split: str) -> Any:
        if not isinstance(split, str):
            raise KeyError(split)
        from torch._stand_ins import note

        note("dataset_split_guessed", "name", split)
        made = self[split] = self._make(split)
        return made

    def _of(self, change: Callable) -> GuessedSplits:
        changed = {split: change(dataset) for split, dataset in self.items()}
        return GuessedSplits(changed, lambda split: change(self[split]))


class _Row(dict):
    def __init__(self, values: Any, columns: Sequence[str], at: Any) -> None:
        super().__init__(values)
        self._columns, self._at = columns, at

    def __missing__(self, name: str) -> Any:
        if not isinstance(name, str):
            raise KeyError(name)
        value = self[name] = self._columns.ask(name).placeholder(self._at)
        return value

    def copy(self) -> _Row:
        return _Row(self, self._columns, self._at)

    def fill(self) -> None:
        """Takes the columns that copies of it were asked for: they were there all along."""
        for name in self._columns:
            self[name]  # made when it is missing

    def batch(self, rows: Any) -> _Batch:
        return _Batch({name: [row[name] for row in rows] for name in self}, rows)


class _Batch(dict):
    """Columns of rows, and those that are asked for."""

    def __init__(self, values: Any, rows: Any) -> None:
        super().__init__(values)
        self._rows = rows

    def __missing__(self, name: str) -> list:
        value = self[name] = [row[name] for row in self._rows]
        return value

    def fill(self) -> None:
        for name in self._rows[0]._columns:
            self[name]

    def copy(self) -> _Batch:
        return _Batch(self, self._rows)

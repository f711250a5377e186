"""Rows that are made when somebody asks for them: the rows of a data set, those that a function makes of others, a choice of them."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


FEW = 10_000  # rows up to which a function runs over all at once
_KEPT = 4096


class Rows:
    """`get(i)` makes row i of `count`; the last ones that were made are kept."""

    def __init__(self, count: int, get: Any) -> None:
        self.count, self._get, self._made = count, get, {}

    def __len__(self) -> int:
        return self.count

    def get(self, at: Any) -> Any:
        row = self._made.get(at)
        if row is None:
            if len(self._made) >= _KEPT:
                self._made.clear()
            row = self._made[at] = self._get(at)
        return row

    def chosen(self, indices: Any) -> Rows:
        return Rows(len(indices), lambda at: self.get(indices[at]))


def held(rows: Any) -> Rows:
    return Rows(len(rows), rows.__getitem__)


def batch_of(rows: Any) -> Any:
    """Columns of some rows."""
    own = getattr(rows[0], "batch", None) if rows else None
    if own is not None:
        return own(rows)
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def rows_of(batch: int) -> list:
    """Rows of columns that are equally long."""
    names = list(batch)
    return [dict(zip(names, values)) for values in zip(*(list(batch[name]) for name in names))]


def _plain(made):
    """What a function gave, as a file of Arrow would hold it: a tensor becomes a list, and its memory is free."""
    return {name: value.tolist() if hasattr(value, "tolist") else value for name, value in dict(made or {}).items()}


def _fill(row):
    """Columns that were made because the function asked for them stay beside what it gave."""
    if hasattr(row, "fill"):
        row.fill()


def mapped(rows: Any, function: Callable, drop: Any) -> Rows:
    """A function of one row; what it gives stands beside what was there, without the columns `drop`."""

    def get(at):
        row = rows.get(at)
        made = function(row.copy(), at)
        _fill(row)
        return {
            **{name: value for name, value in row.items() if name not in drop},
            **_plain(made),
        }

    return Rows(len(rows), get)


def mapped_batches(rows: Any, function: Callable, drop: Any, size: int) -> Rows:
    """A function of columns. It may give more or fewer rows than it got; of many batches the first tells how many."""
    count = len(rows)
    size = count if not size or size < 0 else size

    def run(number):
        taken = [rows.get(at) for at in range(number * size, min(count, (number + 1) * size))]
        batch = batch_of(taken)
        made = function(batch.copy(), range(number * size, number * size + len(taken)))
        made = _plain(made)
        _fill(batch)
        kept = {name: values for name, values in batch.items() if name not in drop and name not in made}
        lengths = {len(values) for values in made.values()}
        if made and lengths != {len(taken)}:
            kept = {}
        return rows_of({**kept, **made})

    if count == 0:
        return Rows(0, None)
    first = run(0)
    if count <= FEW:
        return held([*first, *(row for number in range(1, -(-count // size)) for row in run(number))])
    batches, each = Rows(-(-count // size), run), len(first)
    total = count if each == size else count // size * each
    if each == 0:
        return Rows(0, None)

    def get(at):
        batch = batches.get(at // each)
        return batch[min(at % each, len(batch) - 1)] if batch else first[at % each]

    return Rows(total, get)


def filtered(rows: Any, keeps: Callable) -> Any:
    """The rows that a function keeps; of many rows the first ones tell how many."""
    looked = min(len(rows), FEW // 10 if len(rows) > FEW else FEW)
    kept = [at for at in range(looked) if keeps(rows.get(at), at)]
    if looked == len(rows) or not kept:
        return rows.chosen(kept)
    total = len(rows) * len(kept) // looked
    return Rows(total, lambda at: rows.get(kept[at % len(kept)]))

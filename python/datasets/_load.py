"""Loads a data set: files that are there, else rows of the columns that its name tells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._dataset import Dataset, concatenate_datasets
from ._files import files_of
from ._guessed import GuessedFeatures, GuessedSplits
from ._known import find
from ._readers import read
from ._rows import Rows
from ._splits import DatasetDict, IterableDatasetDict

if TYPE_CHECKING:
    from typing import Any


_PIECE = re.compile(r"^([\w.\-]+)(?:\[(-?\d+%?)?:(-?\d+%?)?\])?$")


def load_dataset(path: str, name: str | None=None, data_dir: str | None=None, data_files: Any=None, split: str | None=None, cache_dir: str | None=None, features: Any=None, streaming: bool=False, **options: Any) -> Any:  # fmt: skip
    files = files_of(path, name, data_dir, data_files)
    read_rows = read(path, files, options) if files else None
    if read_rows is not None:
        found = DatasetDict(
            {
                key: Dataset(rows, kinds, key).come_from(kind, path, "default")
                for key, (rows, kinds, kind) in read_rows.items()
            }
        )
    else:
        found = _placeholders(path, name, features, sorted(files) if files else None)
    if streaming and split is None:
        return IterableDatasetDict({key: rows.to_iterable_dataset() for key, rows in found.items()})
    if streaming:
        return found[_PIECE.match(str(split)).group(1)].to_iterable_dataset()
    if split is None:
        return found
    if isinstance(split, (list, tuple)):
        return [_part(found, str(one)) for one in split]
    return _part(found, str(split))


def load_from_disk(dataset_path: str, **options: Any) -> Any:
    return load_dataset(str(dataset_path))


def get_dataset_config_names(path: str, **options: Any) -> list:
    return ["default"]


def get_dataset_split_names(path: str, config_name: str | None = None, **options: Any) -> list:
    return list(find(path, config_name)[1])


def _part(found, split):
    """`train`, `train[:10%]`, `train+test`."""
    parts = []
    for piece in split.split("+"):
        match = _PIECE.match(piece.strip())
        key, start, end = match.groups() if match else (piece, None, None)
        if key == "all":
            parts.append(concatenate_datasets(found.values()))
            continue
        try:
            rows = found[key]
        except KeyError:
            raise ValueError(f'Unknown split "{key}". Should be one of {list(found)}.') from None
        place = lambda text, n=len(rows): int(text[:-1]) * n // 100 if text.endswith("%") else int(text)  # noqa: E731
        whole = range(len(rows))[place(start) if start else 0 : place(end) if end else len(rows)]
        parts.append(rows if len(whole) == len(rows) else rows.select(whole))
    return parts[0] if len(parts) == 1 else concatenate_datasets(parts)


def _placeholders(path, name, features, names):
    """One data set for each split; `names`: the splits that the program gave files for."""
    from torch._stand_ins import note

    columns, splits, is_known = find(path, name)
    if features is not None:
        columns = features
    elif not is_known:
        columns = GuessedFeatures(columns)
    if names is not None:
        splits = {split: splits.get(split, 10_000) for split in names}
    label = f"{path}/{name}" if name else str(path)
    note("dataset_rows" if is_known else "dataset_guessed", "name", label, columns=", ".join(columns))
    source = ("parquet", str(path).rpartition("/")[2], name or "default")
    make = lambda count, split: Dataset(Rows(count, columns.placeholder), columns, split).come_from(*source)  # noqa: E731
    found = {split: make(count, split) for split, count in splits.items()}
    return DatasetDict(found) if is_known else GuessedSplits(found, lambda split: make(min(splits.values()), split))

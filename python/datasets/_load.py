"""Loads a data set: files that are there, else rows of the columns that its name tells."""

from __future__ import annotations

import glob
import json
import os
import re
from typing import TYPE_CHECKING

from ._dataset import Dataset, concatenate_datasets
from ._folders import picture_folders
from ._guessed import GuessedFeatures, GuessedSplits
from ._known import find
from ._rows import Rows, held
from ._splits import DatasetDict, IterableDatasetDict

if TYPE_CHECKING:
    from typing import Any


_BUILDERS = {"json": (".json", ".jsonl"), "csv": (".csv", ".tsv"), "text": (".txt",), "parquet": (".parquet",)}
_PIECE = re.compile(r"^([\w.\-]+)(?:\[(-?\d+%?)?:(-?\d+%?)?\])?$")


def load_dataset(path: str, name: str | None=None, data_dir: str | None=None, data_files: Any=None, split: str | None=None, cache_dir: str | None=None, features: Any=None, streaming: bool=False, **options: Any) -> Any:  # fmt: skip
    files = _files_of(path, data_dir, data_files)
    found = picture_folders(path, data_dir, files if data_files is not None else None, _TABLES)
    if found is None:
        found = _read(path, files) if files else None
    if found is None:
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


def _files_of(path, data_dir, data_files):
    """Files by split, as the program named them; None where it named none."""
    if data_files is None:
        folder = data_dir or path
        if not isinstance(folder, (str, os.PathLike)) or not os.path.isdir(folder):
            return {"train": [str(path)]} if os.path.isfile(path) else None
        data_files = [f"{folder}/{entry}" for entry in sorted(os.listdir(folder)) if _kind(entry) is not None]
        if not data_files:
            return None
    if not isinstance(data_files, dict):
        data_files = {"train": data_files}
    return {
        split: [names] if isinstance(names, (str, os.PathLike)) else list(names) for split, names in data_files.items()
    }


def _kind(path):
    return next((kind for kind, endings in _BUILDERS.items() if str(path).endswith(endings)), None)


def _read(path, files):
    """The data sets of files that are there and can be read; None where one is not."""
    found = {}
    for split, names in files.items():
        paths = [one for name in names for one in (sorted(glob.glob(str(name))) or [str(name)])]
        rows = []
        for one in paths:
            kind = _kind(one) or (path if path in _BUILDERS else None)
            if kind in (None, "parquet") or not os.path.isfile(one):
                return None
            rows.extend(_READERS[kind](one))
        found[split] = Dataset(held(rows), None, split).come_from(path if path in _BUILDERS else kind, path, "default")
    return DatasetDict(found)


def _json_rows(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        whole = json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    if isinstance(whole, dict):
        whole = next((value for value in whole.values() if isinstance(value, list)), [whole])
    return whole


def _csv_rows(path):
    # by pandas, as datasets itself does: columns of numbers are numbers, and what is missing is None
    from pandas import read_csv

    rows = read_csv(path, sep="\t" if path.endswith(".tsv") else ",").to_dict("records")
    return [{name: None if value != value else value for name, value in row.items()} for row in rows]


def _text_rows(path):
    with open(path, encoding="utf-8") as file:
        return [{"text": line.rstrip("\n")} for line in file]


_READERS = {"json": _json_rows, "csv": _csv_rows, "text": _text_rows}
_TABLES = {".jsonl": _json_rows, ".csv": _csv_rows}

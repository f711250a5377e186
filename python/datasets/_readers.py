"""Rows of files that are there: tables, texts, and folders of pictures or sounds, which are opened when a row is asked for."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from ._features import Audio, ClassLabel, Features, Image
from ._files import FOLDERS, KINDS, kind_of
from ._rows import Rows, held

if TYPE_CHECKING:
    from typing import Any


def read(builder: Any, files: dict[str, list[str]], options: dict) -> dict[str, tuple] | None:
    """(rows, features, kind) by split; None where a split's files are not there or of a kind that nobody here reads."""
    if not all(files.values()):
        return None
    own = builder if builder in KINDS else None
    paths = (path for some in files.values() for path in some)
    folder = own if own in FOLDERS else next((kind for path in paths if (kind := kind_of(path)) in FOLDERS), None)
    if folder is not None:
        return _of_folder(folder, files, options)
    found = {}
    for split, some in files.items():
        rows = []
        for path in some:
            # the builder that a program names reads files of every ending, but for files that say what they are
            kind = kind_of(path) or own
            if kind not in _READERS:
                return None
            rows.extend(_READERS[kind](path, options))
        found[split] = (held(rows), None, own or kind)
    return found


def _json_rows(path, options):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        whole = json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    if isinstance(whole, dict):
        field = options.get("field")
        lists = (value for value in whole.values() if isinstance(value, list))
        whole = whole[field] if field in whole else next(lists, [whole])
    return whole


def _csv_rows(path, options):
    # by pandas, as datasets itself does: columns of numbers are numbers, and what is missing is None
    from pandas import read_csv

    between = options.get("sep") or options.get("delimiter") or ("\t" if path.endswith(".tsv") else ",")
    rows = read_csv(path, sep=between).to_dict("records")
    return [{name: None if value != value else value for name, value in row.items()} for row in rows]


def _text_rows(path, options):
    by = options.get("sample_by", "line")
    with open(path, encoding=options.get("encoding") or "utf-8") as file:
        if by == "line":
            end = "" if options.get("keep_linebreaks") else "\n"
            # not splitlines: in texts there are more marks that it would take for the end of a line
            return [{"text": line.removesuffix(end)} for line in file]
        text = file.read()
    return [{"text": text}] if by == "document" else [{"text": part} for part in text.split("\n\n") if part]


_READERS = {"json": _json_rows, "csv": _csv_rows, "text": _text_rows}


def _of_folder(builder, files, options):
    """Folders of pictures or sounds: a table beside them names more columns, else the folders' names are labels where there are several."""
    column, feature = ("image", Image()) if builder == "imagefolder" else ("audio", Audio())
    found = {}
    tables, labels, depths = {}, set(), set()
    for split, some in files.items():
        for path in some:
            if os.path.basename(path) in ("metadata.csv", "metadata.jsonl"):
                rows = (_csv_rows if path.endswith(".csv") else _json_rows)(path, options)
                tables.setdefault(split, []).extend((os.path.dirname(path), row) for row in rows)
            elif kind_of(path) == builder:
                labels.add(os.path.basename(os.path.dirname(path)))
                depths.add(path.count(os.sep))
    drops = options.get("drop_labels")
    is_labelled = not tables and (len(labels) > 1 and len(depths) == 1 if drops is None else not drops)
    names = sorted(labels)
    for split, some in files.items():
        if tables:
            found[split] = (*_described(column, feature, tables.get(split, [])), builder)
            continue
        paths = [path for path in some if kind_of(path) == builder]
        features = Features({column: feature})
        extra = [{} for _ in paths]
        if is_labelled:
            extra = [{"label": names.index(os.path.basename(os.path.dirname(path)))} for path in paths]
            features["label"] = ClassLabel(names=names)
        found[split] = (Rows(len(paths), _opened(column, feature, paths, extra)), features, builder)
    return found


def _opened(column, feature, paths, extra):
    return lambda at: {column: feature.opened(paths[at]), **extra[at]}


def _described(column, feature, rows):
    """The rows of a table, each with its folder: a column whose name ends in `file_name` is the file beside it."""
    if not rows:
        return Rows(0, None), Features({column: feature})
    files = {name: name[: -len("_file_name")] or column for name in rows[0][1] if f"_{name}".endswith("_file_name")}
    if not files:
        raise ValueError(
            "`file_name` or `*_file_name` must be present as dictionary key (with type string) in metadata files"
        )
    plain = Features.of(rows[0][1])
    features = Features({files.get(name, name): feature if name in files else kind for name, kind in plain.items()})

    def get(at):
        place, row = rows[at]
        beside = lambda name: feature.opened(os.path.join(place, row[name]))  # noqa: E731
        return {files.get(name, name): beside(name) if name in files else row[name] for name in row}

    return Rows(len(rows), get), features

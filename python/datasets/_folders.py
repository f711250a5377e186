"""Folders of pictures, as the builder `imagefolder` reads them: labels from the folders' names, other columns from metadata beside the pictures."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from ._dataset import Dataset
from ._features import ClassLabel, Features, Image
from ._rows import Rows
from ._splits import DatasetDict

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".ppm", ".pgm")
_METADATA = ("metadata.jsonl", "metadata.csv")
# words in names of folders, or of files where no folder has one, by the split that they mean
_SPLITS = {
    "train": ("train", "training"),
    "validation": ("validation", "valid", "dev", "val"),
    "test": ("test", "testing", "eval", "evaluation"),
}
_APART = re.compile(r"[-._ 0-9]+")


def picture_folders(path: str, data_dir: str | None, files: dict | None, readers: dict[str, Callable]) -> Any:
    """The data sets by split; None where the builder is not meant and most files are no pictures."""
    if path != "imagefolder" and not os.path.isdir(path):
        return None
    if files is not None:
        parts = {split: _expanded(path, data_dir, names) for split, names in files.items()}
    else:
        folder = data_dir if path == "imagefolder" else os.path.join(path, data_dir or "")
        parts = _by_split(folder) if folder and os.path.isdir(folder) else {}
    everything = [one for paths in parts.values() for one in paths]
    kinds = Counter("picture" if _is_picture(one) else os.path.splitext(one)[1] for one in everything)
    if not kinds["picture"] or (path != "imagefolder" and kinds.most_common(1)[0][0] != "picture"):
        return None
    tables = {one for one in everything if os.path.basename(one) in _METADATA}
    pictures = [one for one in everything if _is_picture(one)]
    labels = sorted({os.path.basename(os.path.dirname(one)) for one in pictures})
    is_labelled = not tables and len(labels) > 1 and len({one.count("/") for one in pictures}) == 1
    make = partial(_described, readers=readers) if tables else partial(_bare, labels=labels if is_labelled else None)
    found = {split: make(paths, split) for split, paths in parts.items()}
    return DatasetDict({split: rows.come_from("imagefolder", path, "default") for split, rows in found.items()})


def _is_picture(path):
    return path.lower().endswith(_PICTURES)


def _expanded(path, data_dir, names):
    below = data_dir or ("" if path == "imagefolder" else path)
    found = [glob.glob(os.path.join(below, os.fspath(name)), recursive=True) for name in names]
    return [os.path.normpath(one) for several in found for one in sorted(several) if os.path.isfile(one)]


def _by_split(folder):
    """Files of a folder by the splits that names tell; where none does, all are for training."""
    files = sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
    words = lambda text: set(_APART.split(text))  # noqa: E731
    for named in (os.path.dirname, os.path.basename):
        told = {one: words(named(os.path.relpath(one, folder)).replace("/", " ")) for one in files}
        found = {split: [one for one in files if told[one].intersection(keys)] for split, keys in _SPLITS.items()}
        if any(found.values()):
            return {split: paths for split, paths in found.items() if paths}
    return {"train": files}


def _picture(path):
    import PIL.Image

    return PIL.Image.open(path)


def _bare(paths, split, labels):
    """Pictures, and the number of their folder's name among `labels`."""
    paths = [one for one in paths if _is_picture(one)]
    columns = Features({"image": Image()})
    if labels is None:
        return Dataset(Rows(len(paths), lambda at: {"image": _picture(paths[at])}), columns, split)
    columns["label"] = ClassLabel(names=labels)
    number = lambda at: labels.index(os.path.basename(os.path.dirname(paths[at])))  # noqa: E731
    return Dataset(Rows(len(paths), lambda at: {"image": _picture(paths[at]), "label": number(at)}), columns, split)


def _described(paths, split, readers):
    """The rows of metadata: a column whose name ends in `file_name` is the picture beside it."""
    rows = []
    for table in (one for one in paths if os.path.basename(one) in _METADATA):
        rows += [(os.path.dirname(table), row) for row in readers[os.path.splitext(table)[1]](table)]
    if not rows:
        return Dataset(Rows(0, None), Features({"image": Image()}), split)
    named = [name for name in rows[0][1] if f"_{name}".endswith("_file_name")]
    pictures = {name: name[: -len("_file_name")] or "image" for name in named}
    if not pictures:
        raise ValueError(
            "`file_name`, `*_file_name`, `file_names` or `*_file_names` must be present as dictionary key in metadata files"
        )
    plain = Features.of(rows[0][1])
    columns = Features(
        {pictures.get(name, name): Image() if name in pictures else kind for name, kind in plain.items()}
    )

    def get(at):
        folder, row = rows[at]
        beside = lambda name: _picture(os.path.join(folder, row[name]))  # noqa: E731
        return {pictures.get(name, name): beside(name) if name in pictures else row[name] for name in row}

    return Dataset(Rows(len(rows), get), columns, split)

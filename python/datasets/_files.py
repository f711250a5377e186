"""Which files hold which split of a data set, and of which kind they are, as datasets/data_files.py finds them."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any


# kinds of files by the name of the builder that reads them
KINDS = {
    "json": (".json", ".jsonl"),
    "csv": (".csv", ".tsv"),
    "text": (".txt",),
    "parquet": (".parquet",),
    "imagefolder": (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".ppm"),
    "audiofolder": (".wav", ".flac", ".mp3", ".ogg", ".opus"),
}
# kinds whose rows are the files themselves
FOLDERS = ("imagefolder", "audiofolder")
_WORDS = {
    "train": ("train", "training"),
    "validation": ("validation", "valid", "dev", "val"),
    "test": ("test", "testing", "eval", "evaluation"),
}
_BETWEEN = "[-._ 0-9]"
_IGNORED = ("README.md", "config.json", "dataset_info.json", "dataset_infos.json")


def kind_of(path: Any) -> str | None:
    return next((kind for kind, endings in KINDS.items() if str(path).lower().endswith(endings)), None)


def files_of(path: Any, name: str | None, data_dir: str | None, data_files: Any) -> dict[str, list[str]] | None:
    """Files by split; None where the program named none and its folder holds none. What is not there keeps its own name."""
    if data_files is not None:
        folder = str(data_dir or (path if os.path.isdir(str(path)) else ""))
        return {split: _found(names, folder) for split, names in _by_split(data_files).items()}
    folder = data_dir or path
    if not isinstance(folder, (str, os.PathLike)) or not os.path.isdir(folder):
        return {"train": [str(path)]} if os.path.isfile(path) else None
    said = _said(str(folder), name)
    if said is not None:
        return {split: _found(names, str(folder)) for split, names in _by_split(said).items()}
    return _splits(str(folder))


def _by_split(files):
    if isinstance(files, dict):
        return files
    if isinstance(files, list) and files and isinstance(files[0], dict):
        return {str(entry["split"]): entry["path"] for entry in files}
    return {"train": files}


def _found(names, folder):
    names = [names] if isinstance(names, (str, os.PathLike)) else list(names)
    return [path for one in names for path in _matches(os.path.join(folder, one))]


def _matches(pattern):
    return [path for path in sorted(glob.glob(pattern, recursive=True)) if os.path.isfile(path)] or [pattern]


def _said(folder, name):
    """What the card of a data set says of its files, for the configuration `name`."""
    try:
        with open(f"{folder}/README.md", encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return None
    head = re.match(r"---\n(.*?)\n---", text, re.DOTALL)
    if head is None or "configs:" not in head[1]:
        return None
    import yaml

    configs = (yaml.safe_load(head[1]) or {}).get("configs") or []
    wanted = name or "default"
    chosen = [one for one in configs if one.get("config_name") == wanted] or (configs if len(configs) == 1 else [])
    return chosen[0].get("data_files") if chosen else None


def _splits(folder):
    """Split by the words in the names of folders, else of files; all is training data where no name says otherwise."""
    paths = []
    for place, _, names in os.walk(folder):
        inner = os.path.relpath(place, folder)
        if inner != "." and any(part.startswith((".", "__")) for part in inner.split(os.sep)):
            continue
        paths += [os.path.join(place, one) for one in names if one not in _IGNORED and one[0] != "."]
    paths.sort()
    kinds = Counter(kind for path in paths if (kind := kind_of(path)) is not None)
    if not kinds:
        return None
    most = kinds.most_common(1)[0][0]
    if most not in FOLDERS:
        paths = [path for path in paths if kind_of(path) == most]
    parts = {path: os.path.relpath(path, folder).split(os.sep) for path in paths}
    for is_in in (_in_folder, _in_name):
        splits = {split: [path for path in paths if is_in(parts[path], words)] for split, words in _WORDS.items()}
        splits = {split: found for split, found in splits.items() if found}
        if splits:
            return splits
    return {"train": paths}


def _in_folder(parts, words):
    pattern = rf"(?:.*{_BETWEEN})?(?:{'|'.join(words)})(?:{_BETWEEN}.*)?"
    return any(re.fullmatch(pattern, part) for part in parts[:-1])


def _in_name(parts, words):
    return re.fullmatch(rf"(?:.*{_BETWEEN})?(?:{'|'.join(words)}){_BETWEEN}.*", parts[-1]) is not None

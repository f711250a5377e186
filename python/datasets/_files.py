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
    """Files by split; None where the program named none and its folder holds none. A split of which one is not there has none."""
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
    found = [_matches(os.path.join(folder, one)) for one in names]
    return [path for some in found for path in some] if all(found) else []


def _matches(pattern):
    return [path for path in sorted(glob.glob(pattern, recursive=True)) if os.path.isfile(path)]


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
    kinds = {path: kind_of(path) for path in sorted(paths)}
    counts = Counter(kind for kind in kinds.values() if kind is not None)
    if not counts:
        return None
    most = counts.most_common(1)[0][0]
    paths = [path for path, kind in kinds.items() if most in FOLDERS or kind == most]
    # a folder of a million pictures has few folders: what their names tell is asked once
    of_folder = {
        place: _told(os.path.relpath(place, folder).split(os.sep), _IN_FOLDER)
        for place in {*map(os.path.dirname, paths)}
    }
    for told in (lambda path: of_folder[os.path.dirname(path)], lambda path: _told([os.path.basename(path)], _IN_NAME)):
        splits = {}
        for path in paths:
            for split in told(path):
                splits.setdefault(split, []).append(path)
        if splits:
            return {split: splits[split] for split in _WORDS if split in splits}
    return {"train": paths}


def _patterns(rest):
    """Names with one of a split's words, and `rest` behind it."""
    before = f"(?:.*{_BETWEEN})?"
    return {split: re.compile(f"{before}(?:{'|'.join(words)}){rest}") for split, words in _WORDS.items()}


_IN_FOLDER, _IN_NAME = _patterns(f"(?:{_BETWEEN}.*)?"), _patterns(f"{_BETWEEN}.*")


def _told(names, patterns):
    return [split for split, pattern in patterns.items() if any(map(pattern.fullmatch, names))]

"""Folders of models that are not there: what a person fetched before the program runs is told by the folder's name, as an id of the hub is."""

from __future__ import annotations

import io
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_OURS = ("/lib/", "/proc/", "/dev/", "/site-packages/", "/python-path/")
# a part that an index names; each is made when somebody asks for it
_SHARD = re.compile(r"model-(\d{5})-of-(\d{5})\.safetensors")
# a name without a digit, a hyphen or an underscore is that of any folder
_TELLING = re.compile(r"[a-zA-Z].*[\d_-]|[\d_-].*[a-zA-Z]")
# a name that ends in letters behind a point is a file's: models have numbers there, `opt-1.3b`
_FILE = re.compile(r"\.[a-zA-Z]+")
_ID_OR_FOLDER = re.compile(r"(?:path|name|id)_or_\w*(?:path|name|id|dir)|model_(?:name|path|id|dir)|pretrained_\w+")
_filled = {}


def is_asked_for(path: str, frame: Any) -> bool:
    """Whether a library asks if a path is a folder before it takes it for an id of the hub: its argument is called so."""
    if frame is None or not is_path(path) or not frame.f_code.co_filename.startswith(_OURS):
        return False
    code = frame.f_code
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return any(_ID_OR_FOLDER.fullmatch(name) and str(frame.f_locals.get(name)) == path for name in arguments)


def is_path(repo_id: Any) -> bool:
    """Whether what stands for an id of the hub can only be a path."""
    return isinstance(repo_id, str) and (repo_id.startswith(("/", ".", "~")) or repo_id.strip("/").count("/") > 1)


def fill(path: Any) -> bool:
    """Makes a folder that is not there and has the name of a model that is known here, with the model's files; whether it is there now."""
    folder = _full(path)
    name = os.path.basename(folder)
    if folder in _filled:
        return os.path.isdir(folder)
    is_file = _FILE.fullmatch(os.path.splitext(name)[1]) is not None
    if folder.startswith(_OURS) or os.path.lexists(folder) or is_file or _TELLING.search(name) is None:
        return False
    from vramscope_hub._published import is_bundled

    # what is asked of the folder while its files are made is no question of the program
    _filled[folder] = None
    if not is_bundled(name):
        return False
    from vramscope_hub._repositories import find, say

    repository = find(name, folder)
    if repository is None or "config.json" not in repository.files:
        return False
    say("hub_folder", name, folder=os.fspath(path))
    for file in repository.names(lambda _: True):
        _write(os.path.join(folder, file), repository.make(file))
    _filled[folder] = repository
    return True


def is_filled(path: Any) -> bool:
    """Whether a folder was made here with a model's files."""
    return _filled.get(_full(path)) is not None


def supply(path: Any) -> bool:
    """Puts a file that is not there in its place if its folder is a model's: `/models/Llama-2-7b-hf/config.json`; whether it did."""
    full = _full(path)
    folder, name = os.path.split(full)
    shard = _SHARD.fullmatch(name)
    if shard is None and not name.endswith((".json", ".safetensors")) or not fill(folder):
        return False
    whole = os.path.join(folder, "model.safetensors")
    if shard is not None and _filled.get(folder) is not None and os.path.exists(whole):
        with open(whole, "rb") as file:
            _write(full, _part(file.read(), int(shard[1]), int(shard[2])))
    return os.path.exists(full)


def _full(path):
    return os.path.normpath(os.path.join(os.getcwd(), os.path.expanduser(os.fspath(path))))


def _write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def _part(data, number, parts):
    """The header of one of so many files with about as many bytes each, tensors in their order."""
    from safetensors._format import header_of, read_header

    rows = read_header(io.BytesIO(data))
    about = rows.pop("__metadata__", None)
    sizes = {name: row["data_offsets"][1] - row["data_offsets"][0] for name, row in rows.items()}
    most = sum(sizes.values()) / parts
    end, mine = 0, []
    for name, row in rows.items():
        if min(int(end / most), parts - 1) == number - 1:
            mine.append((name, row["dtype"], row["shape"], sizes[name]))
        end += sizes[name]
    return header_of(mine, about)[0]

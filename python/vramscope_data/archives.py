"""An archive that is not there, as far as the module that opens it tells: pictures, and their labels in the file of dataset_tool.py."""

from __future__ import annotations

import io
import json
import re
import zipfile

from . import readers

_TAKES_PICTURES = re.compile(r"\bnamelist\(")
_PICTURES = re.compile(r"\bPIL\b|\bImage\.open|imread|imdecode")
_SIDES = re.compile(r"(\d{2,4})x\1(?!\d)")
_LABELS = "dataset.json"
_COUNT, _CLASSES = 1000, 10


def of(path: str) -> tuple[bytes, str] | None:
    """(bytes, words) of a ZIP file of pictures, whose sides the file's name may say (images-256x256.zip)."""
    from .contents import PHOTOGRAPH, png
    from .specs import Spec

    frame = readers.asker()
    text = "" if frame is None else readers.text_of(frame)
    if _TAKES_PICTURES.search(text) is None or _PICTURES.search(text) is None:
        return None
    side = _SIDES.search(path)
    sides = PHOTOGRAPH if side is None else (int(side[1]),) * 2
    picture, words = png(Spec("uint8", (3, *sides)))
    names = [f"{i // 1000:05}/img{i:08}.png" for i in range(_COUNT)]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, picture)
        if _LABELS in text:
            archive.writestr(_LABELS, json.dumps({"labels": [[name, i % _CLASSES] for i, name in enumerate(names)]}))
    return file.getvalue(), f"an archive of {_COUNT:,} pictures, each {words}"

"""The bytes of a placeholder by the ending of its name, and how the report calls it."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import struct
import sys
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING

from . import (
    archives,
    boxes,
    cameras,
    conversations,
    forms,
    lines,
    measures,
    published,
    published_arrays,
    published_checkpoints,
    published_gpt2,
    published_pickles,
    published_tables,
    readers,
    vectors,
)
from .specs import Spec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


MARK = ".placeholder"  # the one file of an archive that was not fetched
_MOST_BYTES = 256 * 2**20
_GUESSED = (100, 1000)  # rows and columns of an array that nobody describes
# shards of tokens as llm.c's dev/data/data_common.py writes them: magic, version and count in a header of 256 int32
_TOKENS_HEADER = 1024
_LONG = 32  # numbers of a text
_FEW = 100  # different numbers in a column
_RATE, _SECONDS = 22_050, 5  # usual for recorded speech
PHOTOGRAPH = (375, 500)  # ImageNet's usual height and width
IMAGES = (".jpg", ".jpeg", ".png", ".tif", ".tiff", ".bmp", ".gif", ".webp")
SOUNDS = (".wav", ".flac", ".mp3", ".ogg")
CHECKPOINTS = (".pt", ".pth", ".ckpt", ".th")
_CALLED_TAR = tuple(f"{ending}.tar" for ending in CHECKPOINTS)  # torch.save wrote them all the same
_WORDS = "the of and to in a is that for it as was with be by on not he this are or his from at which but have an had they".split()
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:!?'-"
_KEY = re.compile(r"[A-Za-z][\w -]{0,39}")
_NUMBERED = re.compile(r"label|target|class|index|idx|count|score|rating|num|(?:^|_)id$", re.IGNORECASE)
_LISTED = re.compile(r"endings|choices|options|candidates|alternatives", re.IGNORECASE)
_PICTURED = re.compile(r"image|img|photo|picture|file_?(?:path|name)|^f?path(?:_|$)", re.IGNORECASE)
_SEGMENTED = re.compile(r"seg(?:m|mentation)?(?:_|$)|mask|annot|label", re.IGNORECASE)
_FIELDS = ("text", "instruction", "input", "output", "prompt", "response", "question", "answer", "content", "sentence")


# what public data sets hold under names without an ending, in bytes
_KNOWN = {"enwik8": 100_000_000, "enwik9": 1_000_000_000, "text8": 100_000_000}


def _prose(count):
    """So many characters in lines of words; every letter occurs."""
    line = " ".join(_WORDS) + ".\n"
    start = f"{_LETTERS}\n"
    return (start + line * (count // len(line) + 1))[:count]


def _text(spec):
    listed = boxes.pictures() if spec is None else None
    if listed is not None:
        return listed
    parts = lines.parts() if spec is None else None
    if parts is not None:
        return lines.text(*parts, _WORDS[0] if parts[0] == " " else " ".join(_WORDS))
    count = spec.nbytes if spec is not None else 1_000_000
    return _prose(count).encode(), f"{count:,} characters of text"


def _binary(spec):
    count = spec.nbytes if spec is not None else 4_000_000
    headed = readers.header() if spec is None else None
    if headed is not None:
        items, dtype = headed
        tokens = count // Spec(dtype, (1,)).nbytes
        # after magic and version comes how many tokens there are
        items = {1: 1, 2: tokens, **items}
        header = struct.pack(f"<{max(items) + 1}i", *(items.get(i, 0) for i in range(max(items) + 1)))
        return header.ljust(_TOKENS_HEADER, b"\0") + bytes(count), f"a header and {tokens:,} tokens {dtype}, all 0"
    return bytes(count), f"{count:,} bytes of zeros"


def _records(spec):
    """Records with what such files usually have, and with what the program asks for by name."""
    count = spec.shape[0] if spec is not None else 1000
    asked = [key for key in readers.keys() if _KEY.fullmatch(key) and key not in _FIELDS]
    choices = readers.compared()
    numbers = {key: 0 for key in asked if _NUMBERED.search(key) and key not in choices}
    pictures = [key for key in asked if key not in numbers and key not in choices and _names_pictures(key)]
    prose = " ".join(_WORDS)
    lists = {key: [prose] * 4 for key in asked if _LISTED.fullmatch(key)}
    texts = dict.fromkeys((*_FIELDS, *(key for key in asked if key not in numbers)), prose)
    tensors = {key: _tensor_value(key) for key in readers.made_tensors() if key in asked}
    tensors |= conversations.of([*asked, *_FIELDS], readers.text(), prose)
    return [
        texts
        | {"label": 0, "id": i}
        | numbers
        # its folder and name say whether a picture is one of classes
        | {key: f"label_{i}.png" if _SEGMENTED.search(key) else f"{i}.jpg" for key in pictures}
        | lists
        | {key: values[i % len(values)] for key, values in choices.items()}
        | tensors
        for i in range(count)
    ]


def _tensor_value(key):
    """A list of numbers that a program makes a tensor of: one box, the ids of a text, one number of each other kind."""
    if "box" in key:
        return [[10, 10, 100, 100]]
    return [0] * 128 if re.search(r"ids|tokens|mask", key) else [0]


def _names_pictures(column):
    """Whether the rows of a column are files of pictures: as far as its name says so, in a program that reads any."""
    return _PICTURED.search(column) is not None and ("PIL" in sys.modules or "cv2" in sys.modules)


def is_numbered(name: str) -> bool:
    """Whether what has such a name holds one whole number for each row."""
    return _NUMBERED.search(name) is not None or name in ("y", "y_train", "y_test", "y_val")


def column(name: str, count: int) -> list:
    """Values of a column that a program asks a table for by a name that only its run knows."""
    if _NUMBERED.search(name):
        return [0] * count
    return [f"{i}.jpg" for i in range(count)] if _names_pictures(name) else [" ".join(_WORDS)] * count


def table(names: Sequence[str], numbered: Any = ()) -> list:
    """Rows of a table that nobody has, by the names that its reader gives to columns; `numbered` are those of small whole numbers."""
    return [
        [str(i % _FEW) if name in numbered else str(record.get(name, " ".join(_WORDS))) for name in names]
        for i, record in enumerate(_records(None))
    ]


def _json(spec):
    form = forms.of(readers.keys()) if spec is None else None
    if form is not None:
        return form
    kind = readers.items() if spec is None else None
    if kind is not None:
        made = {"pictures": lambda i: f"{i}.jpg", "lists": lambda i: [1] * _LONG, "numbers": lambda i: _LONG}[kind]
        return json.dumps([made(i) for i in range(1000)]).encode(), f"1,000 {'names of ' * (kind == 'pictures')}{kind}"
    records = _records(spec)
    parts = readers.of_object() if spec is None else {}
    if parts:
        # what is gone through holds records, what is not a number
        made = {name: records if is_list else 0 for name, is_list in parts.items()}
        return json.dumps(made).encode(), f"an object of {', '.join(parts)}"
    return json.dumps(records).encode(), f"{len(records):,} records of text"


def _lines(spec):
    records = _records(spec)
    return "".join(json.dumps(record) + "\n" for record in records).encode(), f"{len(records):,} records of text"


_LETTER = {"bool": "|b1", "uint8": "|u1", "int8": "|i1"}


def _npy(spec):
    if spec is None:
        axes = readers.axes()
        spec = Spec("uint16", (1_000_000,)) if axes < 2 else Spec("float32", (1000, *(16,) * (axes - 1)))
    kind = spec.dtype.rstrip("0123456789")
    size = spec.dtype[len(kind) :]
    descr = _LETTER.get(spec.dtype) or f"<{ {'uint': 'u', 'int': 'i', 'float': 'f'}[kind] }{int(size) // 8}"
    shape = f"({', '.join(map(str, spec.shape))}{',' if len(spec.shape) == 1 else ''})"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    return start + bytes(spec.nbytes), f"{spec.dtype} {'x'.join(map(str, spec.shape))}"


def checkpoint(spec: Any, path: str = "") -> tuple:
    """(bytes, words) of what torch.save wrote: a tensor; where nobody says so, a published file or a checkpoint that the model answers for."""
    import torch

    file = io.BytesIO()
    known = published_checkpoints.of(path) if spec is None else None
    if known is not None:
        torch.save(known[0], file)
        return file.getvalue() + MARK.encode(), known[1]
    arrays = readers.makes_tensors_of_arrays()
    if spec is None and arrays and not readers.loads_models():
        spec = Spec("float64", _GUESSED)
    if spec is None:
        from torch._checkpoint_answers import Checkpoint

        torch.save(Checkpoint("checkpoint"), file)
        return file.getvalue(), "a checkpoint; names and shapes are those of the model that loads it"
    words = f"{spec.dtype} {'x'.join(map(str, spec.shape))}"
    if arrays:
        import numpy

        torch.save(numpy.zeros(spec.shape, spec.dtype), file)
        return file.getvalue(), f"a NumPy array of {words}"
    torch.save(torch.zeros(spec.shape, dtype=getattr(torch, spec.dtype)), file)
    return file.getvalue(), words


def _jpeg(spec):
    """The header of a photograph, which is all that anybody reads here."""
    height, width = _image_size(spec)
    frame = struct.pack(">BBHBHHB", 0xFF, 0xC0, 17, 8, height, width, 3) + bytes([1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
    return b"\xff\xd8" + frame + b"\xff\xd9", f"an image of {width} x {height}"


# kinds of pixels of PNG: three numbers, one that is the number of a class, or four of which the last says how much is seen
_COLORS, _GRAY, _OPEN = 2, 0, 6
# what a picture of classes or its folder is called
_OF_CLASSES = re.compile(r"mask|label|annotation|segmentation|ground_?truth|(?:^|[/_])(?:seg|gt)", re.IGNORECASE)
# lists of the files of a part of a data set, as Pascal VOC has them
_OF_NAMES = re.compile(r"/(?:ImageSets|splits?|lists?)/(?:[^/]*/)*[^/]*(?:train|val|test)[^/]*$", re.IGNORECASE)
_NAMES = 1000


_PARTS = re.compile(r"train(?:ing)?|val(?:idation)?|test(?:ing)?|trainval", re.IGNORECASE)


def _own_place(path):
    """The name of a file and its folder, and the folder above where that is one of a part of the data alone."""
    parts = path.split("/")
    return "/".join(parts[-3 if len(parts) > 2 and _PARTS.fullmatch(parts[-2]) else -2 :])


def png(spec: Any, kind: int = _COLORS) -> tuple[bytes, str]:
    height, width = _image_size(spec)
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    parts = (header, b"IEND")
    made = b"".join(struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in parts)
    return b"\x89PNG\r\n\x1a\n" + made, f"an image of {width} x {height}"


def picture(side: int | None = None) -> bytes:
    """A picture in a file, with sides of so many pixels or those of a photograph."""
    return png(None if side is None else Spec("uint8", (3, side, side)))[0]


def _ppm(spec):
    """Pixels as they are, which is what such a file holds."""
    height, width = _image_size(spec)
    return f"P6\n{width} {height}\n255\n".encode() + bytes(3 * height * width), f"an image of {width} x {height}"


def _flow(spec):
    """How far each pixel of a picture moves, as Middlebury's files say it."""
    height, width = _image_size(spec)
    return struct.pack("<fii", 202021.25, width, height) + bytes(8 * height * width), f"a flow of {width} x {height}"


def _wav(spec):
    """Silence of one channel, 16 bits."""
    count = spec.shape[0] if spec is not None else _SECONDS * _RATE
    header = struct.pack("<4sIHHIIHH4sI", b"fmt ", 16, 1, 1, _RATE, 2 * _RATE, 2, 16, b"data", 2 * count)
    data = b"RIFF" + struct.pack("<I", 4 + len(header) + 2 * count) + b"WAVE" + header + bytes(2 * count)
    return data, f"{count:,} samples of silence, {_RATE:,} a second"


def _image_size(spec):
    if spec is not None and len(spec.shape) > 1:
        return spec.shape[-2:]
    side = measures.resolution()
    return PHOTOGRAPH if side is None else (side, side)


def _table(separator):
    def make(spec):
        if spec is None and measures.wanted():
            names, found = measures.table(key for key in readers.keys() if _KEY.fullmatch(key))
            lines = [separator.join(map(str, row)) for row in (names, *found)]
            return "".join(f"{line}\n" for line in lines).encode(), f"{len(found):,} rows of {len(names)} numbers"
        rows = [{**record, "text": f"{i} {record['text']}"} for i, record in enumerate(_records(spec))]
        lines = [separator.join(rows[0]), *(separator.join(map(str, row.values())) for row in rows)]
        return "".join(f"{line}\n" for line in lines).encode(), f"{len(rows):,} rows of text"

    return make


def numbers(spec: Any, separator: str) -> tuple:
    """A table of whole numbers: its first column counts, so that tables can name each other's rows, the others are small."""
    rows, columns = (*spec.shape, 1)[:2] if spec is not None else (1000, 16)
    lines = (separator.join([str(i), *(str((i + j) % 10) for j in range(1, columns))]) for i in range(rows))
    return "".join(f"{line}\n" for line in lines).encode(), f"{rows:,} rows of {columns} whole numbers"


def _zip(spec):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(MARK, b"")
    return file.getvalue(), "an archive of nothing"


def _tar(mode):
    def make(spec):
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode=mode) as archive:
            archive.addfile(tarfile.TarInfo(MARK))
        return file.getvalue(), "an archive of nothing"

    return make


_MAKERS = {
    ".txt": _text, ".text": _text, ".md": _text, ".bin": _binary, ".dat": _binary, ".raw": _binary, ".json": _json,
    ".jsonl": _lines, ".ndjson": _lines, ".npy": _npy, ".pt": checkpoint, ".pth": checkpoint, ".ckpt": checkpoint, ".th": checkpoint,
    ".wav": _wav, ".jpg": _jpeg, ".jpeg": _jpeg, ".png": png, ".tif": png, ".tiff": png, ".bmp": png, ".gif": png, ".webp": png, ".ppm": _ppm, ".flo": _flow, ".csv": _table(","), ".tsv": _table("\t"), ".zip": _zip,
    ".npz": _zip, ".parquet": lambda spec: (b"PAR1PAR1", "a table"), ".tar": _tar("w"), ".tgz": _tar("w:gz"),
}  # fmt: skip
_ROWS = (".csv", ".tsv", ".txt")  # what is called metadata there is one row for each sample
# what these hold decides what a program does, and nobody can guess it
_SETTINGS = tuple("config setting param args state requirements vocab token index meta version".split())

_DECIDING = tuple(".yaml .yml .toml .ini .cfg .conf .py .sh .names .data .xml .html .jinja .model .lock".split())


def decides_nothing(path: str) -> bool:
    """Whether a file has an ending, and neither that nor its name says that what it holds decides what a program does."""
    name = os.path.basename(path).lower()
    ending = os.path.splitext(name)[1]
    return ending not in ("", *_DECIDING, *_MAKERS) and not any(word in name for word in _SETTINGS)


def has_kind(ending: Any) -> bool:
    """Whether an ending says what a file holds."""
    return ending in _MAKERS


def text(path: str, spec: Any) -> tuple[bytes, str] | None:
    """What a program reads as text, where neither name nor ending says that it decides what the program does."""
    name = os.path.basename(path).lower()
    ending = os.path.splitext(name)[1]
    if ending in ("", *_DECIDING) or ending in _MAKERS or any(word in name for word in _SETTINGS):
        return None
    return (vectors.of(path) if spec is None else None) or _text(spec)


def of(path: str, spec: Any) -> Any:
    """(bytes, words) of a placeholder, or None where nobody can tell what the file holds."""
    name = os.path.basename(path).lower()
    ending = os.path.splitext(name)[1]
    if spec is not None:
        maker = _text if spec.dtype == "text" else _MAKERS.get(ending, _binary)
        return None if spec.nbytes > _MOST_BYTES else maker(spec)
    if ending == ".gz":
        made = _tar("w:gz")(None) if name.endswith(".tar.gz") else of(path[: -len(ending)], None)
        return made if made is None or name.endswith(".tar.gz") else (gzip.compress(made[0], 1), made[1])
    if name in _KNOWN:
        return _text(Spec("text", (min(_KNOWN[name], _MOST_BYTES),)))
    if name.endswith(_CALLED_TAR) or _MAKERS.get(ending) is checkpoint:
        return checkpoint(None, path)
    if name == published.NAME:
        return published.settings(path)
    if cameras.NAME.fullmatch(name) and "transform_matrix" in readers.keys():
        return cameras.of(name)
    known = archives.of(path) if ending == ".zip" else None
    known = known or published_gpt2.of(path) or published_tables.of(path) or published_pickles.of(path)
    if known is not None:
        return known
    if ending == ".txt" and boxes.is_listed(path):
        return boxes.beside()
    if ending == ".txt" and (found := vectors.of(path)) is not None:
        return found
    if ending == ".xml":
        return boxes.of(*PHOTOGRAPH)
    named = name.replace("meta", "") if ending in _ROWS else name
    if ending not in _MAKERS or any(word in named for word in _SETTINGS):
        return None
    if cameras.PICTURE.search(path):
        return png(Spec("uint8", (4, cameras.SIDE, cameras.SIDE)), _OPEN)
    if ending in IMAGES and readers.of_digits(path):
        return png(Spec("uint8", (1, 28, 28)), _GRAY)
    if ending == ".png" and _OF_CLASSES.search(_own_place(path)):
        return png(None, _GRAY)
    if ending == ".txt" and _OF_NAMES.search(path):
        first = zlib.crc32(name.encode()) % 900 * _NAMES  # no two parts of a data set share a file
        return "".join(f"{i:06}\n" for i in range(first, first + _NAMES)).encode(), f"{_NAMES:,} names of files"
    data, words = _MAKERS[ending](None)
    arrays = published_arrays.of(path)
    return data, f"the {len(arrays)} arrays of the published file" if arrays else words

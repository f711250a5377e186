"""The bytes of a placeholder by the ending of its name, and how the report calls it."""

import json
import os
import struct

_MOST_BYTES = 256 * 2**20
_WORDS = "the of and to in a is that for it as was with be by on not he this are or his from at which but have an had they".split()
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:!?'-"
_FIELDS = ("text", "instruction", "input", "output", "prompt", "response", "question", "answer", "content", "sentence")


def _prose(count):
    """So many characters in lines of words; every letter occurs."""
    line = " ".join(_WORDS) + ".\n"
    start = f"{_LETTERS}\n"
    return (start + line * (count // len(line) + 1))[:count]


def _text(spec):
    count = spec.nbytes if spec is not None else 1_000_000
    return _prose(count).encode(), f"{count:,} characters of text"


def _binary(spec):
    count = spec.nbytes if spec is not None else 4_000_000
    return bytes(count), f"{count:,} bytes of zeros"


def _records(spec):
    count = spec.shape[0] if spec is not None else 1000
    return [dict.fromkeys(_FIELDS, " ".join(_WORDS)) | {"label": 0, "id": i} for i in range(count)]


def _json(spec):
    records = _records(spec)
    return json.dumps(records).encode(), f"{len(records):,} records of text"


def _lines(spec):
    records = _records(spec)
    return "".join(json.dumps(record) + "\n" for record in records).encode(), f"{len(records):,} records of text"


_LETTER = {"bool": "|b1", "uint8": "|u1", "int8": "|i1"}


def _npy(spec):
    if spec is None:
        return None
    kind = spec.dtype.rstrip("0123456789")
    size = spec.dtype[len(kind) :]
    descr = _LETTER.get(spec.dtype) or f"<{ {'uint': 'u', 'int': 'i', 'float': 'f'}[kind] }{int(size) // 8}"
    shape = f"({', '.join(map(str, spec.shape))}{',' if len(spec.shape) == 1 else ''})"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    return start + bytes(spec.nbytes), f"{spec.dtype} {'x'.join(map(str, spec.shape))}"


def _tensor(spec):
    """What torch.save wrote: a tensor."""
    if spec is None:
        return None
    import io

    import torch

    file = io.BytesIO()
    torch.save(torch.zeros(spec.shape, dtype=getattr(torch, spec.dtype)), file)
    return file.getvalue(), f"{spec.dtype} {'x'.join(map(str, spec.shape))}"


_MAKERS = {
    ".txt": _text, ".text": _text, ".md": _text, ".bin": _binary, ".dat": _binary, ".raw": _binary, ".json": _json,
    ".jsonl": _lines, ".ndjson": _lines, ".npy": _npy, ".pt": _tensor, ".pth": _tensor,
}  # fmt: skip
# what these hold decides what a program does, and nobody can guess it
_SETTINGS = (
    "config",
    "setting",
    "param",
    "args",
    "state",
    "requirements",
    "vocab",
    "token",
    "index",
    "meta",
    "version",
)


def of(path, spec):
    """(bytes, words) of a placeholder, or None where nobody can tell what the file holds."""
    name = os.path.basename(path).lower()
    ending = os.path.splitext(name)[1]
    if spec is not None:
        maker = _text if spec.dtype == "text" else _MAKERS.get(ending, _binary)
        return None if spec.nbytes > _MOST_BYTES else maker(spec)
    if ending not in _MAKERS or any(word in name for word in _SETTINGS):
        return None
    return _MAKERS[ending](None)

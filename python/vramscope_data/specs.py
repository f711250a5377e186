"""What `--data NAME=SPEC` says of a file: `uint16[10M]`, `float32[1000x3]`, `3x224x224[50000]`, `text[1M]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_FACTORS = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9}
_BYTES = {
    "uint8": 1, "int8": 1, "bool": 1, "uint16": 2, "int16": 2, "float16": 2, "bfloat16": 2, "uint32": 4, "int32": 4,
    "float32": 4, "int64": 8, "uint64": 8, "float64": 8,
}  # fmt: skip


class Spec:
    """A dtype, or `text`, and a shape."""

    def __init__(self, dtype: Any, shape: Any) -> None:
        self.dtype, self.shape = dtype, shape

    @property
    def nbytes(self) -> Any:
        count = 1
        for size in self.shape:
            count *= size
        return count * _BYTES.get(self.dtype, 1)


def _size(text):
    found = re.fullmatch(r"(\d+)([kKMG]?)", text)
    if found is None:
        raise ValueError(text)
    return int(found[1]) * _FACTORS[found[2]]


def parse(text: str) -> Spec:
    """A specification; ValueError for one that is none."""
    found = re.fullmatch(r"([a-z]+\d*)?(?::)?((?:\d+[kKMG]?x?)*)\[([^\]]*)\]", text.strip())
    if found is None or (found[1] is not None and found[1] not in (*_BYTES, "text")):
        raise ValueError(
            f"--data needs NAME=SPEC such as train.bin=uint16[10M] or images.npy=3x224x224[50000], not {text!r}"
        )
    outer = [_size(part) for part in found[3].split("x") if part]
    inner = [_size(part) for part in found[2].split("x") if part]
    return Spec(found[1] or "float32", (*outer, *inner))

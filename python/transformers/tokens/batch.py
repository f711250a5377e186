"""What a tokenizer gives: lists or tensors by name. transformers/tokenization_utils_base.py: BatchEncoding"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any, Self


class BatchEncoding(dict):
    """Names are attributes, too; what the tokenizer found besides is told of each text."""

    def __init__(self, data: Any = (), encoding: Any = (), side: str = "right", **_: Any) -> None:
        super().__init__(data or {})
        self.__dict__.update(_encodings=list(encoding or ()), _side=side)

    @property
    def encodings(self) -> list | None:
        return self._encodings or None

    is_fast = property(lambda self: bool(self._encodings))

    def _of(self, field, batch_index, filler):
        """A list of one text, as long as its row of ids is."""
        if not self._encodings:
            raise ValueError(f"{field}() is not available when using non-fast tokenizers")
        found = list(getattr(self._encodings[batch_index], field))
        ids = self["input_ids"]
        row = ids[batch_index] if len(ids) and hasattr(ids[0], "__len__") else ids
        missing = [filler] * (len(row) - len(found))
        return missing + found if self._side == "left" else found + missing

    def tokens(self, batch_index: int = 0) -> list[str]:
        return self._of("tokens", batch_index, "[PAD]")

    def word_ids(self, batch_index: int = 0) -> list[int | None]:
        return self._of("word_ids", batch_index, None)

    def sequence_ids(self, batch_index: int = 0) -> list[int | None]:
        return self._of("sequence_ids", batch_index, None)

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(name)

    @property
    def data(self) -> dict:
        return dict(self)

    def to(self, device: Any, non_blocking: bool = False) -> Self:
        """Moves the tensors."""
        for name, value in self.items():
            if isinstance(value, torch.Tensor):
                self[name] = value.to(device, non_blocking=non_blocking)
        return self


def padded(rows: dict, side: str, length: int, pads: dict) -> dict:
    """Rows of one text or of many, filled up to `length` with each name's own value."""

    def fill(row, value):
        missing = [value] * (length - len(row))
        return missing + row if side == "left" else row + missing

    return {name: [fill(row, pads.get(name, 0)) for row in each] for name, each in rows.items()}


def as_tensors(rows: dict, kind: str | None, encodings: Any = (), side: str = "right") -> BatchEncoding:
    """`kind`: None, "pt" or "np". ValueError where rows differ in length."""
    if kind is None:
        return BatchEncoding(rows, encodings, side)
    if kind not in ("pt", "np"):
        raise ValueError(f"vramscope's stand-in for transformers makes tensors of 'pt' and 'np', not of {kind!r}")
    if any(len({len(row) for row in each if isinstance(row, list)}) > 1 for each in rows.values()):
        raise ValueError(
            "Unable to create tensor, you should probably activate truncation and/or padding with 'padding=True' 'truncation=True' "
            "to have batched tensors with the same length."
        )
    tensors = {name: torch.tensor(each, dtype=torch.int64) for name, each in rows.items()}
    made = tensors if kind == "pt" else {name: one.numpy() for name, one in tensors.items()}
    return BatchEncoding(made, encodings, side)

"""tokenizers.models: vocabularies. Their pieces are real; the order in which merges apply is not followed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ._parts import Part

if TYPE_CHECKING:
    from typing import Any


class Model(Part):
    """A vocabulary `{piece: id}`."""

    def __init__(self, vocab: Any = None, merges: Any = None, unk_token: Any = None, **options: Any) -> None:
        super().__init__(**options)
        if isinstance(vocab, str):
            with open(vocab, encoding="utf-8") as file:
                vocab = json.load(file) if vocab.endswith(".json") else {w.rstrip("\n"): i for i, w in enumerate(file)}
        if isinstance(vocab, (list, tuple)):
            vocab = {(entry[0] if isinstance(entry, (list, tuple)) else entry): i for i, entry in enumerate(vocab)}
        self._vocab, self._merges, self.unk_token = dict(vocab or {}), list(merges or ()), unk_token

    @classmethod
    def from_file(cls, vocab: Any, merges: Any = None, **options: Any) -> Any:
        return cls(vocab, **options)

    @staticmethod
    def read_file(vocab: Any, merges: Any = None) -> Any:
        with open(vocab, encoding="utf-8") as file:
            found = json.load(file) if vocab.endswith(".json") else {w.rstrip("\n"): i for i, w in enumerate(file)}
        return (found, []) if merges is not None else found

    def token_to_id(self, token: str) -> int | None:
        return self._vocab.get(token)

    def id_to_token(self, id: int) -> str | None:
        return next((t for t, i in self._vocab.items() if i == id), None)

    def get_trainer(self) -> Any:
        from . import trainers

        return trainers.BpeTrainer()

    def _json(self):
        return {"type": type(self).__name__, "unk_token": self.unk_token, "vocab": self._vocab, "merges": self._merges}

    def save(self, folder: str, prefix: str | None = None) -> list[str]:
        path = f"{folder}/{prefix + '-' if prefix else ''}vocab.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self._vocab, file, ensure_ascii=False)
        return [path]


class BPE(Model):
    """Pairs that are merged."""


class Unigram(Model):
    """Pieces with scores; `unk_id` says which stands for all else."""

    def __init__(self, vocab: Any = None, unk_id: Any = None, byte_fallback: bool = False, **options: Any) -> None:
        super().__init__(vocab, **options)
        self.unk_id, self.byte_fallback = unk_id, byte_fallback

    def _json(self):
        return {"type": "Unigram", "unk_id": self.unk_id, "vocab": [[piece, 0.0] for piece in self._vocab]}


class WordLevel(Model):
    """Whole words."""


class WordPiece(Model):
    """Words and what they go on with, marked by `##`."""

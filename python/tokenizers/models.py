"""tokenizers.models: vocabularies, with merges or scores where a model has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ._parts import Part

if TYPE_CHECKING:
    from typing import Any


def _read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else {w.rstrip("\n"): i for i, w in enumerate(file)}


class Model(Part):
    """A vocabulary `{piece: id}`."""

    # a training of ours gives likely pieces, without merges and scores
    _likely = False

    def __init__(self, vocab: Any = None, merges: Any = None, unk_token: Any = None, **options: Any) -> None:
        super().__init__(**options)
        if isinstance(merges, str):
            with open(merges, encoding="utf-8") as file:
                merges = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#version")]
        if isinstance(vocab, str):
            vocab = _read(vocab)
        self._scores = {}
        if isinstance(vocab, (list, tuple)):
            self._scores = {e[0]: float(e[1]) for e in vocab if isinstance(e, (list, tuple))}
            vocab = {(entry[0] if isinstance(entry, (list, tuple)) else entry): i for i, entry in enumerate(vocab)}
        self._vocab, self._merges, self.unk_token = dict(vocab or {}), list(merges or ()), unk_token

    def _option(self, name, default):
        found = getattr(self, name, None)
        return default if found is None else found

    @classmethod
    def from_file(cls, vocab: Any, merges: Any = None, **options: Any) -> Any:
        return cls(vocab, merges, **options)

    @staticmethod
    def read_file(vocab: Any, merges: Any = None) -> Any:
        read = Model(vocab, merges)
        return read._vocab if merges is None else (read._vocab, [tuple(m.split(" ", 1)) for m in read._merges])

    def token_to_id(self, token: str) -> int | None:
        return self._vocab.get(token)

    def id_to_token(self, id: int) -> str | None:
        return next((t for t, i in self._vocab.items() if i == id), None)

    def get_trainer(self) -> Any:
        from . import trainers

        return trainers.BpeTrainer()

    def _json(self):
        options = {k: v for k, v in super()._json().items() if k not in ("type", "unk_token")}
        whole = {"unk_token": self.unk_token, "vocab": self._vocab, "merges": self._merges}
        return {"type": type(self).__name__, **options, **whole}

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
        return {
            "type": "Unigram",
            "unk_id": self.unk_id,
            "byte_fallback": self.byte_fallback,
            "vocab": [[piece, self._scores.get(piece, 0.0)] for piece in self._vocab],
        }


class WordLevel(Model):
    """Whole words."""


class WordPiece(Model):
    """Words and what they go on with, marked by `##`."""

"""tokenizers.implementations: ready-made tokenizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import models
from ._tokenizer import Tokenizer

if TYPE_CHECKING:
    from typing import Any


class BaseTokenizer(Tokenizer):
    """A tokenizer with a model of its own."""

    _model = models.BPE

    def __init__(self, vocab: Any = None, merges: Any = None, *_: Any, unk_token: Any = None, **options: Any) -> None:
        super().__init__(self._model(vocab, unk_token=unk_token))
        self._parameters = options

    @classmethod
    def from_file(cls, vocab: Any, merges: Any = None, **options: Any) -> Any:
        return cls(vocab, **options)

    def train(
        self, files: Any, vocab_size: int = 30000, min_frequency: int = 2, special_tokens: tuple = (), **_: Any
    ) -> None:
        from . import trainers

        super().train(files, trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=list(special_tokens)))

    def train_from_iterator(
        self,
        iterator: Any,
        trainer: Any = None,
        length: Any = None,
        *,
        vocab_size: int = 30000,
        special_tokens: tuple = (),
        **_: Any,
    ) -> None:
        from . import trainers

        trainer = trainer or trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=list(special_tokens))
        super().train_from_iterator(iterator, trainer)

    def save_model(self, directory: str, prefix: str | None = None) -> Any:
        return self.model.save(directory, prefix)


class ByteLevelBPETokenizer(BaseTokenizer):
    """As GPT-2 has it."""


class CharBPETokenizer(BaseTokenizer):
    """As the first GPT had it."""


class SentencePieceBPETokenizer(BaseTokenizer):
    """As Llama has it."""


class SentencePieceUnigramTokenizer(BaseTokenizer):
    """As T5 has it."""

    _model = models.Unigram


class BertWordPieceTokenizer(BaseTokenizer):
    """As BERT has it."""

    _model = models.WordPiece

"""tokenizers.implementations: ready-made tokenizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import decoders, models, normalizers, pre_tokenizers, processors
from ._tokenizer import Tokenizer

if TYPE_CHECKING:
    from typing import Any


class BaseTokenizer(Tokenizer):
    """A tokenizer with a model of its own."""

    _model = models.BPE

    def __init__(self, vocab: Any = None, merges: Any = None, *_: Any, unk_token: Any = None, **options: Any) -> None:
        super().__init__(self._model(vocab, *(() if merges is None else (merges,)), unk_token=unk_token))
        self._parameters = options
        self._arrange(**options)

    def _arrange(self, **options):
        """Parts that belong to this one; without them its texts are split by likely pieces."""
        self.model._likely = True

    @classmethod
    def from_file(cls, vocab: Any, merges: Any = None, **options: Any) -> Any:
        return cls(vocab, merges, **options)

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

    def _arrange(self, add_prefix_space=False, lowercase=False, unicode_normalizer=None, trim_offsets=False, **_):
        changes = [getattr(normalizers, unicode_normalizer.upper())()] if unicode_normalizer else []
        changes += [normalizers.Lowercase()] if lowercase else []
        self.normalizer = normalizers.Sequence(changes) if changes else None
        self.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
        self.decoder, self.post_processor = decoders.ByteLevel(), processors.ByteLevel(trim_offsets=trim_offsets)


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

    def _arrange(self, clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True, **names):
        self.model.unk_token = self.model.unk_token or "[UNK]"
        self.normalizer = normalizers.BertNormalizer(clean_text, handle_chinese_chars, strip_accents, lowercase)
        self.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        sides = {n: str(names.get(f"{n}_token", f"[{n.upper()}]")) for n in ("sep", "cls")}
        tokens = (
            self.model.unk_token,
            *sides.values(),
            names.get("pad_token", "[PAD]"),
            names.get("mask_token", "[MASK]"),
        )
        self.add_special_tokens([str(t) for t in tokens if str(t) in self.model._vocab])
        if all(t in self.model._vocab for t in sides.values()):
            self.post_processor = processors.BertProcessing(*((t, self.model._vocab[t]) for t in sides.values()))

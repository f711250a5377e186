"""tokenizers.implementations: ready-made tokenizers."""

from . import models
from ._tokenizer import Tokenizer


class BaseTokenizer(Tokenizer):
    """A tokenizer with a model of its own."""

    _model = models.BPE

    def __init__(self, vocab=None, merges=None, *_, unk_token=None, **options):
        super().__init__(self._model(vocab, unk_token=unk_token))
        self._parameters = options

    @classmethod
    def from_file(cls, vocab, merges=None, **options):
        return cls(vocab, **options)

    def train(self, files, vocab_size=30000, min_frequency=2, special_tokens=(), **_):
        from . import trainers

        super().train(files, trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=list(special_tokens)))

    def train_from_iterator(self, iterator, trainer=None, length=None, *, vocab_size=30000, special_tokens=(), **_):
        from . import trainers

        trainer = trainer or trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=list(special_tokens))
        super().train_from_iterator(iterator, trainer)

    def save_model(self, directory, prefix=None):
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

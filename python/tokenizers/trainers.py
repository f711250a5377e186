"""tokenizers.trainers: what a vocabulary should hold."""

from ._parts import kinds

globals().update(
    kinds(__name__, "Trainer", dict.fromkeys("BpeTrainer UnigramTrainer WordLevelTrainer WordPieceTrainer".split(), ""))
)

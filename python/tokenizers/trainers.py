"""tokenizers.trainers: what a vocabulary should hold."""

from ._parts import kinds

_NAMES = "BpeTrainer UnigramTrainer WordLevelTrainer WordPieceTrainer"
globals().update(kinds(__name__, "Trainer", {}, _NAMES))

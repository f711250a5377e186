"""The tokenizers package: vocabularies are read, and texts become the ids that the compiled one gives.

Real: vocabularies, merges, scores, normalizers, cutting into words, added tokens, templates, padding, truncation. Not: training (likely
pieces), UnicodeScripts, offsets. Where a part is not followed, a text is split into the longest pieces of the
vocabulary, so that it may have a few ids more or fewer. The report says so.
"""

from typing import List, Tuple, Union

from . import decoders, models, normalizers, pre_tokenizers, processors, trainers
from ._encoding import AddedToken, Encoding, NormalizedString, PreTokenizedString, Regex, Token
from ._tokenizer import Tokenizer
from .implementations import (
    BertWordPieceTokenizer,
    ByteLevelBPETokenizer,
    CharBPETokenizer,
    SentencePieceBPETokenizer,
    SentencePieceUnigramTokenizer,
)

__version__ = "0.23.1"
Offsets = Tuple[int, int]
TextInputSequence = str
PreTokenizedInputSequence = Union[List[str], Tuple[str]]
InputSequence = Union[TextInputSequence, PreTokenizedInputSequence]
TextEncodeInput = PreTokenizedEncodeInput = EncodeInput = Union[InputSequence, Tuple[InputSequence, InputSequence]]
__all__ = [
    "AddedToken", "BertWordPieceTokenizer", "ByteLevelBPETokenizer", "CharBPETokenizer", "Encoding", "NormalizedString",
    "PreTokenizedString", "Regex", "SentencePieceBPETokenizer", "SentencePieceUnigramTokenizer", "Token", "Tokenizer", "decoders",
    "models", "normalizers", "pre_tokenizers", "processors", "trainers",
]  # fmt: skip

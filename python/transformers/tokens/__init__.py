"""Tokenizers of the short form: texts to ids by a folder's own vocabulary, or by placeholders of a published model's size."""

from .collating import (
    DataCollatorForLanguageModeling, DataCollatorForSeq2Seq, DataCollatorForTokenClassification, DataCollatorWithPadding,
    DefaultDataCollator, default_data_collator,
)  # fmt: skip
from .fast import AutoTokenizer, BatchEncoding, PreTrainedTokenizerFast

"""Batches of rows that a tokenizer made. transformers/data/data_collator.py"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any


class DataCollatorWithPadding:
    """Rows of different lengths as tensors [rows, longest]."""

    def __init__(self, tokenizer: Any, padding: Any = True, max_length: int | None = None, pad_to_multiple_of: int | None = None, return_tensors: str = "pt") -> None:  # fmt: skip
        self.tokenizer, self.padding, self.max_length = tokenizer, padding, max_length
        self.pad_to_multiple_of, self.return_tensors = pad_to_multiple_of, return_tensors

    def __call__(self, features: list) -> Any:
        batch = self.tokenizer.pad(
            features, self.padding, self.max_length, self.pad_to_multiple_of, return_tensors=self.return_tensors
        )
        for name in ("label", "label_ids"):
            if name in batch:
                batch["labels"] = batch.pop(name)
        return batch


class DataCollatorForLanguageModeling:
    """Labels are the ids themselves; with `mlm` those of a share of them, which are masked."""

    def __init__(self, tokenizer: Any, mlm: bool = True, mlm_probability: float = 0.15, pad_to_multiple_of: int | None = None, **_: Any) -> None:  # fmt: skip
        self.tokenizer, self.mlm, self.mlm_probability, self.multiple = (
            tokenizer,
            mlm,
            mlm_probability,
            pad_to_multiple_of,
        )
        if mlm and tokenizer.mask_token is None:
            raise ValueError(
                "This tokenizer does not have a mask token which is necessary for masked language modeling. You should pass `mlm=False` to "
                "train on causal language modeling instead."
            )

    def __call__(self, features: list) -> Any:
        rows = features if isinstance(features[0], dict) else [{"input_ids": row} for row in features]
        batch = self.tokenizer.pad(rows, pad_to_multiple_of=self.multiple, return_tensors="pt")
        batch.pop("special_tokens_mask", None)
        labels = batch["input_ids"].clone()
        if self.mlm:
            masked = torch.bernoulli(torch.full(labels.shape, self.mlm_probability)).bool()
            labels[~masked] = -100
            batch["input_ids"] = batch["input_ids"].masked_fill(masked, self.tokenizer.mask_token_id)
        elif self.tokenizer.pad_token_id is not None:
            labels[labels == self.tokenizer.pad_token_id] = -100
        batch["labels"] = labels
        return batch

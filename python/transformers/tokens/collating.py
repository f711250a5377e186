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


class DataCollatorForSeq2Seq:
    """Labels are rows of ids of their own, padded to the longest with what losses leave out."""

    def __init__(self, tokenizer: Any, model: Any = None, padding: Any = True, max_length: int | None = None, pad_to_multiple_of: int | None = None, label_pad_token_id: int = -100, return_tensors: str = "pt") -> None:  # fmt: skip
        self.tokenizer, self.model, self.padding, self.max_length = tokenizer, model, padding, max_length
        self.pad_to_multiple_of, self.label_pad_token_id, self.return_tensors = (
            pad_to_multiple_of,
            label_pad_token_id,
            return_tensors,
        )

    def __call__(self, features: list, return_tensors: str | None = None) -> Any:
        named = "labels" if "labels" in features[0] else "label"
        labels = [row[named] for row in features] if features[0].get(named) is not None else None
        rest = [{name: value for name, value in row.items() if name != named} for row in features]
        batch = self.tokenizer.pad(
            rest, self.padding, self.max_length, self.pad_to_multiple_of, return_tensors=self.return_tensors
        )
        if labels is None:
            return batch
        longest = self.max_length if self.padding == "max_length" else max(map(len, labels))
        multiple = self.pad_to_multiple_of or 1
        batch["labels"] = _padded(
            labels, -(-longest // multiple) * multiple, self.label_pad_token_id, self.tokenizer.padding_side
        )
        if hasattr(self.model, "prepare_decoder_input_ids_from_labels"):
            batch["decoder_input_ids"] = self.model.prepare_decoder_input_ids_from_labels(labels=batch["labels"])
        return batch


class DataCollatorForTokenClassification(DataCollatorForSeq2Seq):
    """A label for each id of a row, padded as far as the ids are."""

    def __init__(self, tokenizer: Any, padding: Any = True, max_length: int | None = None, pad_to_multiple_of: int | None = None, label_pad_token_id: int = -100, return_tensors: str = "pt") -> None:  # fmt: skip
        super().__init__(tokenizer, None, padding, max_length, pad_to_multiple_of, label_pad_token_id, return_tensors)


def _padded(rows, length, filler, side):
    rows = [list(row) for row in rows]
    filled = [[filler] * (length - len(row)) for row in rows]
    return torch.tensor([f + r if side == "left" else r + f for r, f in zip(rows, filled)], dtype=torch.int64)


def default_data_collator(features: list, return_tensors: str = "pt") -> dict:
    """Rows of one length, stacked; what is called a label becomes `labels`."""
    rows = [row if isinstance(row, dict) else vars(row) for row in features]
    batch = {}
    for name, value in rows[0].items():
        if value is None or isinstance(value, str):
            continue
        is_label = name in ("label", "label_ids")
        values = [row[name] for row in rows]
        if isinstance(value, torch.Tensor):
            made = torch.stack(values)
        elif is_label:
            first = value[0] if isinstance(value, (list, tuple)) else value
            made = torch.tensor(values, dtype=torch.float32 if isinstance(first, float) else torch.int64)
        else:
            made = torch.tensor(values)
        batch["labels" if is_label else name] = made
    return batch


class DefaultDataCollator:
    """The same as an object."""

    def __init__(self, return_tensors: str = "pt") -> None:
        self.return_tensors = return_tensors

    def __call__(self, features: list, return_tensors: str | None = None) -> dict:
        return default_data_collator(features)

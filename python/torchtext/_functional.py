"""torchtext.functional: numbers of words as tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def to_tensor(input: Any, padding_value: Any = None, dtype: torch.dtype = torch.long) -> Tensor:
    if padding_value is None or not input or not isinstance(input[0], list):
        return torch.tensor(input, dtype=dtype)
    longest = max(map(len, input))
    return torch.tensor([row + [padding_value] * (longest - len(row)) for row in input], dtype=dtype)


def truncate(input: Any, max_seq_len: int) -> Any:
    return [row[:max_seq_len] for row in input] if input and isinstance(input[0], list) else input[:max_seq_len]


def add_token(input: Any, token_id: Any, begin: bool = True) -> list:
    if input and isinstance(input[0], list):
        return [add_token(row, token_id, begin) for row in input]
    return [token_id, *input] if begin else [*input, token_id]

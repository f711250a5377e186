"""torchtext.functional: numbers of words as tensors."""

import torch


def to_tensor(input, padding_value=None, dtype=torch.long):
    if padding_value is None or not input or not isinstance(input[0], list):
        return torch.tensor(input, dtype=dtype)
    longest = max(map(len, input))
    return torch.tensor([row + [padding_value] * (longest - len(row)) for row in input], dtype=dtype)


def truncate(input, max_seq_len):
    return [row[:max_seq_len] for row in input] if input and isinstance(input[0], list) else input[:max_seq_len]


def add_token(input, token_id, begin=True):
    if input and isinstance(input[0], list):
        return [add_token(row, token_id, begin) for row in input]
    return [token_id, *input] if begin else [*input, token_id]

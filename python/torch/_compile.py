"""What keeps a function out of torch.compile, for those that use PyTorch's own names; nothing is compiled here."""

import functools
from collections.abc import Callable


def _disable_dynamo(fn: Callable | None = None, recursive: bool = True) -> Callable:
    return functools.partial(_disable_dynamo, recursive=recursive) if fn is None else fn

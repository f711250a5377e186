"""What keeps a function out of torch.compile, for those that use PyTorch's own names; nothing is compiled here."""

import functools


def _disable_dynamo(fn=None, recursive=True):
    return functools.partial(_disable_dynamo, recursive=recursive) if fn is None else fn

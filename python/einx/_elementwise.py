"""Elementwise operators: inputs are brought to the result's axes as views and broadcast."""

import torch

from ._pattern import aligned, expanded, parts, split


def _elementwise(name, operator):
    def function(pattern, *tensors, **sizes):
        inputs, result = split(pattern, len(tensors))
        inputs = [expanded(names, getattr(t, "ndim", 0)) for names, t in zip(inputs, tensors)]
        longest = max(
            (sum(n.startswith("...") for n in names) for names in inputs),
            default=0,
        )
        result = expanded(result, longest + len(result) - 1) if "..." in result else result
        order = [axis for group in result for axis in parts(group)]
        made = operator(*(aligned(t, names, order) for t, names in zip(tensors, inputs)))
        if len(order) == len(result):
            return made
        shape, at = [], 0
        for group in result:
            size = 1
            for _ in parts(group):
                size *= made.shape[at]
                at += 1
            shape.append(size)
        return made.reshape(shape)

    function.__name__ = function.__qualname__ = name
    return function


add = _elementwise("add", torch.add)
subtract = _elementwise("subtract", torch.subtract)
multiply = _elementwise("multiply", torch.multiply)
true_divide = divide = _elementwise("true_divide", torch.true_divide)
maximum = _elementwise("maximum", torch.maximum)
minimum = _elementwise("minimum", torch.minimum)
where = _elementwise("where", torch.where)
less = _elementwise("less", torch.lt)
greater = _elementwise("greater", torch.gt)
equal = _elementwise("equal", torch.eq)
logical_and = _elementwise("logical_and", torch.logical_and)
logical_or = _elementwise("logical_or", torch.logical_or)

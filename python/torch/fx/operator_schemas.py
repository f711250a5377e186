"""torch.fx.operator_schemas: arguments of a call as the signature names them."""

from collections import namedtuple

ArgsKwargsPair = namedtuple("ArgsKwargsPair", "args kwargs")


def normalize_function(target, args, kwargs=None, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
    from .node import Node

    return Node(None, "", "call_function", target, args, kwargs or {}).normalized_arguments(
        None, normalize_to_only_use_kwargs=normalize_to_only_use_kwargs
    )

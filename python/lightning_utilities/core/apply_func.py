"""A function over the members of nested collections."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def is_namedtuple(obj: Any) -> bool:
    return isinstance(obj, tuple) and hasattr(obj, "_asdict") and hasattr(obj, "_fields")


def is_dataclass_instance(obj: Any) -> Any:
    return dataclasses.is_dataclass(obj) and not isinstance(obj, type)


def apply_to_collection(
    data: Any,
    dtype: Any,
    function: Callable,
    *args: Any,
    wrong_dtype: Any = None,
    include_none: bool = True,
    allow_frozen: bool = False,
    **kwargs: Any,
) -> Any:
    """`data` with `function` applied to each member of type `dtype`; collections keep their kind."""
    if isinstance(data, dtype) and (wrong_dtype is None or not isinstance(data, wrong_dtype)):
        return function(data, *args, **kwargs)

    def inner(value):
        options = {"wrong_dtype": wrong_dtype, "include_none": include_none, "allow_frozen": allow_frozen}
        return apply_to_collection(value, dtype, function, *args, **options, **kwargs)

    def kept(values):
        return [v for v in values if include_none or v is not None]

    if isinstance(data, Mapping):
        pairs = [(key, inner(value)) for key, value in data.items()]
        pairs = [(key, value) for key, value in pairs if include_none or value is not None]
        if isinstance(data, defaultdict):
            return type(data)(data.default_factory, OrderedDict(pairs))
        return type(data)(OrderedDict(pairs))
    if is_namedtuple(data):
        return type(data)(*kept(map(inner, data)))
    if isinstance(data, Sequence) and not isinstance(data, str):
        return type(data)(kept(map(inner, data)))
    if is_dataclass_instance(data):
        made = copy(data)
        for field in dataclasses.fields(data):
            value = inner(getattr(data, field.name)) if field.init else getattr(data, field.name)
            if allow_frozen:
                object.__setattr__(made, field.name, value)
            else:
                setattr(made, field.name, value)
        return made
    return data


def apply_to_collections(
    data1: Any, data2: Any, dtype: Any, function: Callable, *args: Any, wrong_dtype: Any = None, **kwargs: Any
) -> Any:
    """`function` over pairs of members of two collections of the same form."""
    if data1 is None:
        data1, data2 = data2, None
    if isinstance(data1, dtype) and data2 is not None and (wrong_dtype is None or not isinstance(data1, wrong_dtype)):
        return function(data1, data2, *args, **kwargs)
    if data2 is None:
        return apply_to_collection(data1, dtype, function, *args, wrong_dtype=wrong_dtype, **kwargs)
    options = {"wrong_dtype": wrong_dtype, **kwargs}
    if isinstance(data1, Mapping):
        return type(data1)(
            (k, apply_to_collections(v, data2[k], dtype, function, *args, **options)) for k, v in data1.items()
        )
    if isinstance(data1, Sequence) and not isinstance(data1, str):
        made = [apply_to_collections(a, b, dtype, function, *args, **options) for a, b in zip(data1, data2)]
        return type(data1)(*made) if is_namedtuple(data1) else type(data1)(made)
    return data1

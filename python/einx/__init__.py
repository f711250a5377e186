"""einx over torch tensors, for patterns that say every axis: elementwise operators by names of axes, indexing, rearranging."""

from ._elementwise import add, divide, equal, greater, less, logical_and, logical_or, maximum, minimum, multiply, subtract, true_divide, where  # noqa: E501 # fmt: skip
from ._index import get_at
from ._pattern import rearrange

from torch._stand_ins import lacks

__version__ = "0.3.0"
id = rearrange  # noqa: A001
__all__ = [
    "add", "divide", "equal", "get_at", "greater", "id", "less", "logical_and", "logical_or", "maximum", "minimum",
    "multiply", "rearrange", "subtract", "true_divide", "where",
]  # fmt: skip

__getattr__ = lacks("einx")

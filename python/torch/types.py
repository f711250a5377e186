"""Type aliases that scripts import."""

from typing import Any, List, Sequence, Tuple, Union

from ._types import Size, device, dtype, layout, memory_format

_device = device
_dtype = dtype
_size = Union[Size, List[int], Tuple[int, ...]]
_int, _float, _bool = int, float, bool
Number = Union[int, float, bool]
Device = Union[device, str, int, None]

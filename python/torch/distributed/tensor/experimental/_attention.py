"""The module's old name."""

from ._context_parallel import context_parallel, context_parallel_unshard, set_rotate_method
from ._ring import _cp_options, _RotateMethod

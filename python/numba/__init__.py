"""numba: functions that it would compile run as plain Python; nothing of its CUDA part is here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__version__ = "0.66.0"


def jit(signature_or_function: Any = None, **options: Any) -> Callable:
    """The function as it is; with a signature or options, what returns it so."""
    note("absent_compiles", "library", "numba")
    return signature_or_function if callable(signature_or_function) else lambda function: function


njit = generated_jit = jit
prange = range
set_num_threads = lambda n: None
get_num_threads = lambda: 1
__getattr__ = lacks("numba")

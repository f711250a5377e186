"""numpy.testing: the assertions that tests use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import all as _all
from . import allclose, array_equal, asarray
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("numpy.testing")


def _say(holds, message, text):
    if not holds:
        raise AssertionError(message or text)


def assert_allclose(
    actual: Any,
    desired: Any,
    rtol: float = 1e-7,
    atol: float = 0,
    equal_nan: bool = True,
    err_msg: str = "",
    verbose: bool = True,
) -> None:
    _say(allclose(actual, desired, rtol, atol), err_msg, "Not equal to tolerance")


def assert_array_equal(actual: Any, desired: Any, err_msg: str = "", verbose: bool = True, **_: Any) -> None:
    _say(
        array_equal(actual, desired) or bool(_all(asarray(actual) == asarray(desired))), err_msg, "Arrays are not equal"
    )


assert_equal = assert_array_equal


def assert_almost_equal(actual: Any, desired: Any, decimal: int = 7, err_msg: str = "", verbose: bool = True) -> None:
    _say(allclose(actual, desired, 0, 1.5 * 10**-decimal), err_msg, "Arrays are not almost equal")


assert_array_almost_equal = assert_almost_equal


def assert_(val: Any, msg: str = "") -> None:
    _say(val, msg, "assertion failed")

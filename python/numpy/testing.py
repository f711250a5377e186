"""numpy.testing: the assertions that tests use."""

from . import all as _all
from . import allclose, array_equal, asarray
from torch._stand_ins import lacks

__getattr__ = lacks("numpy.testing")


def _say(holds, message, text):
    if not holds:
        raise AssertionError(message or text)


def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True):
    _say(allclose(actual, desired, rtol, atol), err_msg, "Not equal to tolerance")


def assert_array_equal(actual, desired, err_msg="", verbose=True, **_):
    _say(
        array_equal(actual, desired) or bool(_all(asarray(actual) == asarray(desired))), err_msg, "Arrays are not equal"
    )


assert_equal = assert_array_equal


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    _say(allclose(actual, desired, 0, 1.5 * 10**-decimal), err_msg, "Arrays are not almost equal")


assert_array_almost_equal = assert_almost_equal


def assert_(val, msg=""):
    _say(val, msg, "assertion failed")

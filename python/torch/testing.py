"""torch.testing: shapes and dtypes are compared, there are no values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def assert_close(actual: Any, expected: Any, **_: Any) -> None:
    if hasattr(actual, "shape") and actual.shape != expected.shape:
        raise AssertionError(f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}.")


assert_allclose = assert_close

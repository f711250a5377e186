"""What parts of SciPy share: functions that leave an array's shape, and functions of single numbers."""

from typing import Any

import numpy as np


def same(input: np.ndarray, *_: object, **__: object) -> np.ndarray:  # noqa: A002
    return np.zeros(np.shape(input), np.asarray(input).dtype)


def of_numbers(function: Any) -> Any:
    """A function of numbers for arrays, too."""

    def apply(x, *rest, out=None):
        if np.isscalar(x):
            return np.float64(function(float(x), *rest))
        array = np.asarray(x)
        if array._values is None:
            return np.zeros(array.shape, "float64")
        values = [function(float(value), *rest) for value in array.flatten().tolist()]
        return np.array(values, "float64").reshape(array.shape)

    return apply

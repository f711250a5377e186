"""scipy.interpolate: between points on a line; others by their shapes."""

import numpy as np
from torch._stand_ins import lacks


class interp1d:
    def __init__(
        self, x: np.ndarray, y: np.ndarray, kind: str = "linear", axis: int = -1, *_: object, **__: object
    ) -> None:
        self._x, self._y, self._axis = np.asarray(x), np.asarray(y), axis

    def __call__(self, x: np.ndarray) -> np.ndarray:
        if self._y.ndim == 1:
            return np.interp(x, self._x, self._y)
        shape = list(self._y.shape)
        at = self._axis % len(shape)
        return np.zeros(shape[:at] + list(np.shape(x)) + shape[at + 1 :], "float64")


__getattr__ = lacks("scipy.interpolate")

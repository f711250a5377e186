"""soxr: resampled sound has its length (`round(length * rate / old rate)`, as the real one's one call) and no content."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any

__version__ = "1.1.0"
__libsoxr_version__ = "libsoxr-0.1.3"
QQ, LQ, MQ, HQ, VHQ = 0, 1, 4, 4, 6
__getattr__ = lacks("soxr")


def resample(x: Any, in_rate: float, out_rate: float, quality: Any = "HQ") -> np.ndarray:
    """`x`: samples, or samples by channels."""
    note("placeholder_data", "library", "soxr")
    array = np.asarray(x)
    return np.zeros((round(array.shape[0] * out_rate / in_rate), *array.shape[1:]), array.dtype)


resample_oneshot = resample


class ResampleStream:
    """Sound that comes in pieces."""

    def __init__(
        self, in_rate: float, out_rate: float, num_channels: int, dtype: Any = "float32", quality: Any = "HQ"
    ) -> None:
        self.in_rate, self.out_rate = in_rate, out_rate

    def resample_chunk(self, x: np.ndarray, last: bool = False) -> np.ndarray:
        return resample(x, self.in_rate, self.out_rate)

    def clear(self) -> None:
        """Nothing is kept between pieces."""

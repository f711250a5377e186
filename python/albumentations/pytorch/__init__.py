"""albumentations.pytorch: pictures become tensors, channels first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from albumentations._transform import BasicTransform

if TYPE_CHECKING:
    from typing import Any

    import numpy as np

__all__ = ["ToTensorV2"]
__getattr__ = lacks("albumentations.pytorch")


class ToTensorV2(BasicTransform):
    """A view of the array, as torch.from_numpy makes it; a mask stays with its channels last unless it is asked for."""

    def __init__(self, transpose_mask: bool = False, p: float = 1.0, **settings: Any) -> None:
        super().__init__(p=p, **settings)
        self.transpose_mask = transpose_mask

    def apply(self, img: np.ndarray, **_: Any) -> torch.Tensor:
        return torch.from_numpy((img if img.ndim > 2 else img[..., None]).transpose(2, 0, 1))

    def apply_to_mask(self, mask: np.ndarray, **_: Any) -> torch.Tensor:
        if self.transpose_mask and mask.ndim == 3:
            mask = mask.transpose(2, 0, 1)
        return torch.from_numpy(mask)

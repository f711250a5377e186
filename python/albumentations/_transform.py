"""What all transforms share: they take pictures, masks, boxes and points by name, and give them back by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import numpy as np

_PICTURES = ("image", "images", "volume")
_MASKS = ("mask", "masks")


class BasicTransform:
    """A step; what it does to a picture and to a mask is in `apply` and `apply_to_mask`."""

    def __init__(self, *args: Any, p: float = 0.5, **settings: Any) -> None:
        self.p, self._kinds = p, {}
        self.__dict__.update(settings)

    def apply(self, img: np.ndarray, **_: Any) -> Any:
        return img

    def apply_to_mask(self, mask: np.ndarray, **_: Any) -> Any:
        return self.apply(mask)

    def add_targets(self, additional_targets: dict | None) -> None:
        self._kinds = dict(additional_targets or {})

    def __call__(self, *args: Any, force_apply: bool = False, **data: Any) -> dict:
        if args:
            raise KeyError("You have to pass data to augmentations as named arguments, for example: aug(image=image)")
        return {name: self._one(self._kinds.get(name, name), value) for name, value in data.items()}

    def _one(self, kind, value):
        change = self.apply if kind in _PICTURES else self.apply_to_mask if kind in _MASKS else None
        if change is None or value is None:
            return value
        return type(value)(map(change, value)) if isinstance(value, (list, tuple)) else change(value)


class ImageOnlyTransform(BasicTransform):
    def apply_to_mask(self, mask: np.ndarray, **_: Any) -> Any:
        return mask


class DualTransform(BasicTransform):
    pass

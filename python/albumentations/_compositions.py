"""Transforms made of transforms: one after the other, or one of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

from ._transform import BasicTransform

if TYPE_CHECKING:
    from typing import Any

__all__ = ["BboxParams", "Compose", "KeypointParams", "OneOf", "OneOrOther", "ReplayCompose", "Sequential", "SomeOf"]


class _Params:
    """How boxes or points are written."""

    def __init__(self, format: str = "", *args: Any, **settings: Any) -> None:  # noqa: A002
        self.format = format
        self.__dict__.update(settings)


class BboxParams(_Params):
    pass


class KeypointParams(_Params):
    pass


class Compose(BasicTransform):
    def __init__(self, transforms: Any, bbox_params: Any = None, keypoint_params: Any = None, additional_targets: dict | None = None, p: float = 1.0, **settings: Any) -> None:  # fmt: skip
        super().__init__(p=p, **settings)
        self.transforms = [step for step in transforms if step is not None]
        self.add_targets(additional_targets)

    def add_targets(self, additional_targets: dict | None) -> None:
        super().add_targets(additional_targets)
        for step in self.transforms:
            step.add_targets(additional_targets)

    def __call__(self, *args: Any, force_apply: bool = False, **data: Any) -> dict:
        if args:
            raise KeyError("You have to pass data to augmentations as named arguments, for example: aug(image=image)")
        note("placeholder_data", "library", "albumentations")
        for step in self._chosen():
            data = step(**data)
        return data

    def _chosen(self):
        return self.transforms

    def __len__(self) -> int:
        return len(self.transforms)

    def __getitem__(self, at: Any) -> Any:
        return self.transforms[at]


class Sequential(Compose):
    pass


class ReplayCompose(Compose):
    pass


class OneOf(Compose):
    """Chance takes one: here it is the first."""

    def _chosen(self):
        return self.transforms[:1]


class OneOrOther(OneOf):
    def __init__(self, first: Any = None, second: Any = None, transforms: Any = None, **settings: Any) -> None:
        super().__init__(transforms or [first, second], **settings)


class SomeOf(Compose):
    def __init__(self, transforms: Any, n: int = 1, *args: Any, **settings: Any) -> None:
        super().__init__(transforms, **settings)
        self.n = n

    def _chosen(self):
        return self.transforms[: self.n]

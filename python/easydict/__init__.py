"""easydict: dictionaries whose keys are attributes, too."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any


class EasyDict(dict):
    """Nested dictionaries and those in lists become the same kind."""

    def __init__(self, d: Any = None, **kwargs: Any) -> None:
        super().__init__()
        for key, value in {**(d or {}), **kwargs}.items():
            setattr(self, key, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, (list, tuple)):
            value = type(value)(type(self)(x) if isinstance(x, dict) else x for x in value)
        elif isinstance(value, dict) and not isinstance(value, EasyDict):
            value = type(self)(value)
        super().__setattr__(name, value)
        super().__setitem__(name, value)

    __setitem__ = __setattr__

    def update(self, e: Any = None, **f: Any) -> None:
        for key, value in {**(e or {}), **f}.items():
            setattr(self, key, value)

    def pop(self, k: Any, *d: Any) -> Any:
        if hasattr(self, k):
            delattr(self, k)
        return super().pop(k, *d)

"""Names of models and of their published weights. Weights are never loaded: their sizes are the model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    import torch


builders = {}


def register(function: Callable) -> Callable:
    """Makes a builder known to get_model and list_models."""
    builders[function.__name__] = function
    return function


def builder(name: str, make: Any, **fixed: Any) -> Callable:
    """A builder function: `weights` and `pretrained` change nothing but the report, other options reach the class."""

    def build(*args, weights=None, progress=True, pretrained=None, **options):
        if weights is not None or pretrained or (args and args[0]):
            note("pretrained_weights", "library", f"torchvision.models.{name}")
        options.pop("weights_backbone", None)
        return make(**{**fixed, **options})

    build.__name__ = build.__qualname__ = name
    return register(build)


class _Members(type):
    """Any member that is asked for is there: releases add some."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_") or not name.isupper():
            raise AttributeError(name)
        made = cls(name)
        setattr(cls, name, made)
        return made

    def __getitem__(cls, name: str) -> Any:
        return getattr(cls, name)

    def __iter__(cls) -> Iterator:
        return iter([cls.DEFAULT])


class WeightsEnum(metaclass=_Members):
    """One set of published weights."""

    def __init__(self, name: str) -> None:
        self.name = self.value = name
        self.url = f"https://download.pytorch.org/models/{type(self).__name__.removesuffix('_Weights').lower()}.pth"
        self.meta = {"categories": [f"class {i}" for i in range(1000)], "min_size": (1, 1)}

    def transforms(self, **_: Any) -> Any:
        from torchvision import transforms

        return transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor()])

    @classmethod
    def verify(cls, value: Any) -> Any:
        return value

    def get_state_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        raise RuntimeError(f"vramscope has no network: the weights {self.name} cannot be downloaded")

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


_weights = {}


def weights_class(name: str) -> Any:
    if name not in _weights:
        _weights[name] = _Members(name, (WeightsEnum,), {"__module__": "torchvision.models"})
    return _weights[name]


def get_model_builder(name: str) -> Callable[..., torch.nn.Module]:
    if name.lower() not in builders:
        raise ValueError(f"Unknown model {name}")
    return builders[name.lower()]


def get_model(name: str, **config: Any) -> torch.nn.Module:
    return get_model_builder(name)(**config)


def list_models(
    module: types.ModuleType | None = None,
    include: Iterable[str] | str | None = None,
    exclude: Iterable[str] | str | None = None,
) -> list[str]:
    import fnmatch

    chosen = [
        n
        for n in builders
        if include is None or any(fnmatch.fnmatch(n, p) for p in ([include] if isinstance(include, str) else include))
    ]
    return sorted(
        n
        for n in chosen
        if not any(fnmatch.fnmatch(n, p) for p in ([exclude] if isinstance(exclude, str) else exclude or ()))
    )


def get_weight(name: str) -> WeightsEnum:
    kind, _, member = name.partition(".")
    return getattr(weights_class(kind), member)


def get_model_weights(name: Callable | str) -> type[WeightsEnum]:
    return weights_class((name if isinstance(name, str) else name.__name__) + "_Weights")

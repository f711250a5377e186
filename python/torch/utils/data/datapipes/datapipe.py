"""What all pipes of data have: steps that are registered under a name are methods of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.utils.data.dataset import Dataset, IterableDataset

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _Named:
    """Steps by the names under which they are registered."""

    functions: dict[str, Callable] = {}

    def __getattr__(self, name: str) -> Any:
        step = type(self).functions.get(name)
        if step is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return lambda *args, **kwargs: step(self, *args, **kwargs)

    @classmethod
    def register_function(cls, function_name: str, function: Callable) -> None:
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(cls, function_name: str, cls_to_register: type, *_: Any) -> None:
        cls.functions[function_name] = cls_to_register


class IterDataPipe(_Named, IterableDataset):
    functions: dict[str, Callable] = {}

    def reset(self) -> None:
        """Nothing is kept between two walks."""


class MapDataPipe(_Named, Dataset):
    functions: dict[str, Callable] = {}


class DFIterDataPipe(IterDataPipe):
    """A pipe of rows of tables."""


class DataChunk(list):
    """A batch of items."""

    def __init__(self, items: Any) -> None:
        super().__init__(items)
        self.items = items

    def raw_iterator(self) -> Any:
        yield from self.items


def functional_datapipe(name: str, enable_df_api_tracing: bool = False) -> Callable:
    """Registers a class of pipes as a method of all others of its kind."""

    def register(cls):
        base = MapDataPipe if issubclass(cls, MapDataPipe) else IterDataPipe
        base.register_datapipe_as_function(name, cls)
        return cls

    return register


def _unchanged(function: Any) -> Any:
    return function


argument_validation = runtime_validation = non_deterministic = _unchanged

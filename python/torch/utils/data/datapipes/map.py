"""torch.utils.data.datapipes.map: the steps of a pipe whose items are asked for by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .datapipe import MapDataPipe, functional_datapipe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class SequenceWrapper(MapDataPipe):
    def __init__(self, sequence: Sequence, deepcopy: bool = True) -> None:
        self.sequence = sequence

    def __getitem__(self, index: Any) -> Any:
        return self.sequence[index]

    def __len__(self) -> int:
        return len(self.sequence)


@functional_datapipe("map")
class Mapper(MapDataPipe):
    def __init__(self, datapipe: MapDataPipe, fn: Callable) -> None:
        self.datapipe, self.fn = datapipe, fn

    def __getitem__(self, index: Any) -> Any:
        return self.fn(self.datapipe[index])

    def __len__(self) -> int:
        return len(self.datapipe)

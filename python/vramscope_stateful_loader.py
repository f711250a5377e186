"""Stands in for torchdata's data loader with a state: ours, which knows how many batches it gave and goes on behind them."""

from __future__ import annotations

import itertools
from typing import Any

from torch.utils.data import DataLoader
from torch.utils.data.dataloader import _BaseDataLoaderIter

_GIVEN, _DRAWN, _ENDED = "_num_yielded", "_sampler_iter_yielded", "_iterator_finished"


class StatefulDataLoader(DataLoader):
    """Whatever reads batches in other processes reads them here in this one, as our DataLoader does."""

    def __init__(self, *given: Any, snapshot_every_n_steps: int | None = 1, **options: Any) -> None:
        super().__init__(*given, **options)
        self.snapshot_every_n_steps = snapshot_every_n_steps
        self.next_iter_state = self._iterator = None

    def __iter__(self) -> Any:
        skipped = (self.next_iter_state or {}).get(_GIVEN, 0)
        self.next_iter_state = None
        self._iterator = _Counted(self)
        self._iterator.go_on(skipped)
        return self._iterator

    def state_dict(self) -> dict:
        place = self._iterator or _Counted(self)
        inner = {
            name: own() for name, own in (("dataset", getattr(self.dataset, "state_dict", None)),) if callable(own)
        }
        return {
            _GIVEN: place.given,
            _DRAWN: place.given,
            _ENDED: place.ended,
            "_num_workers": self.num_workers,
            **inner,
        }

    def load_state_dict(self, state_dict: dict) -> None:
        self._iterator = None
        if state_dict:
            # one that had ended begins again
            self.next_iter_state = {} if state_dict.get(_ENDED) else state_dict


class _Counted(_BaseDataLoaderIter):
    """An iterator that knows where it is."""

    def __init__(self, loader: StatefulDataLoader) -> None:
        super().__init__(loader)
        self.given, self.ended = 0, False

    def go_on(self, count: int) -> None:
        if self._items is None:
            self.given += sum(1 for _ in itertools.islice(self._indices, count))
        else:
            for _ in range(count):
                next(self)

    def __next__(self) -> Any:
        try:
            batch = super().__next__()
        except StopIteration:
            self.ended = True
            raise
        self.given += 1
        return batch

    def _skip_passes(self, count: int) -> bool:
        skipped = super()._skip_passes(count)
        self.given += count if skipped else 0
        return skipped

"""Stand-in for tqdm: iterates; prints no bar, so that a program's output is its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from vramscope_loops.guards import skip

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any, Self


__version__ = "4.67.1"
__getattr__ = lacks("tqdm")


class tqdm:
    """Iterates over `iterable`; `write` prints, the rest of a bar's methods change nothing that shows."""

    monitor_interval = 0

    def __init__(
        self,
        iterable: Any = None,
        desc: Any = None,
        total: Any = None,
        leave: bool = True,
        file: Any = None,
        disable: bool = False,
        initial: int = 0,
        **options: Any,
    ) -> None:
        if total is None and hasattr(iterable, "__len__"):
            total = len(iterable)
        self.iterable, self.desc, self.total, self.n, self.disable = iterable, desc or "", total, initial, disable

    def __iter__(self) -> _Steps:
        return _Steps(self)

    def __len__(self) -> int:
        return self.total if self.iterable is None else len(self.iterable)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __bool__(self) -> bool:
        return self.total != 0

    def update(self, n: int = 1) -> None:
        self.n += n

    def reset(self, total: Any = None) -> None:
        self.n = 0
        self.total = self.total if total is None else total

    def set_description(self, desc: Any = None, refresh: bool = True) -> None:
        self.desc = desc or ""

    set_description_str = set_description

    def set_postfix(self, ordered_dict: Any = None, refresh: bool = True, **kwargs: Any) -> None:
        """Nothing shows."""

    set_postfix_str = set_postfix

    def refresh(self, *args: Any, **kwargs: Any) -> None:
        """Nothing shows."""

    display = clear = unpause = close = refresh

    @property
    def format_dict(self) -> dict:
        return {"n": self.n, "total": self.total, "elapsed": 0.0, "rate": None}

    @classmethod
    def write(cls, s: Any, file: Any = None, end: str = "\n", nolock: bool = False) -> None:
        print(s, end=end, file=file or sys.stdout)

    @classmethod
    def pandas(cls, *args: Any, **kwargs: Any) -> None:
        """`progress_apply` and its kin go on as `apply` does; nothing shows."""
        import pandas

        for kind in (pandas.DataFrame, pandas.Series):
            for name in ("apply", "map", "applymap"):
                if hasattr(kind, name):
                    setattr(kind, f"progress_{name}", getattr(kind, name))


def trange(*args: Any, **kwargs: Any) -> tqdm:
    return tqdm(range(*args), **kwargs)


class _Steps:
    """What a loop over a bar iterates over; keeps an item until it has the next one, as tqdm's generator does."""

    def __init__(self, bar: Any) -> None:
        self._bar, self._items, self._item, self._begun = bar, iter(bar.iterable), None, False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        if self._begun:
            self._bar.n += 1
        self._begun = True
        try:
            self._item = next(self._items)
        except BaseException:
            self._begun, self._item = False, None
            raise
        return self._item

    def __length_hint__(self) -> int:
        return len(self._bar)

    def _skip_passes(self, count):
        items = skip(self._items, count)
        if items is None:
            return False
        self._items = items
        self._bar.n += count
        return True


tqdm_notebook, tnrange = tqdm, trange

"""matplotlib.pyplot: every function takes what it is given and returns something that does the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self


rcParams = {}


class _Nothing:
    """A figure, an axis, a line: any call and any attribute is accepted."""

    def __getattr__(self, name: str) -> Self:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Self:
        return self

    def __getitem__(self, index: Any) -> Self:
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        """Nothing keeps it."""

    def __iter__(self) -> Iterator:
        return iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        return None


_nothing = _Nothing()


def _grid(rows, columns, squeeze=True):
    """What subplots returns beside the figure: one, a row, a column or rows of axes."""
    cells = [[_Nothing() for _ in range(columns)] for _ in range(rows)]
    if not squeeze:
        return _Axes(cells)
    if rows == columns == 1:
        return cells[0][0]
    if rows == 1 or columns == 1:
        return _Axes([cell for row in cells for cell in row])
    return _Axes(cells)


class _Axes(list):
    """Axes in rows, with the few things of an array that programs use of them."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple):
            return self[index[0]][index[1]]
        return super().__getitem__(index)

    @property
    def flat(self) -> _Axes:
        return _Axes(cell for row in self for cell in (row if isinstance(row, list) else [row]))

    def flatten(self) -> Any:
        return self.flat

    ravel = flatten


def subplots(nrows: int = 1, ncols: int = 1, *args: Any, squeeze: bool = True, **options: Any) -> tuple:
    note("drawing_skipped", "library", "matplotlib")
    return _nothing, _grid(nrows, ncols, squeeze)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)

    def draw(*args, **kwargs):
        note("drawing_skipped", "library", "matplotlib")
        return _nothing

    return _nothing if name in ("cm", "style") else draw

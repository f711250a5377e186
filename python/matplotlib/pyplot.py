"""matplotlib.pyplot: every function takes what it is given and returns something that does the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self


rcParams = {}
_SAVED = (480, 640)  # height and width of a figure that nobody gave another size


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

    # what is measured on the way to a drawing has its numbers

    def hist(self, x: Any, bins: Any = None, range: Any = None, *args: Any, **kwargs: Any) -> tuple:  # noqa: A002
        import numpy as np

        counts, edges = np.histogram(_few(x), 10 if bins is None else bins, range)
        return counts.astype("float64"), edges, self

    def hist2d(self, x: Any, y: Any, bins: Any = 10, range: Any = None, *args: Any, **kwargs: Any) -> tuple:  # noqa: A002
        import numpy as np

        counts, rows, columns = np.histogram2d(_few(x), _few(y), bins, range)
        return counts, rows, columns, self

    def get_xlim(self) -> tuple:
        return (0.0, 1.0)

    get_ylim = get_xlim

    def savefig(self, fname: Any, *args: Any, **kwargs: Any) -> None:
        """A picture of the usual size, where one is written that may be read again."""
        from vramscope_data import pictures

        if hasattr(fname, "write") or str(fname).lower().endswith((".png", ".jpg", ".jpeg")):
            pictures.write(fname, *_SAVED, 4)


def _few(values):
    """The values of a drawing; of too many to be kept, none."""
    import numpy as np

    array = np.asarray(values).reshape(-1)
    return array if array.size <= 65_536 else np.zeros(1)


_nothing = _Nothing()
_MEASURED = ("hist", "hist2d", "savefig")


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
        return getattr(_nothing, name)(*args, **kwargs) if name in _MEASURED else _nothing

    return _nothing if name in ("cm", "style") else draw

"""matplotlib.pyplot: every function takes what it is given and returns something that does the same."""

from torch._stand_ins import note

rcParams = {}


class _Nothing:
    """A figure, an axis, a line: any call and any attribute is accepted."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __getitem__(self, index):
        return self

    def __setitem__(self, index, value):
        """Nothing keeps it."""

    def __iter__(self):
        return iter(())

    def __enter__(self):
        return self

    def __exit__(self, *error):
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

    def __getitem__(self, index):
        if isinstance(index, tuple):
            return self[index[0]][index[1]]
        return super().__getitem__(index)

    @property
    def flat(self):
        return _Axes(cell for row in self for cell in (row if isinstance(row, list) else [row]))

    def flatten(self):
        return self.flat

    ravel = flatten


def subplots(nrows=1, ncols=1, *args, squeeze=True, **options):
    note("drawing_skipped", "library", "matplotlib")
    return _nothing, _grid(nrows, ncols, squeeze)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)

    def draw(*args, **kwargs):
        note("drawing_skipped", "library", "matplotlib")
        return _nothing

    return _nothing if name in ("cm", "style") else draw

"""Stand-in for tqdm: iterates; prints no bar, so that a program's output is its own."""

import sys

from vramscope_loops.guards import skip

from torch._stand_ins import lacks

__version__ = "4.67.1"
__getattr__ = lacks("tqdm")


class tqdm:
    """Iterates over `iterable`; `write` prints, the rest of a bar's methods change nothing that shows."""

    monitor_interval = 0

    def __init__(
        self, iterable=None, desc=None, total=None, leave=True, file=None, disable=False, initial=0, **options
    ):
        if total is None and hasattr(iterable, "__len__"):
            total = len(iterable)
        self.iterable, self.desc, self.total, self.n, self.disable = iterable, desc or "", total, initial, disable

    def __iter__(self):
        return _Steps(self)

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __bool__(self):
        return self.total != 0

    def update(self, n=1):
        self.n += n

    def reset(self, total=None):
        self.n = 0
        self.total = self.total if total is None else total

    def set_description(self, desc=None, refresh=True):
        self.desc = desc or ""

    set_description_str = set_description

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        """Nothing shows."""

    set_postfix_str = set_postfix

    def refresh(self, *args, **kwargs):
        """Nothing shows."""

    display = clear = unpause = close = refresh

    @property
    def format_dict(self):
        return {"n": self.n, "total": self.total, "elapsed": 0.0, "rate": None}

    @classmethod
    def write(cls, s, file=None, end="\n", nolock=False):
        print(s, end=end, file=file or sys.stdout)

    @classmethod
    def pandas(cls, *args, **kwargs):
        raise NotImplementedError("vramscope's stand-in for tqdm does not have tqdm.pandas")


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)


class _Steps:
    """What a loop over a bar iterates over; keeps an item until it has the next one, as tqdm's generator does."""

    def __init__(self, bar):
        self._bar, self._items, self._item, self._begun = bar, iter(bar.iterable), None, False

    def __iter__(self):
        return self

    def __next__(self):
        if self._begun:
            self._bar.n += 1
        self._begun = True
        try:
            self._item = next(self._items)
        except BaseException:
            self._begun, self._item = False, None
            raise
        return self._item

    def __length_hint__(self):
        return len(self._bar)

    def _skip_passes(self, count):
        items = skip(self._items, count)
        if items is None:
            return False
        self._items = items
        self._bar.n += count
        return True


tqdm_notebook, tnrange = tqdm, trange

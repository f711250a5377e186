"""Stand-in for tqdm: iterates; prints no bar, so that a program's output is its own."""

import sys

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
        for item in self.iterable:
            yield item
            self.n += 1

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


tqdm_notebook, tnrange = tqdm, trange

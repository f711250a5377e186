"""tqdm.notebook: the same bars that do not show."""

from torch._stand_ins import lacks

from . import tqdm, trange

__getattr__ = lacks("tqdm.notebook")

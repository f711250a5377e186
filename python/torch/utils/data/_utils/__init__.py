"""torch.utils.data._utils: what packages take out of it."""

from . import collate as collate

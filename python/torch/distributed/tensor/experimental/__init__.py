"""torch.distributed.tensor.experimental: context parallel attention."""

from .._dispatch import implicit_replication
from ._context_parallel import context_parallel, context_parallel_unshard, set_rotate_method
from ._func_map import local_map

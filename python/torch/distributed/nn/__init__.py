"""torch.distributed.nn: collectives that gradients go through."""

from .functional import all_gather as all_gather
from .functional import all_reduce as all_reduce
from .functional import all_to_all as all_to_all
from .functional import all_to_all_single as all_to_all_single
from .functional import broadcast as broadcast
from .functional import gather as gather
from .functional import reduce as reduce
from .functional import reduce_scatter as reduce_scatter
from .functional import scatter as scatter


def __getattr__(name: str) -> type:
    if name != "RemoteModule":
        raise AttributeError(f"module 'torch.distributed.nn' has no attribute {name!r}")
    return _Remote


class _Remote:
    """A module that lives in another process: a program may import it, and is refused where it makes one."""

    def __init__(self, *_: object, **__: object) -> None:
        raise NotImplementedError(
            "vramscope does not simulate torch.distributed.nn.RemoteModule: calls between processes (rpc) are not simulated"
        )


_Remote.__name__ = _Remote.__qualname__ = "RemoteModule"

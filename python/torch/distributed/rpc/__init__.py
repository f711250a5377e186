"""torch.distributed.rpc: calls between processes are not simulated; asking says so."""

from . import api as api

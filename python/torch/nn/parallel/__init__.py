"""Parallelism over GPUs: of one process, and of several."""

from . import comm, parallel_apply as _parallel_apply, replicate as _replicate, scatter_gather as _scatter_gather
from .data_parallel import DataParallel as DataParallel, data_parallel as data_parallel
from .distributed import DistributedDataParallel as DistributedDataParallel

gather, scatter = _scatter_gather.gather, _scatter_gather.scatter
parallel_apply, replicate = _parallel_apply.parallel_apply, _replicate.replicate

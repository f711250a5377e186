"""torch.utils.data.distributed: the sampler that gives each process its share."""

from .sampler import DistributedSampler as DistributedSampler

"""torch.distributed.optim: optimizers over several ranks."""

from .zero_redundancy_optimizer import ZeroRedundancyOptimizer as ZeroRedundancyOptimizer

"""torch.distributed.algorithms._checkpoint: modules that run under a checkpoint."""

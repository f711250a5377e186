"""torch.distributed.algorithms: checkpointing of modules, hooks of DDP."""

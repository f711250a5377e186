"""torch.distributed.elastic: what launchers and their ranks share."""

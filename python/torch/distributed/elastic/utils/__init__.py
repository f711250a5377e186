"""torch.distributed.elastic.utils: what an agent of torchrun needs; of it, logging."""

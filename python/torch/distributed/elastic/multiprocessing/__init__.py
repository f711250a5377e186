"""torch.distributed.elastic.multiprocessing: processes of a launcher."""

"""torch.distributed.fsdp: sharding over several processes, which are not simulated."""


class FullyShardedDataParallel:
    def __init__(self, *_, **__):
        raise RuntimeError("vramscope run simulates one process on one GPU: FullyShardedDataParallel is not simulated")


def fully_shard(*_, **__):
    raise RuntimeError("vramscope run simulates one process on one GPU: fully_shard is not simulated")


class _Names:
    def __init__(self, *_, **__):
        pass


class ShardingStrategy:
    FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD = range(1, 5)


MixedPrecision = CPUOffload = BackwardPrefetch = StateDictType = FullStateDictConfig = _Names

"""torch.distributed: one process, no group."""


def is_available():
    return True


def is_initialized():
    return False


def is_torchelastic_launched():
    return False


def get_rank(group=None):
    return 0


def get_world_size(group=None):
    return 1


def init_process_group(*_, **__):
    raise RuntimeError("vramscope run simulates one process on one GPU: torch.distributed process groups are not simulated")


def barrier(*_, **__):
    pass


def destroy_process_group(group=None):
    pass


class ReduceOp:
    SUM = AVG = MAX = MIN = PRODUCT = None

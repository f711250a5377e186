"""torch.multiprocessing: one process only."""


def set_start_method(method, force=False):
    pass


def set_sharing_strategy(strategy):
    pass


def get_start_method(allow_none=False):
    return "spawn"


def cpu_count():
    return 1


def spawn(fn, args=(), nprocs=1, join=True, **_):
    if nprocs != 1:
        raise RuntimeError("vramscope run simulates one process on one GPU: torch.multiprocessing.spawn needs nprocs=1")
    fn(0, *args)

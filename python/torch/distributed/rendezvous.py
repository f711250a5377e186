"""torch.distributed.rendezvous: where the store is, its rank and the size of the world."""

from ._store import default_store


def register_rendezvous_handler(scheme, handler):
    pass


def rendezvous(url, rank=-1, world_size=-1, **_):
    import os

    yield (
        default_store(),
        rank if rank >= 0 else int(os.environ.get("RANK", 0)),
        world_size if world_size > 0 else int(os.environ.get("WORLD_SIZE", 1)),
    )

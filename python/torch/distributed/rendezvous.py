"""torch.distributed.rendezvous: where the store is, its rank and the size of the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._store import default_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def register_rendezvous_handler(scheme: Any, handler: Any) -> None:
    pass


def rendezvous(url: str, rank: int = -1, world_size: int = -1, **_: Any) -> Iterator:
    import os

    yield (
        default_store(),
        rank if rank >= 0 else int(os.environ.get("RANK", 0)),
        world_size if world_size > 0 else int(os.environ.get("WORLD_SIZE", 1)),
    )

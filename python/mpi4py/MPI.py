"""Communicators with one process, which has what it sends."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any, Self


SUM, MAX, MIN, PROD = "sum", "max", "min", "prod"


class Comm:
    rank, size, name = 0, 1, "MPI_COMM_WORLD"

    def Get_rank(self) -> int:
        return 0

    def Get_size(self) -> int:
        return 1

    def bcast(self, obj: Any, root: int = 0) -> Any:
        return obj

    def gather(self, obj: Any, root: int = 0) -> list:
        return [obj]

    def allgather(self, obj: Any) -> list:
        return [obj]

    def scatter(self, objs: Any, root: int = 0) -> Any:
        return objs[0]

    def reduce(self, obj: Any, op: Any = SUM, root: int = 0) -> Any:
        return obj

    def allreduce(self, obj: Any, op: Any = SUM) -> Any:
        return obj

    def Allreduce(self, sendbuf: Any, recvbuf: Any, op: Any = SUM) -> None:
        received = recvbuf[0] if isinstance(recvbuf, (list, tuple)) else recvbuf
        received[...] = sendbuf[0] if isinstance(sendbuf, (list, tuple)) else sendbuf

    Reduce = Allgather = Gather = Scatter = Allreduce

    def Bcast(self, buf: Any, root: int = 0) -> None:
        """The one process has it."""

    def Barrier(self) -> None:
        """Nobody else is waited for."""

    barrier = Barrier

    def Split(self, color: int = 0, key: int = 0) -> Self:
        return self


COMM_WORLD = Comm()


def Get_processor_name() -> str:
    return "localhost"

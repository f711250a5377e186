"""Values of small tensors that the host knows (counts, sizes, flags): between ranks that run together they are exchanged for real."""

from __future__ import annotations

import math
import weakref
from typing import TYPE_CHECKING

from torch import _C, _ranked
from torch._literals import give_values

from . import _exchange

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch
    from torch import Tensor
    from torch.distributed._nccl import ProcessGroup


MOST = 64  # elements of all ranks: more than that no host code reads to decide something
UNKNOWN = "-"


def _known(tensor):
    if hasattr(tensor, "_local_tensor"):
        return UNKNOWN
    return _C._js.values(tensor._h) or UNKNOWN


def _numbers(text):
    return [float(word) for word in text.split(",")]


def _learn(tensor, values):
    give_values(tensor, values)


def _shared(what, group, tensor, count, root=None):
    """What is known of each rank's tensor; None where one of them is unknown or there are too many."""
    if not _exchange.together() or group.size() == 1 or count > MOST:
        return None
    brings = root is None or _ranked.plain(group.rank()) == root
    texts = _exchange.meet(what, group, _known(tensor) if brings else "", root)
    if root is not None:
        texts = [texts[root]]
    if UNKNOWN in texts or "" in texts:
        return None
    found = [_numbers(text) for text in texts]
    return found if all(len(each) == tensor.numel() for each in found) else None


_REDUCTIONS = {
    "SUM": sum,
    "AVG": lambda values: sum(values) / len(values),
    "PRODUCT": math.prod,
    "MIN": min,
    "MAX": max,
}


def reduced(group: torch.distributed.ProcessGroup, tensor: Tensor, op: Any) -> None:
    rows = _shared("all_reduce", group, tensor, tensor.numel())
    reduce = _REDUCTIONS.get(getattr(op, "name", str(op).upper()))
    if rows is not None and reduce is not None:
        _learn(tensor, [reduce(column) for column in zip(*rows)])


def broadcast(group: Any, tensor: Tensor, root: int) -> None:
    rows = _shared("broadcast", group, tensor, tensor.numel(), root)
    if rows is not None:
        _learn(tensor, rows[0])


def gathered(group: torch.distributed.ProcessGroup, outputs: Any, tensor: Tensor) -> None:
    """`outputs`: a tensor for each rank, or one for all."""
    rows = _shared("all_gather", group, tensor, tensor.numel() * group.size())
    if rows is None:
        return
    if len(outputs) == 1:
        _learn(outputs[0], [value for row in rows for value in row])
    else:
        for output, row in zip(outputs, rows):
            _learn(output, row)


def all_to_all(group: ProcessGroup | None, output: Any, tensor: Tensor) -> None:
    """Of tensors that all ranks split alike."""
    rows = _shared("all_to_all_single", group, tensor, tensor.numel() * group.size())
    if rows is not None:
        n, own = tensor.numel() // group.size(), _ranked.tell_apart(group.rank())
        _learn(output, [value for row in rows for value in row[own * n : (own + 1) * n]])


# --- from one rank to another


def _number(group, way, peer):
    count = group._letters[way, peer] = group._letters.get((way, peer), 0) + 1
    return f"small {count}"


def sent(group: torch.distributed.ProcessGroup, tensor: Tensor, peer: int) -> None:
    if _exchange.together() and tensor.numel() <= MOST:
        _exchange.post(group, peer, "#" + _known(tensor), _number(group, "to", peer))


def arrival(group: torch.distributed.ProcessGroup, tensor: Tensor, peer: int) -> Callable | None:
    """What is to be done when a receive is waited for; the tensor is not kept. None where there is nothing to learn."""
    if peer is None or not _exchange.together() or tensor.numel() > MOST:
        return None
    name, place = _number(group, "from", peer), weakref.ref(tensor)

    def arrive():
        text = _exchange.take(group, peer, "recv", name)
        target = place()
        if target is not None and text is not None and text != "#" + UNKNOWN:
            _learn(target, _numbers(text[1:]))

    return arrive

"""What ranks that run together tell each other: host objects and store keys. A rank that runs alone answers for all others."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from torch import _C, _ranked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch
    from torch import Tensor
    from torch.distributed._nccl import ProcessGroup


local_keys = {}  # keys of a rank that runs alone
_together = None


def together() -> Any:
    """Whether other ranks run beside this one."""
    global _together
    if _together is None:
        _together = _C._js.ranksTogether()
    return _together


def _answer(answer):
    if answer[:1] == "!":
        _C.fail(answer)
    return answer


def _ranks(group):
    return ",".join(map(str, group._ranks))


def note(group: torch.distributed.ProcessGroup, op: Any, tensors: Sequence[Tensor] = (), peer: int = -1) -> None:
    """Tells of a call that every rank of the group must make; nothing is waited for. `peer`: a rank of the world."""
    if "cpu" not in group._names and any(t.device.type == "cpu" for t in tensors):
        raise RuntimeError("No backend type associated with device type cpu")
    if not together() or group.size() == 1:
        return
    described = ",".join(f"{t.dtype.name}:{'x'.join(map(str, t.shape))}" for t in tensors)
    _answer(_C._js.collective(op, group.group_name, _ranks(group), described, peer, _C.here()))


def meet(what: Any, group: torch.distributed.ProcessGroup, payload: Any, root: Any = None) -> Any:
    """Waits until every rank of the group has come to the same place; what each of them brought, in the group's order.
    `root`: the rank of the group whose payload alone is read."""
    of = -1 if root is None else group._ranks[root]
    return _answer(_C._js.meet(what, group.group_name, _ranks(group), payload, of, _C.here())).split("\n")


def gather(group: ProcessGroup | None, obj: Any, what: str = "all_gather_object") -> Any:
    """Each rank's object, in the group's order; of a rank that runs alone, its own for each."""
    if not together() or group.size() == 1:
        return [obj] * group.size()
    return [pickle.loads(bytes.fromhex(text)) for text in meet(what, group, pickle.dumps(obj).hex())]


def of_root(group: torch.distributed.ProcessGroup, root: Any, obj: Any, what: Any) -> Any:
    """The object of one rank of the group; None where that rank is not there."""
    # the ranks of a group get the same
    here = _ranked.plain(group.rank()) == root
    if not together() or group.size() == 1:
        return obj if here else None
    text = meet(what, group, pickle.dumps(obj).hex() if here else "", root)[root]
    return pickle.loads(bytes.fromhex(text)) if text else None


def rendezvous(group: torch.distributed.ProcessGroup, what: str = "barrier") -> None:
    """Waits for the other ranks of the group."""
    if together() and group.size() > 1:
        meet(what, group, "")


def post(group: torch.distributed.ProcessGroup, peer: int, text: str, name: str = "") -> None:
    """Leaves a text for a rank of the group; does not wait."""
    if together():
        _answer(_C._js.post(group.group_name + name, group._ranks[peer], text))


def take(group: torch.distributed.ProcessGroup, peer: int, what: Any, name: str = "") -> Tensor:
    """The next text that a rank of the group left for this one; None where that rank is not there."""
    answer = _C._js.take(group.group_name + name, -1 if peer is None else group._ranks[peer], what, _C.here())
    return None if answer == "?" else _answer(answer)


def send(group: ProcessGroup | None, peer: int, obj: Any) -> None:
    """Hands an object to a rank of the group; does not wait."""
    if together():
        post(group, peer, pickle.dumps(obj).hex())


def receive(
    group: torch.distributed.ProcessGroup, peer: int, default: Any = None, what: str = "recv_object_list"
) -> Any:
    """The next object from a rank of the group; alone, the default."""
    text = take(group, peer, what) if together() else None
    return default if text is None else pickle.loads(bytes.fromhex(text))


# --- keys of stores


def _store(kind, key, value="", before=""):
    return _answer(_C._js.store(kind, key, value, before, _C.here()))


def store_set(key: Any, value: Any) -> None:
    if together():
        _store("set", key, value.hex())
    else:
        local_keys[key] = value


def store_get(key: Any) -> Any:
    answer = _store("get", key) if together() else local_keys.get(key, "?")
    if answer == "?":
        # whoever would have set it is not there
        _C._js.assume("store_key_of_other_rank", _C.here(), "key", key)
        return b""
    return bytes.fromhex(answer) if together() else answer


def store_has(key: Any) -> Any:
    return _store("has", key) == "1" if together() else True


def store_add(key: Any, amount: int | float) -> Any:
    if together():
        return int(_store("add", key, str(int(amount))))
    value = int(local_keys.get(key, b"0")) + amount
    local_keys[key] = str(value).encode()
    return value


def store_compare_set(key: Any, before: Any, value: Any) -> Any:
    """Sets the key where it holds `before`, or is absent and that is empty; what it holds then."""
    if together():
        return bytes.fromhex(_store("compare", key, value.hex(), before.hex()))
    present = local_keys.get(key)
    if present is None and before:
        return before
    if present is None or present == before:
        local_keys[key] = value
    return local_keys[key]


def store_delete(key: Any) -> Any:
    return _store("delete", key) == "1" if together() else local_keys.pop(key, None) is not None

"""What ranks that run together tell each other: host objects and store keys. A rank that runs alone answers for all others."""

import pickle

from torch import _C

local_keys = {}  # keys of a rank that runs alone


def together():
    """Whether other ranks run beside this one."""
    return _C._js.ranksTogether()


def _meet(what, group, payload):
    """Waits until every rank of the group has come to the same place; what each of them brought, in the group's order."""
    answer = _C._js.meet(what, group.group_name, ",".join(map(str, group._ranks)), payload, _C.here())
    if answer[:1] == "!":
        _C.fail(answer)
    return answer.split("\n")


def gather(group, obj, what="all_gather_object"):
    """Each rank's object, in the group's order; of a rank that runs alone, its own for each."""
    if not together() or group.size() == 1:
        return [obj] * group.size()
    return [pickle.loads(bytes.fromhex(text)) for text in _meet(what, group, pickle.dumps(obj).hex())]


def rendezvous(group, what="barrier"):
    """Waits for the other ranks of the group."""
    if together() and group.size() > 1:
        _meet(what, group, "")


def send(group, peer, obj):
    """Hands an object to a rank of the group; does not wait."""
    if together():
        _C._js.post(group.group_name, group._ranks[peer], pickle.dumps(obj).hex())


def receive(group, peer, default=None, what="recv_object_list"):
    """The next object from a rank of the group; alone, the default."""
    if not together():
        return default
    answer = _C._js.take(group.group_name, -1 if peer is None else group._ranks[peer], what, _C.here())
    if answer[:1] == "!":
        _C.fail(answer)
    return pickle.loads(bytes.fromhex(answer))


def store_set(key, value):
    local_keys[key] = value
    if together():
        _C._js.storeSet(key, value.hex())


def store_get(key):
    if key in local_keys and not together():
        return local_keys[key]
    if together():
        answer = _C._js.storeGet(key, _C.here())
        if answer[:1] == "!":
            _C.fail(answer)
        return bytes.fromhex(answer)
    # whoever would have set it is not there
    _C._js.assume("store_key_of_other_rank", _C.here(), "key", key)
    return b""


def store_has(key):
    return _C._js.storeHas(key) if together() else True


def store_add(key, amount):
    if together():
        return _C._js.storeAdd(key, amount)
    value = int(local_keys.get(key, b"0")) + amount
    local_keys[key] = str(value).encode()
    return value


def store_delete(key):
    return local_keys.pop(key, None) is not None

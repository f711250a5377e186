"""torch.distributed: a group of one process. Collectives do what they do for one rank."""

from datetime import timedelta as _timedelta

from torch import _C

default_pg_timeout = _timedelta(minutes=30)
_group = None


class ReduceOp:
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM = (
        "SUM",
        "AVG",
        "PRODUCT",
        "MIN",
        "MAX",
        "BAND",
        "BOR",
        "BXOR",
        "PREMUL_SUM",
    )


class ProcessGroup:
    """The one process and the backend that it was asked for."""

    def __init__(self, backend):
        self.backend = backend

    def rank(self):
        return 0

    def size(self):
        return 1


class Work:
    """A collective that is over already."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True


class group:
    WORLD = None


GroupMember = group


def is_available():
    return True


def is_initialized():
    return _group is not None


def is_nccl_available():
    return True


def is_gloo_available():
    return True


def is_mpi_available():
    return False


def is_torchelastic_launched():
    import os

    return "TORCHELASTIC_RUN_ID" in os.environ


def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, *_, **__):
    global _group
    import os

    wanted = world_size if world_size != -1 else int(os.environ.get("WORLD_SIZE", 1))
    if wanted != 1:
        raise RuntimeError(
            f"vramscope run simulates one process on one GPU: a process group of world size {wanted} is not simulated"
        )
    if _group is not None:
        raise ValueError("trying to initialize the default process group twice!")
    _C._js.assume("one_process_group", _C.here(), "", "")
    _group = group.WORLD = ProcessGroup(backend or "nccl")


def destroy_process_group(group=None):
    global _group
    _group = globals()["group"].WORLD = None


def _started():
    if _group is None:
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")


def get_rank(group=None):
    _started()
    return 0


def get_world_size(group=None):
    _started()
    return 1


def get_backend(group=None):
    _started()
    return _group.backend


def new_group(ranks=None, *_, **__):
    _started()
    return ProcessGroup(_group.backend)


def get_process_group_ranks(group=None):
    return [0]


def get_global_rank(group, group_rank):
    return group_rank


def _done(async_op):
    _started()
    return Work() if async_op else None


def barrier(group=None, async_op=False, device_ids=None):
    return _done(async_op)


def monitored_barrier(*_, **__):
    _started()


def broadcast(tensor, src=None, group=None, async_op=False, **_):
    return _done(async_op)


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    return _done(async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, **_):
    return _done(async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    _started()
    tensor_list[0].copy_(tensor.detach())
    return _done(async_op)


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, **_):
    return all_gather(gather_list, tensor, group, async_op) if gather_list else _done(async_op)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, **_):
    _started()
    if scatter_list:
        tensor.copy_(scatter_list[0].detach())
    return _done(async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    _started()
    output_tensor.copy_(input_tensor.detach().view_as(output_tensor))
    return _done(async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    _started()
    output.copy_(input_list[0].detach())
    return _done(async_op)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    return all_gather_into_tensor(output, input, group, async_op)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    return all_gather_into_tensor(output, input, group, async_op)


def all_gather_object(object_list, obj, group=None):
    _started()
    object_list[0] = obj


def gather_object(obj, object_gather_list=None, dst=None, group=None, **_):
    _started()
    if object_gather_list:
        object_gather_list[0] = obj


def broadcast_object_list(object_list, src=None, group=None, device=None, **_):
    _started()


def send(*_, **__):
    raise ValueError(
        "Invalid destination rank: destination rank should not be the same as the rank of the current process."
    )


def recv(*_, **__):
    raise ValueError("Invalid source rank: source rank should not be the same as the rank of the current process.")


isend, irecv = send, recv


def get_node_local_rank(fallback_rank=None):
    return 0


def __getattr__(name):
    raise AttributeError(f"vramscope run simulates one process on one GPU: torch.distributed.{name} is not simulated")

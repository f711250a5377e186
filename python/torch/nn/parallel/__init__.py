"""Data parallelism as one GPU sees it."""

import torch

from ..modules.module import Module


class DataParallel(Module):
    """With one device the module runs as it is."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.dim = dim
        self.module = module
        self.device_ids = list(device_ids) if device_ids is not None else [0]
        if len(self.device_ids) > 1:
            raise NotImplementedError("DataParallel over several GPUs is not modelled: one GPU is simulated")
        self.output_device = output_device if output_device is not None else (self.device_ids or [0])[0]
        if torch.cuda.is_available():
            module.to(torch.device("cuda", self.device_ids[0] if self.device_ids else 0))

    def forward(self, *inputs, **kwargs):
        device = torch.device("cuda", self.device_ids[0] if self.device_ids else 0)
        moved = [_to(value, device) for value in inputs]
        return self.module(*moved, **{key: _to(value, device) for key, value in kwargs.items()})


def _to(value, device):
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, (list, tuple)):
        return type(value)(_to(item, device) for item in value)
    if isinstance(value, dict):
        return type(value)((key, _to(item, device)) for key, item in value.items())
    return value


_FIRST_BUCKET_BYTES = 1 << 20


def _buckets(parameters, cap_bytes):
    """Parameters in their order, a bucket closed when it is full; the first one is small (compute_bucket_assignment_by_size)."""
    limits = {}
    open_buckets, closed = {}, []
    for p in parameters:
        key = (p.dtype, p.device.type)
        open_buckets.setdefault(key, []).append(p)
        if sum(q.nbytes for q in open_buckets[key]) >= limits.get(key, _FIRST_BUCKET_BYTES):
            limits[key] = cap_bytes
            closed.append(open_buckets.pop(key))
    return closed + list(open_buckets.values())


class DistributedDataParallel(Module):
    """One process: the module, and the buckets into which gradients are gathered."""

    def __init__(
        self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True, process_group=None,
        bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False, gradient_as_bucket_view=False, static_graph=False, **_,
    ):  # fmt: skip
        super().__init__()
        import torch.distributed as dist

        if not dist.is_initialized():
            raise ValueError(
                "Default process group has not been initialized, please make sure to call init_process_group."
            )
        trained = [p for p in module.parameters() if p.requires_grad]
        if not trained:
            raise RuntimeError(
                "DistributedDataParallel is not needed when a module doesn't have any parameters that require a gradient."
            )
        self.module, self.device_ids, self.dim = module, device_ids, dim
        self.require_backward_grad_sync = True
        cap = (25 if bucket_cap_mb is None else bucket_cap_mb) * (1 << 20)
        made = []
        for bucket in _buckets(trained, cap):
            flat = torch.empty(sum(p.numel() for p in bucket), dtype=bucket[0].dtype, device=bucket[0].device)
            made.append(flat)
            if gradient_as_bucket_view:
                start = 0
                for p in bucket:
                    p.grad = flat[start : start + p.numel()].view_as(p)
                    start += p.numel()
        self.__dict__["_bucket_tensors"] = made

    def forward(self, *inputs, **kwargs):
        if self.device_ids:
            device = torch.device("cuda", self.device_ids[0])
            inputs = [_to(value, device) for value in inputs]
            kwargs = {key: _to(value, device) for key, value in kwargs.items()}
        return self.module(*inputs, **kwargs)

    def no_sync(self):
        import contextlib

        return contextlib.nullcontext()

    def join(self, *_, **__):
        return self.no_sync()

    def register_comm_hook(self, state, hook):
        pass


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    if not isinstance(inputs, tuple):
        inputs = (inputs,) if inputs is not None else ()
    return module(*inputs, **(module_kwargs or {}))

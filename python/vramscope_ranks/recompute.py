"""Parts that are computed again for the backward pass (core/tensor_parallel/random.py: checkpoint, CheckpointWithoutOutput)."""

import torch


def recomputes(job, name):
    """Whether selective recomputation names a part."""
    return job.recompute == "selective" and name in job.recompute_modules


def again(job, name, function, *inputs):
    """The function's result; of a part that is named, only its inputs are kept."""
    if recomputes(job, name):
        return torch.utils.checkpoint.checkpoint(function, *inputs, use_reentrant=True)
    return function(*inputs)


class _Discarding(torch.autograd.Function):
    @staticmethod
    def forward(ctx, holder, function, *inputs):
        with torch.no_grad():
            results = function(*inputs)
        ctx.holder, ctx.inputs = holder, inputs
        return results

    @staticmethod
    def backward(ctx, *grads):
        results, inputs = ctx.holder.made
        ctx.holder.made = None
        torch.autograd.backward(results, grads)
        return None, None, *(its.grad if isinstance(its, torch.Tensor) else None for its in inputs)


class WithoutOutput:
    """Results whose bytes go when the next part has read them, and come back before its backward pass."""

    def __init__(self, function, *inputs):
        self.function, self.inputs, self.made = function, inputs, None
        made = _Discarding.apply(self, function, *inputs)
        self.single = not isinstance(made, tuple)
        self.results = (made,) if self.single else made

    def taken(self):
        return self.results[0] if self.single else self.results

    def discard(self, after):
        """Once a gradient of `after` comes, the results are made again."""
        self.sizes = [its.untyped_storage().size() for its in self.results]
        for its in self.results:
            its.untyped_storage().resize_(0)
        after.register_hook(self.recompute)

    def recompute(self, _):
        inputs = [its.detach().requires_grad_(its.requires_grad) for its in self.inputs]
        with torch.enable_grad():
            made = self.function(*inputs)
        made = (made,) if self.single else made
        for its, size in zip(self.results, self.sizes):
            its.untyped_storage().resize_(size)
        self.made = made, inputs
        self.results = self.inputs = None

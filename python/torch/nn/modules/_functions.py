"""Autograd functions that modules need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class BackwardHookFunction(torch.autograd.Function):
    """Identity with a node of its own, so that hooks have somewhere to sit."""

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> tuple[Tensor]:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *args: Tensor) -> tuple[Tensor]:
        return args


def _present(statistics, mask):
    """The rows of ranks that have elements. Which those are is read from the device: a copy of positions lives meanwhile."""
    return statistics[mask.nonzero().squeeze(-1)]


def _dense(tensor):
    """Channels first or channels last without gaps."""
    formats = (torch.channels_last, torch.channels_last_3d)
    return tensor if any(tensor.is_contiguous(memory_format=f) for f in formats) else tensor.contiguous()


class SyncBatchNorm(torch.autograd.Function):
    """Batch normalisation over all ranks of a group (torch/nn/modules/_functions.py SyncBatchNorm)."""

    @staticmethod
    def forward(
        ctx: Any,
        input: Tensor,
        weight: Tensor,
        bias: Any,
        running_mean: Any,
        running_var: Any,
        eps: Any,
        momentum: Any,
        process_group: torch.distributed.ProcessGroup,
        world_size: int,
    ) -> Tensor:
        import torch.distributed as dist

        input = _dense(input)
        weight = None if weight is None else weight.contiguous()
        channels = input.shape[1]
        elements = input.numel() // channels
        if elements == 1 and world_size < 2:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {elements}")
        if input.numel() > 0:
            mean, invstd = torch.batch_norm_stats(input, eps)
            count = torch.full((1,), elements, dtype=mean.dtype, device=mean.device)
            combined = torch.cat([mean, invstd, count])
        else:
            combined = torch.zeros(2 * channels + 1, dtype=input.dtype, device=input.device)
        if process_group._get_backend_name() != "gloo":
            flat = torch.empty(1, combined.numel() * world_size, dtype=combined.dtype, device=combined.device)
            dist.all_gather_into_tensor(flat, combined, process_group)
            combined = flat.reshape(world_size, combined.numel())
        else:
            parts = [torch.empty_like(combined) for _ in range(world_size)]
            dist.all_gather(parts, combined, process_group)
            combined = torch.stack(parts)
        mean_all, invstd_all, count_all = combined.split(channels, dim=1)
        mask = count_all.squeeze(-1) >= 1
        count_all = _present(count_all, mask)
        mean_all = _present(mean_all, mask)
        invstd_all = _present(invstd_all, mask)
        counts = count_all.view(-1)
        if running_mean is not None and counts.dtype != running_mean.dtype:
            counts = counts.to(running_mean.dtype)
        mean, invstd = torch.batch_norm_gather_stats_with_counts(
            input, mean_all, invstd_all, running_mean, running_var, momentum, eps, counts
        )
        ctx.save_for_backward(input, weight, mean, invstd, count_all.to(torch.int32))
        ctx.process_group = process_group
        if input.numel() == 0:
            return torch.empty_like(input)
        return torch.batch_norm_elemt(input, weight, bias, mean, invstd, eps)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        import torch.distributed as dist

        grad_output = _dense(grad_output)
        input, weight, mean, invstd, counts = ctx.saved_tensors
        needs = ctx.needs_input_grad
        grad_input = None
        if input.numel() == 0:
            if needs[0]:
                # the other ranks wait for this one
                dist.all_reduce(torch.zeros(2 * input.shape[1], dtype=input.dtype, device=input.device), group=ctx.process_group)  # fmt: skip
            return (None,) * 9
        sum_dy, sum_dy_xmu, grad_weight, grad_bias = torch.batch_norm_backward_reduce(
            grad_output, input, mean, invstd, weight, *needs[:3]
        )
        if needs[0]:
            channels = sum_dy.shape[0]
            combined = torch.cat([sum_dy, sum_dy_xmu])
            dist.all_reduce(combined, group=ctx.process_group)
            sum_dy, sum_dy_xmu = combined.split(channels)
            if weight is not None and weight.dtype != mean.dtype:
                weight = weight.to(mean.dtype)
            grad_input = torch.batch_norm_backward_elemt(
                grad_output, input, mean, invstd, weight, sum_dy, sum_dy_xmu, counts
            )
        return grad_input, grad_weight, grad_bias, None, None, None, None, None, None

"""Norms, losses, convolutions, pooling, resampling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from sections import run_all

if TYPE_CHECKING:
    from typing import Any


def image(m: Any, channels: int = 16, grad: bool = True) -> Any:
    side = 64 if m.large else 16
    return m.x(4, channels, side, side, grad=grad)


def convolve(m: Any, layer: Any, channels: int = 16, **extra: Any) -> Any:
    return m.module(layer)(image(m, channels), **extra)


cases = {
    "layer_norm": lambda m: F.layer_norm(m.x(), (m.columns,), m.x(m.columns), m.x(m.columns)),
    "layer_norm tall": lambda m: F.layer_norm(m.x(m.rows * 17, 64), (64,), m.x(64), m.x(64)),
    "layer_norm plain": lambda m: F.layer_norm(m.x(), (m.columns,)),
    "rms_norm": lambda m: F.rms_norm(m.x(), (m.columns,), m.x(m.columns)),
    "group_norm": lambda m: F.group_norm(image(m), 4, m.x(16), m.x(16)),
    "instance_norm": lambda m: F.instance_norm(image(m)),
    "batch_norm 1d": lambda m: m.module(nn.BatchNorm1d(m.columns))(m.x()),
    "batch_norm 2d": lambda m: convolve(m, nn.BatchNorm2d(16)),
    "batch_norm evaluation": lambda m: m.module(nn.BatchNorm2d(16)).eval()(image(m)),
    "local_response_norm": lambda m: F.local_response_norm(image(m), 3),
    "weight_norm": lambda m: torch.nn.utils.parametrizations.weight_norm(m.module(nn.Linear(64, 64)))(m.x(8, 64)),
    "cross_entropy": lambda m: F.cross_entropy(m.x(), m.ids(m.columns, m.rows)),
    "cross_entropy smoothed": lambda m: F.cross_entropy(m.x(), m.ids(m.columns, m.rows), label_smoothing=0.1),
    "cross_entropy ignored": lambda m: F.cross_entropy(
        m.x(), m.ids(m.columns, m.rows), ignore_index=0, reduction="sum"
    ),
    "cross_entropy probabilities": lambda m: F.cross_entropy(m.x(), torch.softmax(m.x(grad=False), -1)),
    "cross_entropy 2d": lambda m: F.cross_entropy(
        image(m), m.ids(16, 4, image(m, grad=False).shape[2], image(m, grad=False).shape[3])
    ),
    "nll_loss": lambda m: F.nll_loss(F.log_softmax(m.x(), -1), m.ids(m.columns, m.rows)),
    "mse_loss": lambda m: F.mse_loss(m.x(), m.x()),
    "mse_loss none": lambda m: F.mse_loss(m.x(), m.x(), reduction="none"),
    "l1_loss": lambda m: F.l1_loss(m.x(), m.x()),
    "smooth_l1_loss": lambda m: F.smooth_l1_loss(m.x(), m.x()),
    "huber_loss": lambda m: F.huber_loss(m.x(), m.x()),
    "kl_div": lambda m: F.kl_div(F.log_softmax(m.x(), -1), torch.softmax(m.x(grad=False), -1), reduction="batchmean"),
    "binary_cross_entropy": lambda m: F.binary_cross_entropy(
        torch.sigmoid(m.x()), torch.rand(m.rows, m.columns, device="cuda", dtype=m.dtype)
    ),
    "binary_cross_entropy_with_logits": lambda m: F.binary_cross_entropy_with_logits(
        m.x(), torch.rand(m.rows, m.columns, device="cuda", dtype=m.dtype)
    ),
    "hinge_embedding_loss": lambda m: F.hinge_embedding_loss(m.x(), torch.ones(m.rows, m.columns, device="cuda")),
    "margin_ranking_loss": lambda m: F.margin_ranking_loss(m.x(), m.x(), torch.ones(m.rows, m.columns, device="cuda")),
    "triplet_margin_loss": lambda m: F.triplet_margin_loss(m.x(), m.x(), m.x()),
    "cosine_embedding_loss": lambda m: F.cosine_embedding_loss(m.x(), m.x(), torch.ones(m.rows, device="cuda")),
    "multi_margin_loss": lambda m: F.multi_margin_loss(m.x(), m.ids(m.columns, m.rows)),
    "multilabel_soft_margin_loss": lambda m: F.multilabel_soft_margin_loss(
        m.x(), torch.ones(m.rows, m.columns, device="cuda", dtype=m.dtype)
    ),
    "poisson_nll_loss": lambda m: F.poisson_nll_loss(m.x(), m.x(grad=False)),
    "gaussian_nll_loss": lambda m: F.gaussian_nll_loss(m.x(), m.x(grad=False), m.positive()),
    "ctc_loss": lambda m: F.ctc_loss(
        F.log_softmax(torch.randn(50, 4, 20, device="cuda", requires_grad=True), 2),
        m.ids(19, 4, 10) + 1,
        torch.full((4,), 50),
        torch.full((4,), 10),
    ),
    "conv1d": lambda m: m.module(nn.Conv1d(16, 32, 3))(m.x(4, 16, m.columns)),
    "conv2d": lambda m: convolve(m, nn.Conv2d(16, 32, 3, padding=1)),
    "conv2d without bias": lambda m: convolve(m, nn.Conv2d(16, 32, 3, bias=False)),
    "conv2d strided": lambda m: convolve(m, nn.Conv2d(16, 32, 3, stride=2)),
    "conv2d grouped": lambda m: convolve(m, nn.Conv2d(16, 32, 3, groups=4)),
    "conv2d depthwise": lambda m: convolve(m, nn.Conv2d(16, 16, 3, groups=16)),
    "conv2d one by one": lambda m: convolve(m, nn.Conv2d(16, 32, 1)),
    "conv2d channels last": lambda m: m.module(nn.Conv2d(16, 32, 3)).to(memory_format=torch.channels_last)(
        image(m).contiguous(memory_format=torch.channels_last)
    ),
    "conv3d": lambda m: m.module(nn.Conv3d(4, 8, 3))(m.x(2, 4, 8, 16, 16)),
    "conv_transpose2d": lambda m: convolve(m, nn.ConvTranspose2d(16, 8, 2, stride=2)),
    "max_pool2d": lambda m: F.max_pool2d(image(m), 2),
    "avg_pool2d": lambda m: F.avg_pool2d(image(m), 2),
    "adaptive_avg_pool2d": lambda m: F.adaptive_avg_pool2d(image(m), 4),
    "adaptive_avg_pool2d one": lambda m: F.adaptive_avg_pool2d(image(m), 1),
    "adaptive_max_pool2d": lambda m: F.adaptive_max_pool2d(image(m), 4),
    "lp_pool2d": lambda m: F.lp_pool2d(image(m), 2, 2),
    "interpolate nearest": lambda m: F.interpolate(image(m), scale_factor=2),
    "interpolate bilinear": lambda m: F.interpolate(image(m), scale_factor=2, mode="bilinear"),
    "interpolate bicubic": lambda m: F.interpolate(image(m), scale_factor=2, mode="bicubic"),
    "grid_sample": lambda m: F.grid_sample(image(m), m.x(4, 8, 8, 2), align_corners=False),
    "pixel_shuffle": lambda m: F.pixel_shuffle(image(m), 2),
    "im2col": lambda m: F.unfold(image(m), 3),
    "col2im": lambda m: F.fold(F.unfold(image(m), 3), image(m, grad=False).shape[2:], 3),
}
run_all(cases)

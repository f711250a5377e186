"""Functions that are rows of operators and nothing else: torch's own, or those of torch._C._nn. One line each."""

import torch
from torch import _C

_nn = _C.generate("nn")

adaptive_avg_pool1d = torch.adaptive_avg_pool1d
avg_pool1d = torch.avg_pool1d
avg_pool2d = _nn["avg_pool2d"]
avg_pool3d = _nn["avg_pool3d"]
bilinear = torch.bilinear
channel_shuffle = torch.channel_shuffle
conv1d = torch.conv1d
conv2d = torch.conv2d
conv3d = torch.conv3d
conv_tbc = torch.conv_tbc
conv_transpose1d = torch.conv_transpose1d
conv_transpose2d = torch.conv_transpose2d
conv_transpose3d = torch.conv_transpose3d
cosine_similarity = torch.cosine_similarity
gelu = _nn["gelu"]
hardshrink = torch.hardshrink
linear = _nn["linear"]
logsigmoid = _nn["log_sigmoid"]
native_channel_shuffle = torch.channel_shuffle
pairwise_distance = torch.pairwise_distance
pdist = torch.pdist
pixel_shuffle = torch.pixel_shuffle
pixel_unshuffle = torch.pixel_unshuffle
prelu = torch.prelu
softplus = _nn["softplus"]
softshrink = _nn["softshrink"]
threshold_ = torch.threshold_

__all__ = [name for name in dir() if not name.startswith("_") and name != "torch"]

"""Functions that are rows of operators and nothing else: torch's own, or those of torch._C._nn. One line each."""

import torch
from torch import _C

_nn = _C.generate("nn")

bilinear = torch.bilinear
channel_shuffle = torch.channel_shuffle
conv_tbc = torch.conv_tbc
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

__all__ = [name for name in dir() if not name.startswith("_") and name != "torch"]

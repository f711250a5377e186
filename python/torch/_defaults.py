"""Process-wide defaults that scripts set: dtype and device of new tensors, and the text of the simulated version."""

from ._types import DTYPES

dtype = DTYPES["float32"]
device = None
by_type = False  # the device came with a type of tensors, which holds for torch.Tensor(...), too
version_text = "2.14.0"

"""tensorboard: what is asked about the package; torch.utils.tensorboard writes the files."""

from torch._stand_ins import lacks

__version__ = "2.20.0"
__getattr__ = lacks("tensorboard")

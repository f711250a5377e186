"""torch.utils.tensorboard: event files for TensorBoard, without the tensorboard package."""

from .writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]

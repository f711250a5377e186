"""Summaries that other loggers make themselves."""

from torch._stand_ins import lacks

from ._hparams import summaries as hparams

__all__ = ["hparams"]
__getattr__ = lacks("torch.utils.tensorboard.summary")

"""peft.tuners: LoRA alone."""

from torch._stand_ins import lacks

from . import lora

__all__ = ["lora"]
__getattr__ = lacks(__name__)

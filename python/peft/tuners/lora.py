"""peft.tuners.lora, as programs import its layers to tell them from others."""

from torch._stand_ins import lacks

from ..config import LoraConfig
from ..layers import LoraLayer
from ..model import LoraModel

__all__ = ["LoraConfig", "LoraLayer", "LoraModel"]
__getattr__ = lacks(__name__)

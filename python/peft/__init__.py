"""Stand-in for peft: LoRA and DoRA adapters around linear layers, and the preparation of quantized models, without values."""

from torch._stand_ins import lacks

from .config import LoraConfig, PeftConfig, TaskType
from .kbit import prepare_model_for_kbit_training
from .layers import LoraLayer
from .model import LoraModel, PeftModel, PeftModelForCausalLM, get_peft_model

__version__ = "0.21.0"
__getattr__ = lacks("peft")

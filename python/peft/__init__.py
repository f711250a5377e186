"""Stand-in for peft: LoRA and DoRA adapters around linear layers, and the preparation of quantized models, without values."""

from torch._stand_ins import lacks, note

from .config import LoraConfig, PeftConfig, TaskType
from .kbit import prepare_model_for_kbit_training
from .layers import LoraLayer
from .model import LoraModel, PeftModel, PeftModelForCausalLM, get_peft_model
from .saved import get_peft_model_state_dict, set_peft_model_state_dict

__version__ = "0.21.0"
_lacks = lacks("peft")
# What releases before 0.10 called it, which did the same from 0.4 on.
_FORMER = {"prepare_model_for_int8_training": prepare_model_for_kbit_training}


def __getattr__(name: str) -> object:
    if name not in _FORMER:
        return _lacks(name)
    note("former_name", library="peft", name=name)
    return _FORMER[name]

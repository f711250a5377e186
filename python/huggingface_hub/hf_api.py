"""huggingface_hub.hf_api: where the API is defined."""

from torch._stand_ins import lacks

from huggingface_hub._sending import *

__getattr__ = lacks("huggingface_hub.hf_api")

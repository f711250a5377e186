"""huggingface_hub.repocard: where cards are defined."""

from torch._stand_ins import lacks

from huggingface_hub._cards import *

__getattr__ = lacks("huggingface_hub.repocard")

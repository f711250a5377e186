"""Where things lie, and what they are called."""

import os

from torch._stand_ins import lacks

__getattr__ = lacks("huggingface_hub.constants")

HF_HOME = os.path.expanduser(os.environ.get("HF_HOME", "~/.cache/huggingface"))
HF_HUB_CACHE = HUGGINGFACE_HUB_CACHE = os.environ.get("HF_HUB_CACHE", os.path.join(HF_HOME, "hub"))
HF_HUB_OFFLINE = False
HF_HUB_ENABLE_HF_TRANSFER = False
HF_HUB_DISABLE_TELEMETRY = True
ENDPOINT = "https://huggingface.co"
CONFIG_NAME = "config.json"
PYTORCH_WEIGHTS_NAME = "pytorch_model.bin"
SAFETENSORS_SINGLE_FILE = "model.safetensors"
REPO_TYPES = [None, "model", "dataset", "space"]

"""huggingface_hub.hf_api: where the API is defined."""

from huggingface_hub._sending import *

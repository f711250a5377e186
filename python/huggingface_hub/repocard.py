"""huggingface_hub.repocard: where cards are defined."""

from huggingface_hub._cards import *

"""What the library offers under transformers.generation: generate(), what it is asked for, and what is done to scores."""

from . import logits_process
from .configuration_utils import GenerationConfig
from .logits_process import LogitsProcessor, LogitsProcessorList
from .utils import GenerationMixin


def __getattr__(name):
    found = vars(logits_process).get(name)
    if found is None:
        raise AttributeError(f"module 'transformers.generation' has no attribute '{name}'")
    return found

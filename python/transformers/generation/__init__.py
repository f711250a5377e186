"""What the library offers under transformers.generation: generate(), what it is asked for, and what is done to scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import logits_process
from .configuration_utils import GenerationConfig
from .logits_process import LogitsProcessor, LogitsProcessorList
from .utils import GenerationMixin

if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    found = vars(logits_process).get(name)
    if found is None:
        raise AttributeError(f"module 'transformers.generation' has no attribute '{name}'")
    return found

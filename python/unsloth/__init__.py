"""Stand-in for unsloth: its calls, carried out by transformers, peft and trl, which need more memory than its own kernels."""

from __future__ import annotations

from torch._stand_ins import lacks, note

from . import trainer
from .chat_templates import (
    apply_chat_template,
    get_chat_template,
    standardize_data_formats,
    standardize_sharegpt,
    to_sharegpt,
    train_on_responses_only,
)
from .loading import FastLanguageModel, FastModel, FastVisionModel, is_bf16_supported, is_bfloat16_supported
from .trainer import (
    PatchDPOTrainer,
    PatchFastRL,
    PatchKTOTrainer,
    UnslothTrainer,
    UnslothTrainingArguments,
    UnslothVisionDataCollator,
    unsloth_train,
)

__all__ = [
    "FastLanguageModel",
    "FastModel",
    "FastVisionModel",
    "PatchDPOTrainer",
    "PatchFastRL",
    "PatchKTOTrainer",
    "UnslothTrainer",
    "UnslothTrainingArguments",
    "UnslothVisionDataCollator",
    "apply_chat_template",
    "get_chat_template",
    "is_bf16_supported",
    "is_bfloat16_supported",
    "standardize_data_formats",
    "standardize_sharegpt",
    "to_sharegpt",
    "train_on_responses_only",
    "unsloth_train",
]

__getattr__ = lacks("unsloth")
__version__ = "2026.8.1"

# families that had classes of their own
for _family in ("Llama", "Mistral", "Qwen2", "Qwen3", "Gemma", "Gemma2", "Cohere", "Granite"):
    globals()[f"Fast{_family}Model"] = FastLanguageModel

trainer.accept_former_arguments()
note("unsloth_kernels")

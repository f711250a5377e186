"""Stand-in for transformers: models by family, doing the same tensor work in the same order as the library, without values."""

from __future__ import annotations

import importlib
import sys

from torch._stand_ins import lacks, note

from . import modeling_outputs, modeling_utils, models, releases
from .activations import ACT2FN
from .parts.attention import AttentionInterface
from .cache_utils import Cache, DynamicCache, EncoderDecoderCache, StaticCache
from .configuration_utils import AutoConfig, PretrainedConfig, PreTrainedConfig
from .errors import absent
from .generation import GenerationConfig, GenerationMixin, LogitsProcessor, LogitsProcessorList, logits_process
from .modeling_utils import GradientCheckpointingLayer, PreTrainedModel
from .optimization import (
    Adafactor,
    get_constant_schedule,
    get_constant_schedule_with_warmup,
    get_cosine_schedule_with_warmup,
    get_linear_schedule_with_warmup,
    get_scheduler,
)
from .quantization.configs import (
    AwqConfig,
    BitsAndBytesConfig,
    EetqConfig,
    FineGrainedFP8Config,
    GPTQConfig,
    HqqConfig,
    QuantoConfig,
    TorchAoConfig,
)
from .quantization.cache import QuantizedCache


def set_seed(seed: int, deterministic: bool = False) -> None:
    import random

    import torch

    random.seed(seed)
    torch.manual_seed(seed)


class _Structure(dict):
    """Names of each part of the package: programs ask whether it is new enough to have one."""

    def __missing__(self, part: str) -> "_Structure":
        return self

    def __contains__(self, name: object) -> bool:
        return hasattr(sys.modules[__name__], str(name))


def __getattr__(name: str) -> type:
    if name == "__version__":
        return releases.version_text()
    if name == "_import_structure":
        return _Structure()
    if name == "AdamW":
        note("former_name", library="transformers", name=name)
        return importlib.import_module("transformers.optimization").AdamW
    if name in _OF_TRAINER:
        return getattr(importlib.import_module("transformers.trainer"), name)
    if "Tokenizer" in name or name in _OF_TOKENS:
        return _of_tokens(name)
    if name == "AddedToken":
        return importlib.import_module("tokenizers").AddedToken
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(f"transformers.{_ELSEWHERE[name]}"), name)
    for place in (
        modeling_utils.class_named(name),
        getattr(modeling_outputs, name, None),
        getattr(logits_process, name, None),
    ):
        if place is not None:
            return place
    if name in _PARTS:
        return importlib.import_module(f"transformers.{name}")
    try:
        # a part of a package may never use it
        return _lacks(name)
    except (AttributeError, ImportError):
        raise absent(name) from None


_lacks = lacks("transformers")
# Parts that are imported when somebody names them.
_PARTS = (
    "integrations",
    "trainer_utils",
    "trainer_pt_utils",
    "trainer_callback",
    "training_args",
    "utils",
    "pipelines",
)

# Its loops are compiled when it is imported, so that they end by themselves (vramscope_shelf.DRIVERS).
_OF_TRAINER = ("Trainer", "TrainingArguments", "default_data_collator", "EvalPrediction")
_ELSEWHERE = {
    "pipeline": "pipelines", "Pipeline": "pipelines", "HfArgumentParser": "hf_argparser", "logging": "utils",
    **dict.fromkeys(
        "TrainerCallback TrainerState TrainerControl EarlyStoppingCallback DefaultFlowCallback ProgressCallback PrinterCallback".split(),
        "trainer_callback",
    ),
    **dict.fromkeys("IntervalStrategy SchedulerType".split(), "trainer_utils"),
}  # fmt: skip
# Few programs of the short form need tokenizers: they are imported when one is asked for.
_OF_TOKENS = (
    "BatchEncoding", "DataCollatorForLanguageModeling", "DataCollatorForSeq2Seq", "DataCollatorForTokenClassification",
    "DataCollatorWithPadding", "DefaultDataCollator", "default_data_collator",
)  # fmt: skip


def _of_tokens(name):
    """A family's own class is the one that reads its vocabulary, whatever it is."""
    from . import tokens

    return getattr(tokens, name, None) or tokens.PreTrainedTokenizerFast


def __dir__() -> list:
    return sorted({*globals(), *modeling_utils.class_names()})

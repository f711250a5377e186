"""Stand-in for transformers: models by family, doing the same tensor work in the same order as the library, without values."""

from . import (
    activations,
    attention,
    cache,
    config,
    generation,
    logits,
    losses,
    masks,
    model,
    models,
    outputs,
    releases,
    rope,
)
from .activations import ACT2FN
from .attention import AttentionInterface
from .cache import Cache, DynamicCache, EncoderDecoderCache, StaticCache
from .config import AutoConfig, PretrainedConfig, PreTrainedConfig
from .errors import absent
from .generation import GenerationMixin
from .generation_config import GenerationConfig
from .logits import LogitsProcessor, LogitsProcessorList
from .model import GradientCheckpointingLayer, PreTrainedModel
from .optimization import (
    Adafactor,
    get_constant_schedule,
    get_constant_schedule_with_warmup,
    get_cosine_schedule_with_warmup,
    get_linear_schedule_with_warmup,
    get_scheduler,
)
from .quantization_configs import (
    AwqConfig,
    BitsAndBytesConfig,
    EetqConfig,
    FineGrainedFP8Config,
    GPTQConfig,
    HqqConfig,
    QuantoConfig,
    TorchAoConfig,
)
from .quantized_cache import QuantizedCache
from .trainer import Trainer, TrainingArguments, default_data_collator


def set_seed(seed, deterministic=False):
    import random

    import torch

    random.seed(seed)
    torch.manual_seed(seed)


def __getattr__(name):
    if name == "__version__":
        return releases.version_text()
    for place in (model.class_named(name), getattr(outputs, name, None), getattr(logits, name, None)):
        if place is not None:
            return place
    raise absent(name)


def __dir__():
    return sorted({*globals(), *model.class_names()})

"""What all models share: config and dtype, tied weights, checkpointing of blocks, loading without values, generation."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import note
from torch.utils.checkpoint import checkpoint

from .parts.attention import HeadedModule
from .parts.checkpoint_dtype import dtype_of
from .configuration_utils import AutoConfig, PreTrainedConfig, _HUB_ARGUMENTS, register_config
from .generation.utils import GenerationMixin
from .parts.losses import loss_of
from .quantization.layers import finish_loading, quantize_model
from .quantization.configs import checkpoint_config, former_config, unsaid_dtype, used_config
from .releases import is_past, version_text

if TYPE_CHECKING:
    from typing import Any, Self

    from torch import Tensor


class Block(nn.Module):
    """
    A layer that can be computed again in backward.

    Tensors that need a gradient are passed by position, so that the reentrant kind sees them.
    """

    gradient_checkpointing = False

    def __call__(self, *args: Tensor | bool | None, **kwargs: Any) -> Tensor | tuple:
        if self.gradient_checkpointing and self.training:
            # what was computed once must not enter a memory twice
            for name in ("past_key_value", "past_key_values", "layer_past"):
                if kwargs.get(name) is not None:
                    kwargs[name] = None
            if kwargs.get("use_cache"):
                kwargs["use_cache"] = False
            return self._gradient_checkpointing_func(partial(super().__call__, **kwargs), *args)
        return super().__call__(*args, **kwargs)


GradientCheckpointingLayer = Block

# what calls of most models can collect
BLOCK_RECORDS = {"hidden_states": Block, "attentions": HeadedModule}


class PreTrainedModel(nn.Module, GenerationMixin):
    """
    A model with a config.

    `tied` names parameters that are one tensor if the config ties them: {path of the second: path of the first}.
    `base_model_prefix` is the attribute that holds the model under a head.
    """

    config_class = PreTrainedConfig
    base_model_prefix = "model"
    main_input_name = "input_ids"
    supports_gradient_checkpointing = True
    supports_sdpa = True
    tied = {}
    keep_in_fp32 = ()
    # what a call can collect: {name of the result: class of module, or Recorded}
    records = {}

    def __init__(self, config: PreTrainedConfig, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.config = config
        self.name_or_path = config.name_or_path
        if config._attn_implementation is None:
            config.choose(attention="sdpa" if self._has_sdpa() else "eager")
        if config._experts_implementation is None:
            config.choose(experts="grouped_mm")
        self.loss_type = type(self).__name__
        self.warnings_issued = {}

    @classmethod
    def _has_sdpa(cls):
        # PyTorch before 2.0 has none: utils/import_utils.py, is_torch_sdpa_available
        if not hasattr(torch.nn.functional, "scaled_dot_product_attention"):
            return False
        return cls.supports_sdpa and getattr(cls, "model_class", cls).supports_sdpa

    def post_init(self) -> None:
        self.tie_weights()

    def init_weights(self) -> None:
        """Values do not exist, so there is nothing to initialise."""

    # --- parts

    @property
    def base_model(self) -> torch.nn.Module:
        return getattr(self, self.base_model_prefix, self)

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    @property
    def dtype(self) -> torch.dtype:
        return next((p.dtype for p in self.parameters() if p.is_floating_point()), torch.float32)

    def get_input_embeddings(self) -> torch.nn.Module:
        for name in ("embed_tokens", "word_embeddings", "wte", "embeddings", "shared", "tok_embeddings"):
            part = getattr(self, name, None)
            if part is not None:
                return part if isinstance(part, nn.Embedding) else getattr(part, "word_embeddings", part)
        base = self.base_model
        if base is not self:
            return base.get_input_embeddings()
        inner = (
            getattr(self, "language_model", None) or getattr(self, "decoder", None) or getattr(self, "encoder", None)
        )
        return None if inner is None else inner.get_input_embeddings()

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return getattr(self, "lm_head", None)

    def get_encoder(self) -> Any:
        return self.encoder if hasattr(self, "encoder") else self.base_model.encoder

    def get_decoder(self) -> Any:
        return self.decoder if hasattr(self, "decoder") else self.base_model.decoder

    def loss_function(self, *args: PreTrainedConfig | Tensor, **kwargs: Tensor | int) -> Tensor:
        return loss_of(self.loss_type)(*args, **kwargs)

    def num_parameters(self, only_trainable: bool = False, exclude_embeddings: bool = False) -> Any:
        skipped = {id(m.weight) for m in self.modules() if isinstance(m, nn.Embedding)} if exclude_embeddings else ()
        parameters = (p for p in self.parameters() if id(p) not in skipped)
        return sum(p.numel() for p in parameters if p.requires_grad or not only_trainable)

    def get_memory_footprint(self, return_buffers: bool = True) -> Any:
        tensors = list(self.parameters()) + (list(self.buffers()) if return_buffers else [])
        return sum(t.nelement() * t.element_size() for t in tensors)

    # --- weights that are one

    def tie_weights(self) -> None:
        if not getattr(self.config, "tie_word_embeddings", True) and not getattr(self, "always_tied", False):
            return
        for second, first in self.tied.items():
            owner, _, name = second.rpartition(".")
            owner = self.get_submodule(owner)
            setattr(owner, name, self.get_parameter(first))

    def resize_token_embeddings(
        self, count: int | None = None, pad_to_multiple_of: int | None = None, mean_resizing: bool = True
    ) -> Any:
        old = self.get_input_embeddings()
        if count is None:
            return old
        if pad_to_multiple_of:
            count = -(-count // pad_to_multiple_of) * pad_to_multiple_of
        with torch.no_grad():
            old.weight = nn.Parameter(
                torch.empty(count, old.weight.shape[1], dtype=old.weight.dtype, device=old.weight.device)
            )
        old.num_embeddings = count
        head = self.get_output_embeddings()
        if head is not None:
            head.weight = nn.Parameter(
                torch.empty(count, head.weight.shape[1], dtype=head.weight.dtype, device=head.weight.device)
            )
            head.out_features = count
        self.config.get_text_config().vocab_size = count
        self.tie_weights()
        return old

    # --- checkpointing

    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs: dict[str, bool] | None = None) -> None:
        if not self.supports_gradient_checkpointing:
            raise ValueError(f"{type(self).__name__} does not support gradient checkpointing.")
        # an empty dict leaves the choice to torch, which reenters
        options = {"use_reentrant": False} if gradient_checkpointing_kwargs is None else gradient_checkpointing_kwargs
        again = partial(checkpoint, **options)
        for module in self.modules():
            if hasattr(module, "gradient_checkpointing"):
                module._gradient_checkpointing_func = again
                module.gradient_checkpointing = True
        if self.main_input_name == "input_ids":
            self.enable_input_require_grads()

    def gradient_checkpointing_disable(self) -> None:
        for module in self.modules():
            if hasattr(module, "gradient_checkpointing"):
                module.gradient_checkpointing = False

    @property
    def is_gradient_checkpointing(self) -> bool:
        return any(getattr(module, "gradient_checkpointing", False) for module in self.modules())

    def enable_input_require_grads(self) -> None:
        """Blocks whose parameters are frozen still have something to differentiate."""

        def require(module, inputs, output):
            output.requires_grad_(True)

        models = (module for module in self.modules() if isinstance(module, PreTrainedModel))
        tables = {id(table): table for table in (model.get_input_embeddings() for model in models) if table is not None}
        self._require_grads_hooks = [table.register_forward_hook(require) for table in tables.values()]

    def disable_input_require_grads(self) -> None:
        for hook in self._require_grads_hooks:
            hook.remove()

    # --- making

    @classmethod
    def _from_config(
        cls, config, dtype=None, torch_dtype=None, attn_implementation=None, experts_implementation=None, **_
    ):
        if attn_implementation == "sdpa" and not cls._has_sdpa():
            raise ValueError(
                f"{cls.__name__} has no attention through torch.nn.functional.scaled_dot_product_attention in "
                "transformers; leave attn_implementation out, or say 'eager'"
            )
        config.choose(attn_implementation, experts_implementation)
        dtype = dtype if dtype is not None else torch_dtype
        if isinstance(dtype, str):
            dtype = None if dtype == "auto" else getattr(torch, dtype)
        if dtype is None:
            return cls(config)
        before = torch.get_default_dtype()
        torch.set_default_dtype(dtype)
        try:
            return cls(config)
        finally:
            torch.set_default_dtype(before)

    @classmethod
    def from_pretrained(
        cls,
        place: int,
        *,
        config: PreTrainedConfig | None = None,
        dtype: torch.dtype | None = None,
        torch_dtype: Any = None,
        device_map: Any = None,
        attn_implementation: Any = None,
        quantization_config: Any = None,
        **more: Any,
    ) -> Self:
        """
        The model of a folder's config.json. Weights are not read: they have no values here.

        `device_map` puts the whole model on one device, for "auto" on the GPU.
        """
        if config is None:
            config = AutoConfig.from_pretrained(place)
        for name in list(more):
            if name in _HUB_ARGUMENTS or name in (
                "low_cpu_mem_usage",
                "use_safetensors",
                "offload_folder",
                "max_memory",
            ):
                more.pop(name)
            elif hasattr(config, name):
                setattr(config, name, more.pop(name))
        dtype = dtype if dtype is not None else torch_dtype
        if dtype in (None, "auto"):
            # transformers 5 takes the dtype of the checkpoint, which its config names, or its weights have
            dtype = config.dtype or getattr(config.get_text_config(), "dtype", None) or dtype_of(place)
        former = former_config(more)
        if quantization_config is None:
            quantization_config = former or checkpoint_config(config)
        quantization_config = used_config(quantization_config)
        if dtype is None and quantization_config is not None:
            dtype = unsaid_dtype(quantization_config)
        experts = more.pop("experts_implementation", None)
        model = cls._from_config(
            config, dtype=dtype, attn_implementation=attn_implementation, experts_implementation=experts
        )
        model.eval()
        if quantization_config is not None:
            model = quantize_model(model, quantization_config)
            # quantized where it shall run
            device_map = "cuda" if device_map is None else device_map
        if device_map is not None:
            target = device_map if isinstance(device_map, (str, int, torch.device)) else next(iter(device_map.values()))
            target = "cuda" if target in ("auto", "balanced", "sequential") else target
            model.to(target)
            if quantization_config is not None:
                finish_loading(model, target)
        return model

    def save_pretrained(self, folder: str, **_: Any) -> None:
        os.makedirs(folder, exist_ok=True)
        self.config.save_pretrained(folder)


# --- finding a model's class

_AUTO = {}
_CLASSES = {}


def register(config: PreTrainedConfig, **models: Any) -> None:
    """Makes a family known: its config class, and its models by the Auto class that leads to them."""
    register_config(config)
    _CLASSES[config.__name__] = config
    for auto, model in models.items():
        model.config_class = config
        _CLASSES[model.__name__] = model
        _AUTO.setdefault(auto, {})[config.model_type] = model


def register_classes(*models: Any) -> None:
    """Makes classes known by name alone."""
    for model in models:
        _CLASSES[model.__name__] = model


def class_named(name: str) -> type:
    """The config or model class of that name, an Auto class, or None."""
    if name in _CLASSES:
        return _CLASSES[name]
    if name.startswith("AutoModel"):
        return _auto(name)
    return None


def class_names() -> list:
    return [*_CLASSES, *_AUTO]


def _find(auto, config):
    models = _AUTO.get(auto, {})
    if config.model_type not in models:
        known = ", ".join(sorted(models)) or "none"
        raise ValueError(f"vramscope has no {auto} for model type {config.model_type!r}; it has: {known}")
    model = models[config.model_type]
    return _as_before(model, config) if auto == "AutoModelForCausalLM" else model


def _as_before(model, config):
    """A decoder's class as an earlier release had it, where that is played; a family that has none keeps today's."""
    if not is_past("tuple_caches"):
        return model
    from .cores.past_decoder import FAMILIES, PastCausalLM

    if config.model_type in FAMILIES:
        return PastCausalLM
    note("family_of_today", "family", config.model_type, release=version_text())
    return model


def _auto(name):
    def from_config(config, **more):
        return _find(name, config)._from_config(config, **more)

    def from_pretrained(place, *args, config=None, **more):
        if config is None:
            config = AutoConfig.from_pretrained(place)
        return _find(name, config).from_pretrained(place, config=config, **more)

    kind = type(name, (), {"from_config": staticmethod(from_config), "from_pretrained": staticmethod(from_pretrained)})
    _CLASSES[name] = kind
    return kind

"""A model with adapters: which layers get one, what is trained, and the model around it."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING

import torch
from torch import nn

from .config import DEFAULT_TARGETS
from .layers import LoraLayer, is_linear, kind_of

if TYPE_CHECKING:
    from typing import Any


def _matches(name, targets):
    if isinstance(targets, str):
        return re.fullmatch(targets, name) is not None
    return name in targets or any(name.endswith(f".{target}") for target in targets)


def _targets(model, config):
    """The names of the modules that get an adapter."""
    targets = config.target_modules
    if targets is None:
        kind = getattr(getattr(model, "config", None), "model_type", None)
        if kind not in DEFAULT_TARGETS:
            raise ValueError("Please specify `target_modules` in `peft_config`")
        targets = set(DEFAULT_TARGETS[kind])
    modules = dict(model.named_modules())
    if targets == "all-linear":
        head = model.get_output_embeddings() if hasattr(model, "get_output_embeddings") else None
        found = [n for n, m in modules.items() if is_linear(m) and m is not head]
    else:
        found = [n for n in modules if _matches(n, targets)]
    if config.exclude_modules:
        found = [n for n in found if not _matches(n, config.exclude_modules)]
    wanted = config.layers_to_transform
    if wanted is not None:
        wanted = {wanted} if isinstance(wanted, int) else set(wanted)
        found = [n for n in found if {int(part) for part in n.split(".") if part.isdigit()} & wanted]
    if not found:
        raise ValueError(
            f"Target modules {targets} not found in the base model. Please check the target modules and try again."
        )
    for name in found:
        if kind_of(modules[name]) is None:
            raise NotImplementedError(
                f"vramscope's stand-in for peft has no adapter for {type(modules[name]).__name__} ({name})"
            )
    return found


def _by_pattern(patterns, name, otherwise):
    return next((value for key, value in patterns.items() if re.match(rf"(.*\.)?({key})$", name)), otherwise)


class Saved(nn.Module):
    """A module that is trained as a whole: a copy beside the frozen one."""

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self.original_module = module
        self.modules_to_save = nn.ModuleDict({"default": copy.deepcopy(module)})
        self.modules_to_save.requires_grad_(True)

    @property
    def weight(self) -> Any:
        return self.modules_to_save["default"].weight

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.modules_to_save["default"](*args, **kwargs)


class LoraModel(nn.Module):
    """Holds the model whose layers it has changed."""

    def __init__(self, model: torch.nn.Module, config: Any, adapter_name: str = "default", upcast: bool = True) -> None:
        super().__init__()
        self.model = model
        found = _targets(model, config)
        for name in found:
            parent, _, last = name.rpartition(".")
            parent = model.get_submodule(parent) if parent else model
            layer = getattr(parent, last)
            rank = _by_pattern(config.rank_pattern, name, config.r)
            alpha = _by_pattern(config.alpha_pattern, name, config.lora_alpha)
            setattr(parent, last, kind_of(layer)(layer, config, rank, alpha))
        # only when all layers have theirs
        for module in model.modules() if upcast else ():
            if isinstance(module, LoraLayer):
                module.upcast()
        for name, parameter in model.named_parameters():
            adapter = ".lora_" in name
            keeps = config.bias == "all" and name.endswith("bias")
            parameter.requires_grad = (adapter or keeps) and not config.inference_mode
        for target in config.modules_to_save or ():
            for name, module in list(model.named_modules()):
                if _matches(name, {target}):
                    parent, _, last = name.rpartition(".")
                    setattr(model.get_submodule(parent) if parent else model, last, Saved(module))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.model.forward(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == "model":
                raise
            return getattr(self.model, name)


class PeftModel(nn.Module):
    """A model with adapters, called as the model itself."""

    def __init__(
        self,
        model: torch.nn.Module,
        peft_config: Any,
        adapter_name: str = "default",
        autocast_adapter_dtype: bool = True,
    ) -> None:
        super().__init__()
        self.peft_config, self.active_adapter = {adapter_name: peft_config}, adapter_name
        self.base_model = LoraModel(model, peft_config, adapter_name, autocast_adapter_dtype)
        if getattr(model, "is_gradient_checkpointing", False) and hasattr(model, "enable_input_require_grads"):
            model.enable_input_require_grads()

    def get_base_model(self) -> Any:
        return self.base_model.model

    def get_nb_trainable_parameters(self) -> tuple:
        """Trainable parameters and all; of a 4-bit weight two per byte."""
        trained = total = 0
        for parameter in self.parameters():
            count = parameter.numel()
            if type(parameter).__name__ == "Params4bit":
                count = count * 2 * parameter.element_size()
            total += count
            trained += count if parameter.requires_grad else 0
        return trained, total

    def print_trainable_parameters(self) -> None:
        trained, total = self.get_nb_trainable_parameters()
        print(f"trainable params: {trained:,d} || all params: {total:,d} || trainable%: {100 * trained / total:.4f}")

    def _set_disabled(self, value):
        for module in self.modules():
            if isinstance(module, LoraLayer):
                module.disabled = value

    def disable_adapter_layers(self) -> None:
        self._set_disabled(True)

    def enable_adapter_layers(self) -> None:
        self._set_disabled(False)

    def disable_adapter(self) -> _Disabled:
        return _Disabled(self)

    def save_pretrained(self, folder: str, **_: Any) -> None:
        import os

        os.makedirs(folder, exist_ok=True)

    @torch.no_grad()
    def generate(self, *args: Any, **kwargs: Any) -> Any:
        return self.get_base_model().generate(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.get_base_model()(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == "base_model":
                raise
            return getattr(self.base_model, name)


class _Disabled:
    def __init__(self, model: torch.nn.Module) -> None:
        self._model = model

    def __enter__(self) -> None:
        self._model.disable_adapter_layers()

    def __exit__(self, *_: Any) -> None:
        self._model.enable_adapter_layers()


class PeftModelForCausalLM(PeftModel):
    """Calls the model with its arguments by name."""

    def forward(
        self,
        input_ids: Any = None,
        attention_mask: Any = None,
        inputs_embeds: Any = None,
        labels: Any = None,
        output_attentions: Any = None,
        output_hidden_states: Any = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        named = {
            "input_ids": input_ids,
            "attention_mask": attention_mask,
            "inputs_embeds": inputs_embeds,
            "labels": labels,
        }
        kwargs.update(
            output_attentions=output_attentions, output_hidden_states=output_hidden_states, return_dict=return_dict
        )
        return self.base_model(**{k: v for k, v in {**named, **kwargs}.items() if v is not None})


def get_peft_model(
    model: torch.nn.Module,
    peft_config: Any,
    adapter_name: str = "default",
    autocast_adapter_dtype: bool = True,
    **_: Any,
) -> Any:
    """Changes the model's layers in place and wraps it. Adapters in 16 bits are made float32 unless `autocast_adapter_dtype` is off."""
    kind = PeftModelForCausalLM if peft_config.task_type == "CAUSAL_LM" else PeftModel
    return kind(model, peft_config, adapter_name, autocast_adapter_dtype)

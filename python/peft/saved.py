"""What is saved of a model with adapters, and put back: their own weights under names without the adapter's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .config import PeftConfig

if TYPE_CHECKING:
    from typing import Any

    import torch


def _of_biases(names: Any, which: str) -> set[str]:
    """The biases that are trained: of all layers, or of those with an adapter."""
    if which == "all":
        return {name for name in names if "bias" in name}
    beside = {name.split("lora_")[0] + "bias" for name in names if "lora_" in name} if which == "lora_only" else ()
    return beside & set(names) if beside else set()


def get_peft_model_state_dict(
    model: torch.nn.Module, state_dict: Any = None, adapter_name: str = "default", **_: Any
) -> dict[str, Any]:
    """Nothing is copied: these are the tensors of `state_dict`, or of the model's."""
    state = model.state_dict() if state_dict is None else state_dict
    config: PeftConfig = model.peft_config[adapter_name]
    biases = _of_biases(state, config.bias)
    kept = {name: value for name, value in state.items() if "lora_" in name or name in biases}
    length = f"lora_magnitude_vector.{adapter_name}.weight"
    kept = {name.removesuffix(".weight") if name.endswith(length) else name: value for name, value in kept.items()}
    whole = f".modules_to_save.{adapter_name}."
    kept |= {name.replace(whole, "."): value for name, value in state.items() if whole in name}
    return {name.replace(f".{adapter_name}", ""): value for name, value in kept.items()}


def _own_name(name: str, adapter_name: str, modules: dict[str, Any]) -> str:
    """The model's name of what was saved under another."""
    first, mark, rest = name.partition(".lora_")
    if mark:
        part, dot, last = rest.partition(".")
        suffix = f".{adapter_name}{dot}{last}" if dot else f".{adapter_name}.weight"
        return f"{first}{mark}{part}{suffix}"
    parent, _, last = name.rpartition(".")
    return (
        f"{parent}.modules_to_save.{adapter_name}.{last}" if hasattr(modules.get(parent), "modules_to_save") else name
    )


def set_peft_model_state_dict(
    model: torch.nn.Module, peft_model_state_dict: Any, adapter_name: str = "default", **_: Any
) -> Any:
    """Copies weights into the adapters; what fits no name is in the result."""
    modules = dict(model.named_modules())
    own = {_own_name(name, adapter_name, modules): value for name, value in peft_model_state_dict.items()}
    return model.load_state_dict(own, strict=False)

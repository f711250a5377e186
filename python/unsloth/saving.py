"""What unsloth adds to a model for saving and answering: transformers writes the adapters or weights, and generates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any

    import torch


def _save(self: Any, folder: str, tokenizer: Any = None, *args: Any, **more: Any) -> None:
    """In the place of merging the adapters or converting the file: neither is simulated."""
    note("unsloth_not_converted")
    self.save_pretrained(folder)
    if tokenizer is not None:
        tokenizer.save_pretrained(folder)


def _push(self: Any, *args: Any, **more: Any) -> None:
    """Nothing leaves the sandbox."""
    note("unsloth_not_converted")


def _generate(self: Any, *args: Any, **more: Any) -> Any:
    """By transformers, whatever engine the program asked for."""
    return self.generate(*args, **more)


def add_methods(model: torch.nn.Module) -> None:
    """To its class: what a model holds itself would keep it alive after the program let it go."""
    for name in ("save_pretrained_merged", "save_pretrained_gguf", "save_pretrained_torchao", "save_pretrained_ggml"):
        setattr(type(model), name, _save)
    for name in ("push_to_hub_merged", "push_to_hub_gguf", "push_to_hub_ggml"):
        setattr(type(model), name, _push)
    type(model).fast_generate = _generate

"""Models of a program's own class that lie on the hub: they are made with the arguments that the program gives, and keep their first weights."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import torch

from ._sending import said

if TYPE_CHECKING:
    from typing import Any, Self

__all__ = ["ModelHubMixin", "PyTorchModelHubMixin"]

_OF_HUB = frozenset(
    "force_download resume_download proxies token cache_dir local_files_only revision subfolder strict map_location config".split()
)


class ModelHubMixin:
    def __init_subclass__(cls, *_: Any, **about: Any) -> None:
        """What a model is about is written on its card."""
        super().__init_subclass__()

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path: Any, **settings: Any) -> Self:
        from torch._stand_ins import note

        model = cls(**{name: value for name, value in settings.items() if name not in _OF_HUB})
        note("placeholder_download", "url", str(pretrained_model_name_or_path), what=f"{cls.__name__} as it is made")
        return model.eval() if isinstance(model, torch.nn.Module) else model

    def save_pretrained(self, save_directory: Any, *, push_to_hub: bool = False, **_: Any) -> None:
        os.makedirs(save_directory, exist_ok=True)
        if isinstance(self, torch.nn.Module):
            torch.save(self.state_dict(), os.path.join(save_directory, "pytorch_model.bin"))
        if push_to_hub:
            said()

    def push_to_hub(self, repo_id: str, **_: Any) -> str:
        said()
        return f"https://huggingface.co/{repo_id}"


class PyTorchModelHubMixin(ModelHubMixin):
    pass

"""timm's own repositories: an id names an architecture and a training, and timm knows the shapes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ._repositories import Repository, say

if TYPE_CHECKING:
    from typing import Any


def repository(repo_id: str) -> Any:
    """The files of `timm/ARCHITECTURE.TAG`; None where timm has no such architecture."""
    try:
        import timm
    except ImportError:
        return None
    name, _, tag = repo_id.removeprefix("timm/").partition(".")
    if not timm.is_model(name):
        return None
    settings = timm.models.get_pretrained_cfg(f"{name}.{tag}" if tag else name)
    classes = getattr(settings, "num_classes", 1000)
    config = {"architecture": name, "num_classes": classes, "pretrained_cfg": settings.to_dict() if settings else {}}
    return Repository(
        {
            "config.json": lambda: json.dumps(config, default=list),
            "model.safetensors": lambda: _weights(repo_id, name, classes),
        }
    )


def _weights(repo_id, name, classes):
    import timm

    from ._weights import header, own_tensors, without_memory

    with without_memory():
        model = timm.create_model(name, pretrained=False, num_classes=classes)
    tensors = list(own_tensors(model))
    say("hub_weights", repo_id, dtype="float32", tensors=len(tensors))
    return header((key, tensor, None) for key, tensor in tensors)

"""Settings of what turns images and sound into a model's inputs: the class's own, with the sizes that the model's configuration gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def processor_files(repo_id: str, config: Any) -> dict:
    """preprocessor_config.json; nothing where the model reads only text."""
    if not any(
        key in config
        for key in (
            "vision_config",
            "image_size",
            "num_channels",
            "audio_config",
            "num_mel_bins",
            "conv_dim",
            "backbone_config",
        )
    ):
        return {}
    return {"preprocessor_config.json": lambda: json.dumps(_settings(config))}


def _settings(config):
    model_type = config.get("model_type", "")
    kind = _class_of(model_type)
    if kind is None:
        return {}
    state = {"feature_extractor_type" if "FeatureExtractor" in kind else "image_processor_type": kind}
    if "num_mel_bins" in config:
        state["feature_size"] = config["num_mel_bins"]
    size = config.get("image_size") or (config.get("vision_config") or {}).get("image_size")
    if isinstance(size, (list, tuple)):
        size = size[0]
    if isinstance(size, int) and "FeatureExtractor" not in kind:
        state.update(_sizes(kind, size))
    return state


def _class_of(model_type):
    """The name of the class that transformers has for a type."""
    try:
        from transformers.models.auto.image_processing_auto import IMAGE_PROCESSOR_MAPPING_NAMES
        from transformers.models.auto.feature_extraction_auto import FEATURE_EXTRACTOR_MAPPING_NAMES
    except ImportError:
        return None
    for names in (IMAGE_PROCESSOR_MAPPING_NAMES, FEATURE_EXTRACTOR_MAPPING_NAMES):
        if model_type in names:
            found = names[model_type]
            if isinstance(found, dict):
                found = list(found.values())
            if isinstance(found, (tuple, list)):
                found = next((name for name in found if name), None)
            if found:
                return found.removesuffix("Fast")
    return None


def _sizes(kind, size):
    """The image's size in the words of the class's own default."""
    import transformers

    known = getattr(getattr(transformers, kind, None), "size", None)
    if isinstance(known, dict) and "shortest_edge" in known and len(known) == 1:
        return {"size": {"shortest_edge": size}, "crop_size": {"height": size, "width": size}}
    if known is None or set(known) == {"height", "width"}:
        return {"size": {"height": size, "width": size}}
    return {}

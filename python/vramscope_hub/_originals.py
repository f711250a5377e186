"""Repositories in their authors' own format, not in that of transformers: settings as published, weights as the model asks for them."""

from __future__ import annotations

import json

# d_model and layers of https://huggingface.co/state-spaces/mamba-*/blob/main/config.json; what they share stands below
_MAMBA = {"130m": (768, 24), "370m": (1024, 48), "790m": (1536, 48), "1.4b": (2048, 48), "2.8b": (2560, 64), "2.8b-slimpj": (2560, 64)}  # fmt: skip
_SHARED = {"vocab_size": 50277, "ssm_cfg": {}, "rms_norm": True, "residual_in_fp32": True, "fused_add_norm": True, "pad_vocab_size_multiple": 8}  # fmt: skip
_OWNER = "state-spaces/mamba-"


def files(repo_id: str) -> dict | None:
    """Files by name, or None for an id that is not here."""
    size = _MAMBA.get(repo_id.removeprefix(_OWNER)) if repo_id.startswith(_OWNER) else None
    if size is None:
        return None
    config = {"d_model": size[0], "n_layer": size[1], **_SHARED}
    return {"config.json": lambda: json.dumps(config, indent=2), "pytorch_model.bin": _weights}


def _weights():
    from vramscope_data import contents

    return contents.of("pytorch_model.pt", None)[0]

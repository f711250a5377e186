"""The folder in which OpenAI published a GPT-2, named after its parameters: what its files hold, as far as anybody reads them."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


# openai/gpt-2, download_model.py: folders and files
_MODELS = {
    "117M": "gpt2",
    "124M": "gpt2",
    "345M": "gpt2-medium",
    "355M": "gpt2-medium",
    "774M": "gpt2-large",
    "1558M": "gpt2-xl",
}
SETTINGS = "hparams.json"
CHECKPOINT = "model.ckpt"
_PART = re.compile(r"model\.ckpt\.(?:index|meta|data-\d{5}-of-\d{5})")


def of(path: str) -> tuple[bytes, str] | None:
    """(bytes, words) of a file of such a folder, or None where it is none."""
    full = os.path.join(os.getcwd(), path)
    name, model = os.path.basename(full), _MODELS.get(os.path.basename(os.path.dirname(full)))
    if model is None:
        return None
    if _PART.fullmatch(name):
        return b"", f"a part of the published checkpoint of {model}"
    make = _FILES.get(name)
    return None if make is None else make(model)


def _settings(model):
    from vramscope_hub import _published

    config = _published._named(lambda known: known == f"openai-community/{model}")["config"]
    names = {
        "n_vocab": "vocab_size",
        "n_ctx": "n_positions",
        "n_embd": "n_embd",
        "n_head": "n_head",
        "n_layer": "n_layer",
    }
    found = {ours: config[theirs] for ours, theirs in names.items()}
    return json.dumps(found).encode(), f"the settings of the published {model}: {found}"


def _vocabulary(model):
    from vramscope_hub._vocabulary import placeholder

    size = json.loads(_settings(model)[0])["n_vocab"]
    return json.dumps({placeholder(i): i for i in range(size)}).encode(), f"a vocabulary of {size:,} entries"


_FILES = {
    SETTINGS: _settings,
    "encoder.json": _vocabulary,
    "vocab.bpe": lambda model: (b"#version: 0.2\n", "a vocabulary without merges"),
    "checkpoint": lambda model: (f'model_checkpoint_path: "{CHECKPOINT}"\n'.encode(), "the name of the checkpoint"),
}  # fmt: skip


def shapes(settings: dict[str, Any]) -> dict[str, list[int]]:
    """The variables of the checkpoint by name, as openai/gpt-2, src/model.py makes them."""
    wide = settings["n_embd"]
    found = {"model/wpe": [settings["n_ctx"], wide], "model/wte": [settings["n_vocab"], wide]}
    for layer in range(settings["n_layer"]):
        block = f"model/h{layer}"
        for norm in ("ln_1", "ln_2"):
            found |= _norm(f"{block}/{norm}", wide)
        for part, rows, columns in (
            ("attn/c_attn", wide, 3 * wide),
            ("attn/c_proj", wide, wide),
            ("mlp/c_fc", wide, 4 * wide),
            ("mlp/c_proj", 4 * wide, wide),
        ):
            found |= {f"{block}/{part}/w": [1, rows, columns], f"{block}/{part}/b": [columns]}
    return dict(sorted((found | _norm("model/ln_f", wide)).items()))


def _norm(name, wide):
    return {f"{name}/g": [wide], f"{name}/b": [wide]}

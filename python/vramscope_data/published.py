"""params.json beside Meta's checkpoints: the settings of the published model that its folder is named after."""

from __future__ import annotations

import json
import os
import re

NAME = "params.json"
_SIZE = re.compile(r"\d+b")
# (`multiple_of`, `ffn_dim_multiplier`) of these files; the first models' do not know the second
_WIDENING = ((256, None), (1024, 1.3), (4096, 1.3), (256, 1.3), (256, 1.5), (256, 1.0))
_MORE = ("-instruct", "-chat", "-hf", "meta-")  # what names of one shape differ in


def settings(path: str) -> tuple | None:
    """(bytes, words) of the file, or None where no published model has the folder's name."""
    name = _plain(os.path.basename(os.path.dirname(os.path.join(os.getcwd(), path))))
    # the first of these models lay in folders that were named by their sizes alone
    config = _of_name(f"llama-{name}" if _SIZE.fullmatch(name) else name)
    if config is None:
        return None
    dim, wide = config["hidden_size"], config["intermediate_size"]
    heads, groups = config["num_attention_heads"], config["num_key_value_heads"]
    found = {
        "dim": dim,
        "n_layers": config["num_hidden_layers"],
        "n_heads": heads,
        **({"n_kv_heads": groups} if groups != heads else {}),  # the first models' files do not know the word
        "vocab_size": config["vocab_size"],
        **_widening(dim, wide),
        "norm_eps": config["rms_norm_eps"],
        **({"rope_theta": config["rope_theta"]} if "rope_theta" in config else {}),
    }
    return json.dumps(found).encode(), f"the settings of the published model of its folder's name: {found}"


def _widening(dim, wide):
    """What Meta's feed forward works its width out from: two thirds of four times `dim`, by the factor, rounded up to the multiple."""
    for multiple, factor in _WIDENING:
        scaled = 8 * dim // 3 if factor is None else int(factor * (8 * dim // 3))
        if -(-scaled // multiple) * multiple == wide:
            return {"multiple_of": multiple, **({} if factor is None else {"ffn_dim_multiplier": factor})}
    return {"multiple_of": wide}


def _plain(name):
    name = name.lower()
    for part in _MORE:
        name = name.replace(part, "")
    return name


def _of_name(name):
    from vramscope_hub import _published

    model = _published._named(lambda known: _plain(known.rpartition("/")[2]) == name)
    config = (model or {}).get("config", {})
    wanted = ("hidden_size", "intermediate_size", "num_key_value_heads", "rms_norm_eps")
    return config if all(key in config for key in wanted) else None

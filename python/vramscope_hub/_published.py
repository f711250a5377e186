"""Configurations of published models by hub id: the catalogue that estimates use, else the defaults that a package documents for an id."""

from __future__ import annotations

import functools
import json
import os
import re
from typing import TYPE_CHECKING

from . import _added
from ._quantized import WRITTEN_IN
from ._repositories import say

if TYPE_CHECKING:
    from typing import Any


_lines = []


def _catalogue():
    """Lines of JSON, one a model, each with its name in front."""
    if not _lines:
        _lines.extend(_shelved("published").split("\n"))
    return _lines


def config_of(repo_id: str) -> Any:
    """The config.json of a model, as a dictionary; None where nothing is known. The report says what was taken."""
    own = _added.config_in(_added.added(repo_id))
    if own is not None:
        say("hub_added", repo_id)
        return own
    model = _named(lambda name: name == repo_id) or (
        _named(lambda name: name.rpartition("/")[2] == repo_id) if "/" not in repo_id else None
    )
    if model is None and (held := _added.config_in(_added.cached(repo_id))) is not None:
        say("hub_of_cache", repo_id)
        return held
    if model is None:
        short = repo_id.rpartition("/")[2].lower()
        # what was trained further has the shapes of what it was trained from
        names = [short, *([short.partition("-finetuned")[0]] if "-finetuned" in short else [])]
        # and so has what was converted to the library's format
        names += [n.removesuffix("-hf") for n in names if n.endswith("-hf")]
        model = next(
            filter(None, (_named(lambda name, n=n: name.rpartition("/")[2].lower() == n) for n in names)), None
        )
        if model is None:
            return _documented(repo_id) or _of_format(repo_id) or _of_kin(repo_id)
        say("hub_same_name", repo_id, name=model["name"])
    else:
        say("hub_bundled_unsure" if model.get("unsure") else "hub_bundled", repo_id)
    return _complete({"architectures": [model["class"]], **model["config"]})


def _shelved(name):
    import vramscope_shelf

    return vramscope_shelf.text(f"vramscope_hub/{name}.txt")


def _of_format(repo_id):
    """A model whose weights lie in a format that the id names at its end: the model's configuration, and how they are quantized."""
    owner, _, short = repo_id.rpartition("/")
    for ending, quantization in json.loads(_shelved("formats")):
        at = re.search(ending, short.lower())
        if at is None or at.start() == 0:
            continue
        config = config_of("/".join(filter(None, (owner, short[: at.start()]))))
        if config is None or quantization is None:
            return config
        say("hub_named_format", repo_id, format=json.dumps(quantization))
        written = WRITTEN_IN.get(quantization["quant_method"])
        config = config if written is None else {**config, "dtype": written}
        return {**config, "quantization_config": quantization}
    return None


def is_bundled(name: str) -> bool:
    """Whether a name is that of a bundled model, or its words name one: what can be said without an import of transformers."""
    from . import _kin

    ids = _known_ids()
    shorts = (name.lower(), name.lower().removesuffix("-hf"))
    return any(known.rpartition("/")[2].lower() in shorts for known in ids) or _kin.names_of(name, ids) is not None


def _of_kin(repo_id):
    """The model that the id's words name, though it is called otherwise; of several the one with the largest vocabulary."""
    from . import _kin

    found = _kin.names_of(repo_id, _known_ids())
    if found is None:
        return None
    code, names = found
    models = [_named(lambda other, name=name: other == name) for name in names]
    model = max(models, key=lambda one: one["config"].get("vocab_size", 0))
    say(code, repo_id, name=model["name"])
    return _complete({"architectures": [model["class"]], **model["config"]})


# The first token that decoders of encoder-decoders are given, by type; the others take their padding.
_START = {"bart": 2, "mbart": 2, "led": 2, "m2m_100": 2, "whisper": 50258, "blenderbot": 1, "pegasus": 0, "speecht5": 2}


def _complete(config):
    """Adds what a published file says and an estimate does not need: the type of a class, how a decoder starts."""
    import transformers

    named = getattr(transformers, config["architectures"][0], None)
    if "model_type" not in config and named is not None:
        config["model_type"] = named.config_class.model_type
    kind = config.get("model_type")
    if config["architectures"][0].endswith("ForConditionalGeneration") and "vision_config" not in config:
        config.setdefault("decoder_start_token_id", _START.get(kind, config.get("pad_token_id") or 0))
    return config


@functools.cache
def _known_ids():
    """Folders and files that are missing are asked for by the thousand."""
    return [known for line in _catalogue() if line for known in _ids(_names_in(line))]


def _named(is_it):
    for line in _catalogue():
        if line and any(map(is_it, _ids(_names_in(line)))):
            return json.loads(line)
    return None


def _names_in(line):
    """The names come first, so that only the model that is wanted is read whole."""
    return json.loads(line.partition(',"class"')[0] + "}")


def _ids(model):
    return [model["name"], *model.get("also", ())]


def _documented(repo_id):
    """The defaults of the type whose documentation in transformers says that they are those of this checkpoint."""
    try:
        import transformers
    except ImportError:
        return None
    mentions = f'"{repo_id}"' if "/" in repo_id else f'/{repo_id}"'
    for model_type, file in _configuration_files(os.path.dirname(transformers.__file__)):
        with open(file, encoding="utf-8") as source:
            text = source.read()
        if mentions not in text:
            continue
        at = re.search(r'checkpoint="([^"]*)"', text)
        if at is None or not f'"{at[1]}"'.endswith(mentions):
            continue
        found = _defaults(transformers, model_type)
        if found is not None:
            say("hub_defaults", repo_id, kind=model_type)
            return found
    return None


def _configuration_files(root):
    models = os.path.join(root, "models")
    for folder in sorted(os.listdir(models)) if os.path.isdir(models) else ():
        file = os.path.join(models, folder, f"configuration_{folder}.py")
        if os.path.isfile(file):
            yield folder, file


def _defaults(transformers, folder):
    """A configuration of the folder's type with its model class: the one with a head where there is one."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES
    from transformers.models.auto import modeling_auto

    model_type = next((t for t in (folder, folder.replace("_", "-")) if t in CONFIG_MAPPING_NAMES), None)
    if model_type is None:
        return None
    kind = next((names[model_type] for names in _class_tables(modeling_auto) if model_type in names), None)
    if kind is None:
        return None
    config = transformers.AutoConfig.for_model(model_type).to_dict()
    return {**config, "architectures": [kind if isinstance(kind, str) else kind[0]], "model_type": model_type}


def _class_tables(modeling_auto):
    names = """MODEL_FOR_PRETRAINING_MAPPING_NAMES MODEL_FOR_CAUSAL_LM_MAPPING_NAMES MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES
        MODEL_MAPPING_NAMES""".split()
    return [getattr(modeling_auto, name) for name in names if hasattr(modeling_auto, name)]

"""Configurations: the fields of a family with their defaults, completed the way the library completes a config.json."""

from __future__ import annotations

import copy
import json
import os
from typing import TYPE_CHECKING

import torch

from .errors import cannot_read

if TYPE_CHECKING:
    from typing import Any, Self


# Parameters of sampling that published configs still carry; they belong to a generation config.
_GENERATION = frozenset(
    """max_length max_new_tokens min_length do_sample early_stopping num_beams temperature top_k top_p typical_p
    repetition_penalty length_penalty no_repeat_ngram_size bad_words_ids num_return_sequences output_scores
    return_dict_in_generate forced_bos_token_id forced_eos_token_id remove_invalid_values
    exponential_decay_length_penalty suppress_tokens begin_suppress_tokens num_beam_groups diversity_penalty
    encoder_no_repeat_ngram_size min_new_tokens max_time""".split()
)
_SCALED_FROM_LENGTH = ("llama3", "yarn", "longrope")


class PreTrainedConfig:
    """
    The description of a model. Subclasses state their fields and defaults as class attributes.

    `model_type` is the family's name. `attribute_map` gives a family's own names for common ones. `sub_configs` names fields
    that are configs themselves. `complete` fills in what follows from other fields.
    """

    model_type = ""
    attribute_map = {}
    sub_configs = {}
    default_theta = 10000.0
    has_rope = False

    architectures = None
    output_hidden_states = False
    output_attentions = False
    return_dict = True
    dtype = None
    chunk_size_feed_forward = 0
    is_encoder_decoder = False
    problem_type = None
    tie_word_embeddings = True
    num_labels = 2
    pad_token_id = None
    bos_token_id = None
    eos_token_id = None
    rope_parameters = None

    def __init__(self, **values: int | list[list[list | int]] | str) -> None:
        self._attn_implementation = values.pop("attn_implementation", None)
        self._experts_implementation = values.pop("experts_implementation", None)
        self.name_or_path = values.pop("name_or_path", values.pop("_name_or_path", ""))
        values.pop("model_type", None)
        values.pop("transformers_version", None)
        dtype = values.pop("torch_dtype", None)
        if values.get("dtype") is None and dtype is not None:
            values["dtype"] = dtype
        if isinstance(values.get("dtype"), str):
            values["dtype"] = getattr(torch, values["dtype"])
        scaling = values.pop("rope_scaling", None)
        theta = values.pop("rope_theta", None)
        for name, value in values.items():
            if name not in _GENERATION or hasattr(type(self), name):
                setattr(self, name, value)
        for name, kind in self.sub_configs.items():
            self._adopt(name, kind, values.get(name))
        self.complete()
        if self.has_rope:
            self._complete_rope(scaling, theta)
        if self._attn_implementation is not None or self._experts_implementation is not None:
            self.choose(self._attn_implementation, self._experts_implementation)

    def complete(self) -> None:
        """Fills in fields that follow from others."""

    def _adopt(self, name, kind, value):
        if isinstance(value, dict):
            kind = kind if value.get("model_type") in (None, kind.model_type) else config_class(value["model_type"])
            value = kind(**value)
        setattr(self, name, kind() if value is None else value)

    def _complete_rope(self, scaling, theta):
        parameters = dict(scaling or self.rope_parameters or {})
        kinds = getattr(self, "layer_types", None)
        if kinds and parameters and set(parameters) <= set(kinds):
            parts = {name: dict(part) for name, part in parameters.items()}
            for part in parts.values():
                self._complete_rope_part(part, theta)
            self.rope_parameters = parts
        else:
            self._complete_rope_part(parameters, theta)
            self.rope_parameters = parameters

    def _complete_rope_part(self, part, theta):
        if part.get("rope_theta") is None:
            part["rope_theta"] = theta if theta is not None else getattr(self, "rope_theta", self.default_theta)
        factor = getattr(self, "partial_rotary_factor", None)
        if factor is not None:
            part.setdefault("partial_rotary_factor", factor)
        part.setdefault("rope_type", part.get("type", "default"))
        if part["rope_type"] in _SCALED_FROM_LENGTH:
            original = getattr(self, "original_max_position_embeddings", None)
            if original is not None:
                part["original_max_position_embeddings"] = original
            else:
                part.setdefault("original_max_position_embeddings", self.max_position_embeddings)

    # --- names that a family spells in its own way

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(self.attribute_map.get(name, name), value)
        if name == "id2label" and value is not None:
            super().__setattr__("num_labels", len(value))

    def __getattr__(self, name: str) -> int:
        mapped = type(self).attribute_map.get(name)
        if name in ("id2label", "label2id"):
            names = {i: f"LABEL_{i}" for i in range(self.num_labels)}
            return names if name == "id2label" else {label: i for i, label in names.items()}
        if mapped is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(self, mapped)

    # --- choices that reach into sub-configs

    def choose(self, attention: str | None = None, experts: str | None = None) -> None:
        """Sets the implementations of attention and of experts, here and in the sub-configs."""
        if attention is not None:
            self._attn_implementation = attention
        if experts is not None:
            self._experts_implementation = experts
        for name in self.sub_configs:
            part = getattr(self, name, None)
            if part is not None:
                part.choose(attention, experts)

    @property
    def torch_dtype(self) -> Any:
        return self.dtype

    @property
    def use_return_dict(self) -> Any:
        return self.return_dict

    def get_text_config(self, decoder: bool | None = None, encoder: Any = None) -> PreTrainedConfig:
        """The config of the language model inside, or this one."""
        for name in ("decoder", "generator", "text_config") if decoder else ("text_encoder", "text_config"):
            part = getattr(self, name, None)
            if isinstance(part, PreTrainedConfig):
                return part
        if decoder and self.is_encoder_decoder:
            return self._of_decoder()
        return self

    def _of_decoder(self):
        """This config with the decoder's sizes under the common names."""
        config = copy.copy(self)
        for name, own in (("num_hidden_layers", "decoder_layers"), ("num_attention_heads", "decoder_attention_heads")):
            if hasattr(self, own):
                setattr(config, name, getattr(self, own))
        return config

    # --- files

    def to_dict(self) -> dict[str, Any]:
        values = {"model_type": self.model_type}
        for kind in reversed(type(self).__mro__):
            for name, value in vars(kind).items():
                plain = value is None or isinstance(value, (bool, int, float, str, list, dict, tuple))
                if (
                    plain
                    and not name.startswith("_")
                    and name not in ("model_type", "attribute_map", "sub_configs", "has_rope")
                ):
                    values[name] = value
        values.update((k, v) for k, v in vars(self).items() if not k.startswith("_"))
        for name, value in values.items():
            if isinstance(value, PreTrainedConfig):
                values[name] = value.to_dict()
            elif isinstance(value, torch.dtype):
                values[name] = str(value).removeprefix("torch.")
        return copy.deepcopy(values)

    def to_json_string(self, use_diff: bool = True) -> str:
        return json.dumps(self.to_dict(), indent=2, sort_keys=True, default=str) + "\n"

    def save_pretrained(self, folder: str, **_: Any) -> None:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "config.json"), "w") as file:
            file.write(self.to_json_string())

    @classmethod
    def from_dict(cls, values: Any, **more: Any) -> Self:
        more.pop("return_unused_kwargs", None)
        return cls(**{**values, **more})

    @classmethod
    def from_pretrained(cls, place: int, **more: Any) -> Self:
        return cls.from_dict(read_config(place), **more)

    def update(self, values: Any) -> None:
        for name, value in values.items():
            setattr(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.to_dict() == other.to_dict()

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.to_json_string()}"


PretrainedConfig = PreTrainedConfig

_CLASSES = {}


def register_config(kind: Any) -> None:
    _CLASSES[kind.model_type] = kind


def config_class(model_type: str) -> type:
    """The config class of a family; ValueError names the families that there are."""
    if model_type not in _CLASSES:
        known = ", ".join(sorted(_CLASSES))
        raise ValueError(
            f"vramscope has no model of type {model_type!r}. It has: {known}"
            if model_type
            else "the config has no `model_type`, so nobody can tell what model it describes"
        )
    return _CLASSES[model_type]


def read_config(place: int) -> Any:
    """The content of a config.json: a file, a folder that holds one, or what is bundled of a published model."""
    path = os.path.join(place, "config.json") if os.path.isdir(place) else place
    if not os.path.isfile(path):
        # a folder that is not here may be named after the published model that it would hold
        from vramscope_data import folders

        is_held = os.path.isdir(place) and not folders.is_placeholder(str(place))
        found = None if is_held else _published(str(place).rstrip("/"))
        if found is None:
            raise cannot_read(place)
        return found
    with open(path) as file:
        return json.load(file)


def _published(name):
    """The configuration of a hub id, as installed packages get it, too; None where nothing is known."""
    from vramscope_hub._published import config_of

    return config_of(name)


class AutoConfig:
    """Finds the config class by `model_type`."""

    @staticmethod
    def for_model(model_type: str, *args: Any, **values: int | list[list[list | int]] | str) -> PreTrainedConfig:
        return config_class(model_type)(*args, **values)

    @staticmethod
    def from_pretrained(place: int, **more: Any) -> Self:
        values = read_config(place)
        more = {k: v for k, v in more.items() if k not in _HUB_ARGUMENTS}
        return config_class(values.get("model_type")).from_dict(values, **more)

    @staticmethod
    def register(model_type: Any, config: PreTrainedConfig, exist_ok: bool = False) -> None:
        _CLASSES[model_type] = config


_HUB_ARGUMENTS = frozenset(
    """cache_dir force_download local_files_only token revision subfolder trust_remote_code code_revision proxies
    use_auth_token _from_auto _commit_hash""".split()
)

"""A configuration from its files: defaults lists, packages and overrides."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from omegaconf import DictConfig, OmegaConf
from omegaconf._config import _word
from omegaconf._nodes import merge_into

if TYPE_CHECKING:
    from typing import Any


store = {}  # registered configurations by group/name


def _read(folder, name):
    """(the configuration of a file or of the store, whether its text says that it belongs to the root)."""
    name = name.removesuffix(".yaml")
    for ending in (".yaml", ".yml"):
        path = os.path.join(folder, name + ending)
        if os.path.exists(path):
            with open(path) as file:
                is_global = "@package _global_" in file.readline()
            return OmegaConf.load(path), is_global
    if name in store:
        return OmegaConf.structured(store[name]), False
    raise FileNotFoundError(
        f"Cannot find primary config '{name}'. Check that it's in your config search path: {folder}"
    )


def compose_from(folder: str, name: str, words: Any) -> Any:
    """The configuration of a name with the overrides: `key=value`, `+key=value`, `++key=value`, `~key`, `group=choice`."""
    pairs = [w.partition("=")[::2] for w in words]
    choices = {
        key.lstrip("+"): value
        for key, value in pairs
        if os.path.isdir(os.path.join(folder, key.lstrip("+").partition("@")[0]))
    }
    made = DictConfig() if name is None else _composed(folder, name, choices)
    for key, choice in choices.items():
        if key not in made or any(w.startswith(f"+{key}=") for w in words):
            _add(made, folder, key, choice, choices)
    for word in words:
        key, equals, value = word.partition("=")
        plain = key.lstrip("+~")
        if plain in choices or plain.startswith("hydra."):
            continue
        if key.startswith("~"):
            made.pop(plain, None)
        elif equals:
            OmegaConf.update(made, plain, _word(value))
    made.pop("hydra", None)
    return made


def _composed(folder, name, choices, group=""):
    own, _ = _read(folder, os.path.join(group, name))
    defaults = own.pop("defaults", None) or []
    made, self_done = DictConfig(), False
    for entry in defaults:
        if entry == "_self_":
            merge_into(made, own)
            self_done = True
        elif isinstance(entry, str):
            merge_into(made, _composed(folder, entry, choices, group))
        else:
            for key, choice in dict.items(entry):
                key = key.removeprefix("override ").removeprefix("optional ").removeprefix("/")
                choice = choices.get(key, choice)
                if choice is not None and not key.startswith("hydra"):
                    _add(
                        made,
                        folder,
                        os.path.join(group, key)
                        if not os.path.isdir(os.path.join(folder, key.partition("@")[0]))
                        else key,
                        choice,
                        choices,
                    )
    if not self_done:
        merge_into(made, own)
    return made


def _add(made, folder, group, choice, choices):
    """Puts a group's choice at the group's place, or at `@place`."""
    group, _, place = group.partition("@")
    for one in choice if isinstance(choice, list) else [choice]:
        _, is_global = _read(folder, os.path.join(group, str(one)))
        found = _composed(folder, str(one), choices, group)
        target = made
        for part in () if is_global or place == "_global_" else (place or group.replace("/", ".")).split("."):
            if part not in target:
                dict.__setitem__(target, part, target._attach({}))
            target = dict.__getitem__(target, part)
        merge_into(target, found)

"""gymnasium: environments of the known shapes whose episodes have a fixed length; nothing moves in them."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from . import spaces, utils, vector, wrappers
from .core import ActionWrapper, Env, ObservationWrapper, RewardWrapper, Wrapper
from ._known import ARCADE, ENDLESS, FIELDS, KNOWN, spaces_of

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any


__version__ = "1.2.0"
__all__ = [
    "ActionWrapper",
    "Env",
    "ObservationWrapper",
    "RewardWrapper",
    "Wrapper",
    "make",
    "register",
    "spaces",
    "utils",
    "vector",
    "wrappers",
]

_STEPS = 500


class _Placeholder(Env):
    """An environment of which only the spaces are known."""

    def __init__(self, name: str, observation: Any, action: Any, threshold: Any, render_mode: Any = None) -> None:
        self.observation_space, self.action_space, self.render_mode = observation, action, render_mode
        self.spec = SimpleNamespace(id=name, reward_threshold=threshold, max_episode_steps=_STEPS)
        self._max_episode_steps = _STEPS  # as the wrapper says that make puts around the others
        self._done = 0
        self.__dict__.update(FIELDS.get(name.rpartition("-v")[0], {}))

    def _observe(self):
        if isinstance(self.observation_space, spaces.Discrete):
            return 0
        return np.zeros(self.observation_space.shape, dtype=self.observation_space.dtype)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple:
        self._done = 0
        return self._observe(), {}

    def step(self, action: Any) -> tuple:
        self._done += 1
        ends = self._done >= _STEPS
        terminal = self.spec.id.rpartition("-v")[0] not in ENDLESS
        return self._observe(), 1.0, ends and terminal, ends and not terminal, {}

    def render(self) -> Any:
        return np.zeros((400, 600, 3), dtype=np.uint8) if self.render_mode == "rgb_array" else None


# The Arcade Learning Environment's actions, in its order.
_JOYSTICK = """NOOP FIRE UP RIGHT LEFT DOWN UPRIGHT UPLEFT DOWNRIGHT DOWNLEFT UPFIRE RIGHTFIRE LEFTFIRE DOWNFIRE UPRIGHTFIRE UPLEFTFIRE
    DOWNRIGHTFIRE DOWNLEFTFIRE""".split()
_SCREEN = (210, 160, 3)


class _Arcade(_Placeholder):
    """A game of the Arcade Learning Environment, of one life."""

    ale = SimpleNamespace(lives=lambda: 1)

    def get_action_meanings(self) -> Any:
        return _JOYSTICK[: self.action_space.n]


class _Registry(dict):
    """What the program registered; asked for all, as former releases were, the known ones are among them."""

    def all(self) -> list[SimpleNamespace]:
        known = [f"{name}-v{version}" for name in (*KNOWN, *ARCADE) for version in range(6)]
        return [SimpleNamespace(id=name) for name in (*self, *known)]

    env_specs = property(lambda self: {spec.id: spec for spec in self.all()})


_registered = _Registry()


def register(id: int, entry_point: Any = None, **settings: Any) -> None:  # noqa: A002
    """An environment of the program itself."""
    _registered[id] = entry_point, settings.get("kwargs") or {}


registration = SimpleNamespace(register=register, registry=_registered)


class _OfGames(type):
    """A game is one under every interface and wrapper that stands for it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return hasattr(instance, "ale")


_atari = SimpleNamespace(AtariEnv=_OfGames("AtariEnv", (_Arcade,), {}))
_atari.atari_env = _atari
envs = SimpleNamespace(registration=registration, registry=_registered, atari=_atari)
sys.modules[f"{__name__}.envs"] = envs
sys.modules[f"{__name__}.envs.registration"] = registration
sys.modules[f"{__name__}.envs.atari"] = sys.modules[f"{__name__}.envs.atari.atari_env"] = _atari


def _registered_one(id, settings):  # noqa: A002
    entry, defaults = _registered[id]
    if isinstance(entry, str):
        module, _, name = entry.partition(":")
        entry = getattr(importlib.import_module(module), name)
    return entry(**{**defaults, **settings})


def make(id: str, render_mode: Any = None, **settings: Any) -> Any:  # noqa: A002
    """An environment by name; ValueError for one whose shapes nobody here knows."""
    if id in _registered:
        return _registered_one(id, settings if render_mode is None else {**settings, "render_mode": render_mode})
    name = id.rpartition("/")[2]
    found = spaces_of(name)
    if found is None:
        known = f"{', '.join(sorted(KNOWN))} and {len(ARCADE)} games of the Arcade Learning Environment"
        raise ValueError(f"vramscope's gymnasium knows the shapes of {known}; not of {id!r}")
    observation, action, threshold = found
    note("placeholder_environment", "name", name, steps=_STEPS)
    seen = observation()
    kind = _Arcade if seen.shape == _SCREEN else _Placeholder
    return kind(name, seen, action(), threshold, render_mode)


__getattr__ = lacks("gymnasium")

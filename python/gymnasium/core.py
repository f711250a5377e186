"""What environments and their wrappers are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from typing import Any, Self


ObsType, ActType, RenderFrame = TypeVar("ObsType"), TypeVar("ActType"), TypeVar("RenderFrame")
WrapperObsType, WrapperActType = TypeVar("WrapperObsType"), TypeVar("WrapperActType")


class _Random(np.random.Generator):
    """With the words of the generator that environments had before, which gym took on to the end."""

    def seed(self, seed: int | None = None) -> None:
        self.__dict__.update(vars(_Random(np.random.PCG64(seed))))

    def randint(self, low: int, high: int | None = None, size: Any = None, dtype: Any = int) -> Any:
        return self.integers(low, high, size, dtype)

    def rand(self, *size: int) -> Any:
        return self.random(size or None)

    def randn(self, *size: int) -> Any:
        return self.standard_normal(size or None)

    random_sample = np.random.Generator.random


class Env:
    __class_getitem__ = classmethod(lambda cls, kinds: cls)
    metadata, spec, render_mode, reward_range = {}, None, None, (-float("inf"), float("inf"))

    @property
    def unwrapped(self) -> Self:
        return self

    _random = None

    @property
    def np_random(self) -> Any:
        """Its own generator, made when it is first asked for."""
        if self._random is None:
            self._random = _Random(np.random.PCG64())
        return self._random

    @np_random.setter
    def np_random(self, value: Any) -> None:
        self._random = value

    def reset(self, *, seed: int | None = None, options: Any = None) -> None:
        """What environments of a program call first."""
        if seed is not None:
            self._random = _Random(np.random.PCG64(seed))

    def get_wrapper_attr(self, name: str) -> Any:
        return getattr(self, name)

    def has_wrapper_attr(self, name: str) -> bool:
        return hasattr(self, name)

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        setattr(self, name, value)
        return True

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class _Inner:
    """What a wrapper has of the environment in it, until it gets its own."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, wrapper: Any, owner: type | None = None) -> Any:
        return getattr(Env, self._name) if wrapper is None else getattr(wrapper.env, self._name)


class Wrapper(Env):
    """An environment around another."""

    metadata, spec, render_mode, reward_range = _Inner(), _Inner(), _Inner(), _Inner()

    def __init__(self, env: dict) -> None:
        self.env = env

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.env, name)

    @property
    def unwrapped(self) -> Any:
        return self.env.unwrapped

    np_random = property(lambda self: self.env.np_random)

    def reset(self, **settings: Any) -> Any:
        return self.env.reset(**settings)

    def step(self, action: Any) -> Any:
        return self.env.step(action)

    def render(self) -> Any:
        return self.env.render()


def _formerly(name: str) -> Any:
    """The method that a wrapper of the program defines; before gym 0.11 its name began with an underscore."""

    def method(self, *args: Any) -> Any:
        former = getattr(type(self), f"_{name}", None)
        if former is None:
            raise NotImplementedError
        return former(self, *args)

    return method


def pair_of(given: Any) -> tuple:
    """What reset gave, and what it says besides; wrappers of before 0.26 give an observation alone."""
    return given if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], dict) else (given, {})


class ObservationWrapper(Wrapper):
    observation = _formerly("observation")

    def reset(self, **settings: Any) -> tuple:
        observation, info = pair_of(self.env.reset(**settings))
        return self.observation(observation), info

    def step(self, action: Any) -> tuple:
        observation, *rest = self.env.step(action)
        return (self.observation(observation), *rest)


class RewardWrapper(Wrapper):
    reward = _formerly("reward")

    def step(self, action: Any) -> tuple:
        observation, reward, *rest = self.env.step(action)
        return (observation, self.reward(reward), *rest)


class ActionWrapper(Wrapper):
    action = _formerly("action")

    def step(self, action: Any) -> Any:
        return self.env.step(self.action(action))

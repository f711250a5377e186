"""What environments and their wrappers are made from."""

import numpy as np


class Env:
    __class_getitem__ = classmethod(lambda cls, kinds: cls)
    metadata, spec, render_mode, reward_range = {}, None, None, (-float("inf"), float("inf"))

    @property
    def unwrapped(self):
        return self

    _random = None

    @property
    def np_random(self):
        """Its own generator, made when it is first asked for."""
        if self._random is None:
            self._random = np.random.default_rng()
        return self._random

    @np_random.setter
    def np_random(self, value):
        self._random = value

    def reset(self, *, seed=None, options=None):
        """What environments of a program call first."""
        if seed is not None:
            self._random = np.random.default_rng(seed)

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Wrapper(Env):
    """An environment around another."""

    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.env, name)

    @property
    def unwrapped(self):
        return self.env.unwrapped

    np_random = property(lambda self: self.env.np_random)

    def reset(self, **settings):
        return self.env.reset(**settings)

    def step(self, action):
        return self.env.step(action)

    def render(self):
        return self.env.render()


class ObservationWrapper(Wrapper):
    def reset(self, **settings):
        observation, info = self.env.reset(**settings)
        return self.observation(observation), info

    def step(self, action):
        observation, *rest = self.env.step(action)
        return (self.observation(observation), *rest)


class RewardWrapper(Wrapper):
    def step(self, action):
        observation, reward, *rest = self.env.step(action)
        return (observation, self.reward(reward), *rest)


class ActionWrapper(Wrapper):
    def step(self, action):
        return self.env.step(self.action(action))

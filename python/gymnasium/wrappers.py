"""Wrappers that change no shape."""

from .core import Wrapper


class RecordEpisodeStatistics(Wrapper):
    """Says length and reward of an episode when it ends."""

    def __init__(self, env, buffer_length=100, stats_key="episode"):
        super().__init__(env)
        self._key, self._reward, self._length = stats_key, 0.0, 0

    def reset(self, **settings):
        self._reward, self._length = 0.0, 0
        return self.env.reset(**settings)

    def step(self, action):
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._reward += reward
        self._length += 1
        if terminated or truncated:
            info = {**info, self._key: {"r": self._reward, "l": self._length, "t": 0.0}}
        return observation, reward, terminated, truncated, info


class RecordVideo(Wrapper):
    def __init__(self, env, *rest, **settings):
        super().__init__(env)


class TimeLimit(Wrapper):
    def __init__(self, env, max_episode_steps=None):
        super().__init__(env)


class ClipAction(Wrapper):
    pass

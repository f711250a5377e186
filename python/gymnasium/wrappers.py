"""Wrappers of environments: what they record, and the shapes that they give."""

from __future__ import annotations

import math
import sys
import os
from typing import TYPE_CHECKING

import numpy as np

from .core import ObservationWrapper, RewardWrapper, Wrapper
from .spaces import Box

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class RecordEpisodeStatistics(Wrapper):
    """Says length and reward of an episode when it ends."""

    def __init__(self, env: dict, buffer_length: int = 100, stats_key: str = "episode") -> None:
        super().__init__(env)
        self._key, self._reward, self._length = stats_key, 0.0, 0

    def reset(self, **settings: Any) -> Any:
        self._reward, self._length = 0.0, 0
        return self.env.reset(**settings)

    def step(self, action: Any) -> tuple:
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._reward += reward
        self._length += 1
        if terminated or truncated:
            info = {**info, self._key: {"r": self._reward, "l": self._length, "t": 0.0}}
        return observation, reward, terminated, truncated, info


class RecordVideo(Wrapper):
    """Nothing is drawn: its folder gets one file without pictures."""

    def __init__(self, env: dict, video_folder: str = "", *rest: Any, **settings: Any) -> None:
        super().__init__(env)
        self.video_folder, self._prefix = video_folder, settings.get("name_prefix", "rl-video")

    def close(self) -> None:
        if self.video_folder:
            os.makedirs(self.video_folder, exist_ok=True)
            with open(os.path.join(self.video_folder, f"{self._prefix}-episode-0.mp4"), "wb") as file:
                file.write(b"")
        self.env.close()


class TimeLimit(Wrapper):
    def __init__(self, env: dict, max_episode_steps: int | None = None) -> None:
        super().__init__(env)


class ClipAction(Wrapper):
    pass


class NormalizeObservation(Wrapper):
    def __init__(self, env: dict, epsilon: float = 1e-8) -> None:
        super().__init__(env)


class NormalizeReward(Wrapper):
    def __init__(self, env: dict, gamma: float = 0.99, epsilon: float = 1e-8) -> None:
        super().__init__(env)


class TransformObservation(ObservationWrapper):
    def __init__(self, env: dict, func: Callable, observation_space: Any = None) -> None:
        super().__init__(env)
        self.observation = func
        if observation_space is not None:
            self.observation_space = observation_space


class TransformReward(RewardWrapper):
    def __init__(self, env: dict, func: Callable) -> None:
        super().__init__(env)
        self.reward = func


class _Shaped(ObservationWrapper):
    """Observations of another shape; they hold nothing."""

    def __init__(self, env: dict, shape: Any) -> None:
        super().__init__(env)
        space = env.observation_space
        low, high = (np.asarray(bound).reshape(-1)[0] for bound in (space.low, space.high))
        self.observation_space = Box(low, high, tuple(shape), space.dtype)

    def observation(self, observation: Any) -> Any:
        return np.zeros(self.observation_space.shape, dtype=self.observation_space.dtype)


class FlattenObservation(_Shaped):
    def __init__(self, env: dict) -> None:
        super().__init__(env, (math.prod(env.observation_space.shape),))


class ResizeObservation(_Shaped):
    def __init__(self, env: dict, shape: Any) -> None:
        super().__init__(
            env, (*((shape, shape) if isinstance(shape, int) else shape), *env.observation_space.shape[2:])
        )


class GrayscaleObservation(_Shaped):
    def __init__(self, env: dict, keep_dim: bool = False) -> None:
        super().__init__(env, (*env.observation_space.shape[:2], *((1,) if keep_dim else ())))


class FrameStackObservation(_Shaped):
    def __init__(self, env: dict, stack_size: Any, **_: Any) -> None:
        super().__init__(env, (stack_size, *env.observation_space.shape))


GrayScaleObservation, FrameStack = GrayscaleObservation, FrameStackObservation

for _file in """atari_preprocessing clip_action frame_stack gray_scale_observation normalize record_episode_statistics record_video resize_observation
    time_limit transform_observation transform_reward""".split():
    sys.modules[f"{__name__}.{_file}"] = sys.modules[__name__]

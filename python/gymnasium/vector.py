"""gymnasium.vector: several environments as one, which step in turn; what is over begins anew in the same step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .core import Env
from .spaces import Box, MultiDiscrete

if TYPE_CHECKING:
    from typing import Any


def _batched(space, n):
    if hasattr(space, "n"):
        return MultiDiscrete([space.n] * n)
    return Box(np.stack([space.low] * n), np.stack([space.high] * n), (n, *space.shape), space.dtype)


class VectorEnv(Env):
    """Arrays over environments; what an episode said at its end is in `final_info` and, over all of them, under its own names."""

    is_vector_env = True

    def __init__(self, env_fns: Any, **_: Any) -> None:
        self.envs = [make() for make in env_fns]
        self.num_envs = len(self.envs)
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = _batched(self.single_observation_space, self.num_envs)
        self.action_space = _batched(self.single_action_space, self.num_envs)
        self.spec = getattr(self.envs[0], "spec", None)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple:
        found = [self._begun(env, seed=seed, options=options) for env in self.envs]
        return self._stacked([observation for observation, _ in found]), {}

    def step(self, actions: Any) -> tuple:
        observations, rewards, ended, cut, last = [], [], [], [], {}
        for i, (env, action) in enumerate(zip(self.envs, actions)):
            observation, reward, terminated, truncated, info = self._stepped(env, action)
            if terminated or truncated:
                last[i] = (observation, info)
                observation, _ = self._begun(env)
            observations.append(observation)
            rewards.append(reward)
            ended.append(terminated)
            cut.append(truncated)
        infos = self._said(last) if last else {}
        return self._stacked(observations), np.array(rewards, dtype=np.float64), np.array(ended), np.array(cut), infos

    def _begun(self, env, **settings):
        return env.reset(**settings)

    def _stepped(self, env, action):
        return env.step(action)

    def _said(self, last):
        everywhere = range(self.num_envs)
        over = np.array([i in last for i in everywhere])
        infos = {"final_info": [last[i][1] if i in last else None for i in everywhere], "_final_info": over}
        infos["final_observation"] = infos["final_obs"] = [last[i][0] if i in last else None for i in everywhere]
        infos["_final_observation"] = infos["_final_obs"] = over
        for name, value in next(iter(last.values()))[1].items():
            if isinstance(value, dict):
                values = [last[i][1][name] if i in last else dict.fromkeys(value, 0) for i in everywhere]
                infos[name] = {key: np.array([v[key] for v in values]) for key in value}
                infos[f"_{name}"] = over
        return infos

    def _stacked(self, observations):
        return np.stack([np.asarray(o, dtype=self.single_observation_space.dtype) for o in observations])

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple:
        found = [getattr(env, name) for env in self.envs]
        return tuple(f(*args, **kwargs) if callable(f) else f for f in found)

    def get_attr(self, name: str) -> tuple:
        return self.call(name)

    def close(self, **_: Any) -> None:
        for env in self.envs:
            env.close()


SyncVectorEnv = AsyncVectorEnv = VectorEnv


def make_vec(name: str, num_envs: int = 1, **settings: Any) -> VectorEnv:
    from . import make

    return VectorEnv([lambda: make(name)] * num_envs)

"""Two interfaces in one: before 0.26 step gave four values and reset an observation; each call gives what its caller takes apart."""

from __future__ import annotations

import dis
import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium import vector
from gymnasium.core import Wrapper, pair_of

from torch._stand_ins import note

_OURS = ("/lib/", "<frozen ", "<vramscope")
_NO_STEPS = ("CACHE", "NOT_TAKEN", "NOP", "RESUME")
_known = {}


def _taken(frame):
    """The instructions, after the call that runs, by which the program takes what it gave; none where a wrapper of ours does.

    What is only handed on is taken by who called.
    """
    while frame is not None:
        code = frame.f_code
        found = _next(code, frame.f_lasti)
        if found and not found[0].opname.startswith("RETURN"):
            return () if code.co_filename.startswith(_OURS) else found
        frame = frame.f_back
    return ()


def _next(code, at):
    key = (code, at)
    if key not in _known:
        steps = [step for step in dis.get_instructions(code) if step.opname not in _NO_STEPS]
        offsets = [n for n, step in enumerate(steps) if step.offset == at]
        _known[key] = steps[offsets[0] + 1 : offsets[0] + 3] if offsets else ()
    return _known[key]


def _takes_four(frame):
    taken = _taken(frame)
    if not taken or taken[0].opname != "UNPACK_SEQUENCE" or taken[0].arg != 4:
        return False
    note("gym_interface", "library", "gym")
    return True


def _takes_observation(frame):
    taken = _taken(frame)
    names = [step.opname for step in taken]
    # taken apart, or `reset()[0]`; what gets a name of its own is an observation
    is_pair = names[:1] == ["UNPACK_SEQUENCE"] or (len(names) == 2 and names[1].startswith("BINARY_"))
    return bool(taken) and not is_pair


def either(kind: type) -> type:
    """The wrapper with both interfaces: what it gives has the form that its caller takes apart."""

    class Both(kind):
        def step(self, action: Any) -> tuple:
            observation, reward, terminated, *cut, info = super().step(action)
            truncated = cut[0] if cut else False  # wrappers of before 0.26 give four
            if _takes_four(sys._getframe(1)):
                return observation, reward, terminated | truncated, self._info_of_four(info)
            return observation, reward, terminated, truncated, info

        def reset(self, **settings: Any) -> Any:
            observation, info = pair_of(super().reset(**settings))
            return observation if _takes_observation(sys._getframe(1)) else (observation, info)

        def _info_of_four(self, info):
            return info

    Both.__name__, Both.__qualname__, Both.__module__ = kind.__name__, kind.__name__, "gym"
    return Both


# What programs derive their wrappers from.
BothWrapper = either(Wrapper)


class Either(BothWrapper):
    """Around an environment of gymnasium."""

    reward_range = (-float("inf"), float("inf"))

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        steps = getattr(getattr(env, "spec", None), "max_episode_steps", None)
        self._max_episode_steps = self._elapsed_steps = steps

    unwrapped = property(lambda self: self)

    def seed(self, seed: int | None = None) -> list:
        self.env.reset(seed=seed)
        return [seed]

    def render(self, mode: str | None = None, **_: Any) -> Any:
        """The mode was said here before 0.26, and to make since then."""
        shown = self.env.render()
        return np.zeros((400, 600, 3), dtype=np.uint8) if shown is None and mode == "rgb_array" else shown


class SyncVectorEnv(either(vector.VectorEnv)):
    """Environments of the earlier interface give four values; what was said of each is a list then."""

    def _begun(self, env, **settings):
        found = env.reset() if _is_programs(env) else env.reset(**settings)
        return found if isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], dict) else (found, {})

    def _stepped(self, env, action):
        found = env.step(action)
        if len(found) == 5:
            return found
        observation, reward, done, info = found
        return observation, reward, done, False, info

    def _info_of_four(self, info):
        ended = info.get("final_info") or [None] * self.num_envs
        seen = info.get("final_observation", ended)
        return [{} if of is None else {**of, "terminal_observation": last} for of, last in zip(ended, seen)]


def _is_programs(env):
    """A class of the program may know no seed."""
    return type(env).__module__.partition(".")[0] not in ("gym", "gymnasium")


def make(id: str, **settings: Any) -> Any:  # noqa: A002
    made = gymnasium.make(id, **settings)
    return Either(made) if type(made).__module__.startswith("gymnasium") else made

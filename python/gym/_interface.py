"""Two interfaces in one: before 0.26 step gave four values and reset an observation; each call gives what its caller takes apart."""

from __future__ import annotations

import dis
import sys
from typing import Any

import gymnasium
from gymnasium.core import Wrapper

from torch._stand_ins import note

_OURS = ("/lib/", "<frozen ", "<vramscope")
_NO_STEPS = ("CACHE", "NOT_TAKEN", "NOP", "RESUME")
_known = {}


def _taken(frame):
    """The instructions, after the call that runs, by which the program takes what it gave; what is only handed on is taken by who called."""
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_OURS):
            found = _next(code, frame.f_lasti)
            if not found or not found[0].opname.startswith("RETURN"):
                return found
        frame = frame.f_back
    return ()


def _next(code, at):
    key = (code, at)
    if key not in _known:
        steps = [step for step in dis.get_instructions(code) if step.opname not in _NO_STEPS]
        places = [n for n, step in enumerate(steps) if step.offset == at]
        _known[key] = steps[places[0] + 1 : places[0] + 3] if places else ()
    return _known[key]


class Either(Wrapper):
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

    def step(self, action: Any) -> tuple:
        observation, reward, terminated, truncated, info = self.env.step(action)
        taken = _taken(sys._getframe(1))
        if not taken or taken[0].opname != "UNPACK_SEQUENCE" or taken[0].arg != 4:
            return observation, reward, terminated, truncated, info
        note("gym_interface", "library", "gym")
        return observation, reward, terminated or truncated, info

    def reset(self, **settings: Any) -> Any:
        observation, info = self.env.reset(**settings)
        taken = _taken(sys._getframe(1))
        names = [step.opname for step in taken]
        # taken apart, or `reset()[0]`; what gets a name of its own is an observation
        is_pair = names[:1] == ["UNPACK_SEQUENCE"] or (len(names) == 2 and names[1].startswith("BINARY_"))
        return (observation, info) if is_pair else observation

    def render(self, mode: str | None = None, **_: Any) -> Any:
        return self.env.render()


def make(id: str, **settings: Any) -> Any:  # noqa: A002
    made = gymnasium.make(id, **settings)
    return Either(made) if type(made).__module__.startswith("gymnasium") else made

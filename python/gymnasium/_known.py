"""Spaces of environments by name: observations, actions, and the reward at which each counts as solved."""

import numpy as np

from .spaces import Box, Discrete


def _box(*shape, low=-np.inf, high=np.inf, dtype=np.float32):
    return lambda: Box(low, high, shape, dtype)


def _choices(n):
    return lambda: Discrete(n)


_SCREEN = _box(210, 160, 3, low=0, high=255, dtype=np.uint8)
KNOWN = {
    "CartPole": (_box(4), _choices(2), 475.0),
    "MountainCar": (_box(2), _choices(3), -110.0),
    "MountainCarContinuous": (_box(2), _box(1, low=-1.0, high=1.0), 90.0),
    "Acrobot": (_box(6), _choices(3), -100.0),
    "Pendulum": (_box(3), _box(1, low=-2.0, high=2.0), None),
    "LunarLander": (_box(8), _choices(4), 200.0),
    "LunarLanderContinuous": (_box(8), _box(2, low=-1.0, high=1.0), 200.0),
    "BipedalWalker": (_box(24), _box(4, low=-1.0, high=1.0), 300.0),
    "Hopper": (_box(11), _box(3, low=-1.0, high=1.0), 3800.0),
    "HalfCheetah": (_box(17), _box(6, low=-1.0, high=1.0), 4800.0),
    "Walker2d": (_box(17), _box(6, low=-1.0, high=1.0), None),
    "BreakoutNoFrameskip": (_SCREEN, _choices(4), None),
    "PongNoFrameskip": (_SCREEN, _choices(6), None),
}
# Those whose episodes end by the clock alone; many programs look at nothing but the end of the others.
ENDLESS = frozenset({"Pendulum", "HalfCheetah"})

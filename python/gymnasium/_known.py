"""Spaces of environments by name: observations, actions, and the reward at which each counts as solved."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from .spaces import Box, Discrete

if TYPE_CHECKING:
    from typing import Any


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
    "BipedalWalkerHardcore": (_box(24), _box(4, low=-1.0, high=1.0), 300.0),
    "CarRacing": (_box(96, 96, 3, low=0, high=255, dtype=np.uint8), _box(3, low=-1.0, high=1.0), 900.0),
    "Taxi": (_choices(500), _choices(6), 8.0),
    "FrozenLake": (_choices(16), _choices(4), 0.7),
    "FrozenLake8x8": (_choices(64), _choices(4), 0.85),
    "CliffWalking": (_choices(48), _choices(4), None),
}
# What programs read of an environment beside its spaces, as its source has it.
FIELDS = {
    "CartPole": {
        "x_threshold": 2.4,
        "theta_threshold_radians": 12 * 2 * math.pi / 360,
        "force_mag": 10.0,
        "gravity": 9.8,
        "tau": 0.02,
    },
    "MountainCar": {"min_position": -1.2, "max_position": 0.6, "max_speed": 0.07, "goal_position": 0.5},
    "Pendulum": {"max_speed": 8, "max_torque": 2.0, "dt": 0.05},
}
# MuJoCo, Roboschool and PyBullet: sizes of observations and actions, and the bound of an action; "-v5" differs from the versions before
for _name, _seen, _done, _bound in (
    ("Ant", 27, 8, 1), ("Ant-v2", 111, 8, 1), ("Ant-v3", 111, 8, 1), ("Ant-v5", 105, 8, 1), ("Humanoid", 376, 17, 0.4),
    ("Humanoid-v5", 348, 17, 0.4), ("HumanoidStandup", 376, 17, 0.4), ("HumanoidStandup-v5", 348, 17, 0.4), ("Swimmer", 8, 2, 1),
    ("InvertedPendulum", 4, 1, 3), ("InvertedDoublePendulum", 11, 1, 1), ("InvertedDoublePendulum-v5", 9, 1, 1),
    ("Reacher", 11, 2, 1), ("Reacher-v5", 10, 2, 1), ("Pusher", 23, 7, 2), ("RoboschoolHopper", 15, 3, 1),
    ("RoboschoolWalker2d", 22, 6, 1), ("RoboschoolHalfCheetah", 26, 6, 1), ("RoboschoolAnt", 28, 8, 1),
    ("RoboschoolHumanoid", 44, 17, 1), ("HopperBulletEnv", 15, 3, 1), ("Walker2DBulletEnv", 22, 6, 1),
    ("HalfCheetahBulletEnv", 26, 6, 1), ("AntBulletEnv", 28, 8, 1), ("HumanoidBulletEnv", 44, 17, 1),
    ("InvertedPendulumBulletEnv", 5, 1, 1), ("InvertedPendulumSwingupBulletEnv", 5, 1, 1), ("InvertedDoublePendulumBulletEnv", 9, 1, 1),
    ("ReacherBulletEnv", 9, 2, 1),
):  # fmt: skip
    KNOWN[_name] = (_box(_seen), _box(_done, low=-_bound, high=_bound), None)
# Games of the Arcade Learning Environment by the number of their minimal actions; those of 18 have them all.
_GAMES = {
    3: "Freeway Skiing", 4: "Atlantis Breakout", 7: "Assault", 14: "Asteroids KungFuMaster", 16: "JourneyEscape",
    6: "AirRaid Bowling Carnival DemonAttack NameThisGame Pong Pooyan Qbert SpaceInvaders UpNDown",
    8: "Gopher Phoenix Tutankham", 9: "Asterix BeamRider CrazyClimber Enduro MsPacman VideoPinball",
    10: "Amidar TimePilot WizardOfWor",
    18: """Adventure Alien BankHeist BattleZone Berzerk Boxing Centipede ChopperCommand Defender DoubleDunk ElevatorAction
        FishingDerby Frostbite Gravitar Hero IceHockey Jamesbond Kangaroo Krull MontezumaRevenge Pitfall PrivateEye Riverraid
        RoadRunner Robotank Seaquest Solaris StarGunner Tennis Venture YarsRevenge Zaxxon""",
}  # fmt: skip
_GAME = re.compile(r"(\w+?)(?:NoFrameskip|Deterministic)?(?:-v\d+)?")
ARCADE = {game: (_SCREEN, _choices(count), None) for count, games in _GAMES.items() for game in games.split()}


def spaces_of(name: str) -> Any:
    """(observation, action, threshold) of an environment or game, by its name with or without a version; None for others."""
    found = KNOWN.get(name) or KNOWN.get(name.rpartition("-v")[0])
    return found or ARCADE.get(_GAME.fullmatch(name)[1] if _GAME.fullmatch(name) else "")


# Those whose episodes end by the clock alone; many programs look at nothing but the end of the others.
ENDLESS = frozenset({"Pendulum", "HalfCheetah"})

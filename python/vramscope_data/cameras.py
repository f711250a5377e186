"""Cameras of a scene that is not there, as NeRF's synthetic data set lists them: transforms_train.json and its like."""

from __future__ import annotations

import json
import re

# the pictures that its lists name: a render from each camera, with what is behind it left open
PICTURE = re.compile(r"(?:^|/)(?:train|val|test)/r_\d+\.png$")
SIDE = 800
NAME = re.compile(r"transforms(?:_\w+)?\.json")
_ANGLE = 0.6911112070083618  # of every camera of that data set
_COUNT = 20


def of(name: str) -> tuple[bytes, str]:
    """(bytes, words) of some cameras that look at the middle from four steps away."""
    part = name.removeprefix("transforms").removesuffix(".json").strip("_") or "images"
    pose = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 4.0], [0.0, 0.0, 0.0, 1.0]]
    frames = [{"file_path": f"./{part}/r_{i}", "rotation": 0.0125, "transform_matrix": pose} for i in range(_COUNT)]
    return json.dumps({"camera_angle_x": _ANGLE, "frames": frames}).encode(), f"{_COUNT} cameras"

"""pycocotools.mask: masks by their sizes; each is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any


def _coded(height, width):
    return {"size": [int(height), int(width)], "counts": b""}


def frPyObjects(pyobj: Any, h: int, w: int) -> Any:
    return _coded(h, w) if isinstance(pyobj, dict) else [_coded(h, w) for _ in pyobj]


def encode(bimask: Any) -> Any:
    height, width, *many = bimask.shape
    return [_coded(height, width) for _ in range(many[0])] if many else _coded(height, width)


def decode(rleObjs: Any) -> Any:
    """uint8, height x width, and the number of masks where a list was given."""
    if isinstance(rleObjs, list):
        return np.zeros((*(rleObjs[0]["size"] if rleObjs else (0, 0)), len(rleObjs)), dtype="uint8")
    return np.zeros(tuple(rleObjs["size"]), dtype="uint8")


def merge(rleObjs: list, intersect: bool = False) -> dict:
    return _coded(*rleObjs[0]["size"])


def area(rleObjs: Any) -> Any:
    return np.zeros(len(rleObjs), dtype="uint32") if isinstance(rleObjs, list) else np.uint32(0)


def toBbox(rleObjs: Any) -> Any:
    return np.zeros((len(rleObjs), 4)) if isinstance(rleObjs, list) else np.zeros(4)


def iou(dt: Any, gt: Any, pyiscrowd: Any) -> Any:
    return np.zeros((len(dt), len(gt))) if len(dt) and len(gt) else []

"""Arrays of well-known .npz files that are not here, and those that the names of others tell: their shapes and types."""

from __future__ import annotations

import os
import re

# by the file's name: what the published file holds. MNIST as Keras hands it out; the views of the notebook that introduced NeRF
_FILES = {
    "mnist.npz": {
        "x_train": ((60_000, 28, 28), "uint8"),
        "y_train": ((60_000,), "uint8"),
        "x_test": ((10_000, 28, 28), "uint8"),
        "y_test": ((10_000,), "uint8"),
    },
    "tiny_nerf_data.npz": {
        "images": ((106, 100, 100, 3), "float32"),
        "poses": ((106, 4, 4), "float32"),
        "focal": ((), "float64"),
    },
}
_SIDE, _COUNT = 64, 1000
# what an array is called -> its axes behind the first
_USUAL = (
    (re.compile(r"^(?:.*_)?(?:images?|imgs?|pictures|frames)$", re.IGNORECASE), ((_SIDE, _SIDE, 3), "uint8")),
    (re.compile(r"^(?:.*_)?(?:masks?|segmentations?)$", re.IGNORECASE), ((_SIDE, _SIDE), "uint8")),
    (re.compile(r"^(?:.*_)?(?:poses|extrinsics|c2w|cam2world)$", re.IGNORECASE), ((4, 4), "float32")),
)


def of(path: str | None) -> dict:
    """What the published file of this name holds: {name: (shape, dtype)}; nothing where none is known."""
    return _FILES.get(os.path.basename(path or ""), {})


def usual(name: str) -> tuple | None:
    """(shape, dtype) of an array that is called so, or None."""
    return next((((_COUNT, *axes), dtype) for called, (axes, dtype) in _USUAL if called.search(name)), None)

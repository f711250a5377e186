"""skimage.data: the sizes of its sample pictures (skimage/data/_fetchers.py)."""

import numpy as np
from torch._stand_ins import lacks

__getattr__ = lacks("skimage.data")

for _name, _shape in {
    "astronaut": (512, 512, 3), "camera": (512, 512), "coffee": (400, 600, 3), "chelsea": (300, 451, 3), "cat": (300, 451, 3),
    "rocket": (427, 640, 3), "coins": (303, 384), "moon": (512, 512), "page": (191, 384), "text": (172, 448),
}.items():  # fmt: skip
    globals()[_name] = lambda shape=_shape: np.zeros(shape, "uint8")

"""pycocotools.cocoeval: the interface of COCO's measures; nothing is compared, and all of them are 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any


_AREAS = {"all": [0, 1e10], "small": [0, 32**2], "medium": [32**2, 96**2], "large": [96**2, 1e10]}


class Params:
    """What is measured, as pycocotools sets it."""

    def __init__(self, iouType: str = "segm") -> None:
        of_points = iouType == "keypoints"
        self.imgIds, self.catIds, self.iouType, self.useCats, self.useSegm = [], [], iouType, 1, None
        self.iouThrs, self.recThrs = np.linspace(0.5, 0.95, 10), np.linspace(0.0, 1.0, 101)
        self.maxDets = [20] if of_points else [1, 10, 100]
        self.areaRngLbl = [name for name in _AREAS if not of_points or name != "small"]
        self.areaRng = [_AREAS[name] for name in self.areaRngLbl]


class COCOeval:
    def __init__(self, cocoGt: Any = None, cocoDt: Any = None, iouType: str = "segm") -> None:
        note("absent_measures", "library", "pycocotools")
        self.cocoGt, self.cocoDt, self.params = cocoGt, cocoDt, Params(iouType)
        self.evalImgs, self.eval, self.ious, self.stats = [], {}, {}, []
        if cocoGt is not None:
            self.params.imgIds, self.params.catIds = sorted(cocoGt.getImgIds()), sorted(cocoGt.getCatIds())

    def evaluate(self) -> None:
        self._paramsEval = self.params

    def accumulate(self, p: Any = None) -> None:
        p = p or self.params
        shape = (len(p.iouThrs), len(p.catIds), len(p.areaRng), len(p.maxDets))
        precision = np.zeros((shape[0], len(p.recThrs), *shape[1:]))
        self.eval = {"params": p, "counts": list(shape), "precision": precision, "recall": np.zeros(shape)}

    def summarize(self) -> None:
        self.stats = np.zeros(10 if self.params.iouType == "keypoints" else 12)

    def _prepare(self) -> None:
        """There is nothing to gather."""

    def computeIoU(self, imgId: int, catId: int) -> list:
        return []

    computeOks = computeIoU

    def evaluateImg(self, imgId: int, catId: int, aRng: list, maxDet: int) -> None:
        """No image has a detection that counts."""

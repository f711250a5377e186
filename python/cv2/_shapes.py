"""Functions of OpenCV that make pictures out of pictures: the shape and dtype of each result."""

from typing import Any

import math

import numpy as np

from . import _constants as k
from ._constants import CHANNELS

_DEPTHS = {
    k.CV_8U: "uint8",
    k.CV_8S: "int8",
    k.CV_16U: "uint16",
    k.CV_16S: "int16",
    k.CV_32S: "int32",
    k.CV_32F: "float32",
    k.CV_64F: "float64",
}


def _like(src, height=None, width=None, channels=None, dtype=None):
    """An empty picture like another; one channel has no axis, as in OpenCV."""
    old = src.shape[2] if src.ndim > 2 else 1
    size = (src.shape[0] if height is None else int(height), src.shape[1] if width is None else int(width))
    channels = old if channels is None else channels
    return np.zeros(size if channels == 1 else (*size, channels), dtype or src.dtype)


def resize(
    src: np.ndarray,
    dsize: Any = None,
    dst: Any = None,
    fx: float = 0,
    fy: float = 0,
    interpolation: Any = k.INTER_LINEAR,
) -> np.ndarray:
    if dsize is None or not any(dsize):
        dsize = (round(src.shape[1] * fx), round(src.shape[0] * fy))
    return _like(src, dsize[1], dsize[0])


def cvtColor(src: np.ndarray, code: int, dst: Any = None, dstCn: int = 0) -> np.ndarray:
    return _like(src, channels=CHANNELS[code])


def same(src: np.ndarray, *_: object, **__: object) -> np.ndarray:
    """What changes pixels alone."""
    return src.copy()


GaussianBlur = blur = boxFilter = medianBlur = bilateralFilter = erode = dilate = morphologyEx = equalizeHist = LUT = (
    same
)
fastNlMeansDenoising = fastNlMeansDenoisingColored = add = subtract = multiply = divide = absdiff = addWeighted = same
bitwise_and = bitwise_or = bitwise_xor = bitwise_not = normalize = flip = inpaint = detailEnhance = undistort = same
pow = sqrt = exp = log = min = max = same  # noqa: A001


def _of_depth(src, ddepth=-1, *_, **__):
    return _like(src, dtype=_DEPTHS.get(ddepth))


filter2D = sepFilter2D = Sobel = Scharr = Laplacian = _of_depth


def convertScaleAbs(src: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return _like(src, dtype="uint8")


def Canny(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return _like(image, channels=1, dtype="uint8")


inRange = Canny


def applyColorMap(src: np.ndarray, colormap: int) -> np.ndarray:
    return _like(src, channels=3, dtype="uint8")


def threshold(src: np.ndarray, thresh: float, *_: object, **__: object) -> tuple:
    return thresh, src.copy()


def adaptiveThreshold(src: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return src.copy()


def warpAffine(src: np.ndarray, M: np.ndarray, dsize: Any, *_: object, **__: object) -> np.ndarray:
    return _like(src, dsize[1], dsize[0])


warpPerspective = warpAffine


def remap(src: np.ndarray, map1: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return _like(src, *map1.shape[:2])


def copyMakeBorder(
    src: np.ndarray, top: int, bottom: int, left: int, right: int, *_: object, **__: object
) -> np.ndarray:
    return _like(src, src.shape[0] + top + bottom, src.shape[1] + left + right)


def rotate(src: np.ndarray, rotateCode: int) -> np.ndarray:
    return src.copy() if rotateCode == k.ROTATE_180 else transpose(src)


def transpose(src: np.ndarray) -> np.ndarray:
    return _like(src, src.shape[1], src.shape[0])


def pyrDown(src: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return _like(src, (src.shape[0] + 1) // 2, (src.shape[1] + 1) // 2)


def pyrUp(src: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return _like(src, src.shape[0] * 2, src.shape[1] * 2)


def getRectSubPix(image: np.ndarray, patchSize: Any, center: Any) -> np.ndarray:
    return _like(image, patchSize[1], patchSize[0])


def split(m: np.ndarray) -> tuple:
    return tuple(_like(m, channels=1) for _ in range(m.shape[2] if m.ndim > 2 else 1))


def merge(mv: Any) -> np.ndarray:
    return _like(mv[0], channels=len(mv))


def hconcat(src: np.ndarray) -> np.ndarray:
    return np.concatenate(src, 1)


def vconcat(src: np.ndarray) -> np.ndarray:
    return np.concatenate(src, 0)


def getRotationMatrix2D(center: Any, angle: float, scale: float) -> np.ndarray:
    """The matrix of OpenCV's documentation."""
    alpha, beta = scale * math.cos(math.radians(angle)), scale * math.sin(math.radians(angle))
    x, y = center
    return np.array([[alpha, beta, (1 - alpha) * x - beta * y], [-beta, alpha, beta * x + (1 - alpha) * y]])


def getAffineTransform(src: np.ndarray, dst: Any) -> np.ndarray:
    return np.zeros((2, 3))


def getPerspectiveTransform(src: np.ndarray, dst: Any) -> np.ndarray:
    return np.zeros((3, 3))


def getGaussianKernel(ksize: Any, sigma: Any, ktype: Any = k.CV_64F) -> np.ndarray:
    return np.zeros((ksize, 1), _DEPTHS[ktype])


def getStructuringElement(shape: Any, ksize: Any) -> np.ndarray:
    return np.ones((ksize[1], ksize[0]), "uint8")


def calcOpticalFlowFarneback(prev: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return _like(prev, channels=2, dtype="float32")


def findContours(image: np.ndarray, *_: object, **__: object) -> tuple:
    """An empty picture has none."""
    return (), None


class createCLAHE:
    def __init__(self, *_: object, **__: object) -> None:
        """Of any limit."""

    apply = staticmethod(same)


__all__ = [name for name in vars() if not name.startswith("_") and name not in ("np", "k", "math", "CHANNELS")]

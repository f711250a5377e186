"""Functions of OpenCV that make pictures out of pictures: the shape and dtype of each result."""

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


def resize(src, dsize=None, dst=None, fx=0, fy=0, interpolation=k.INTER_LINEAR):
    if dsize is None or not any(dsize):
        dsize = (round(src.shape[1] * fx), round(src.shape[0] * fy))
    return _like(src, dsize[1], dsize[0])


def cvtColor(src, code, dst=None, dstCn=0):
    return _like(src, channels=CHANNELS[code])


def same(src, *_, **__):
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


def convertScaleAbs(src, *_, **__):
    return _like(src, dtype="uint8")


def Canny(image, *_, **__):
    return _like(image, channels=1, dtype="uint8")


inRange = Canny


def applyColorMap(src, colormap):
    return _like(src, channels=3, dtype="uint8")


def threshold(src, thresh, *_, **__):
    return thresh, src.copy()


def adaptiveThreshold(src, *_, **__):
    return src.copy()


def warpAffine(src, M, dsize, *_, **__):
    return _like(src, dsize[1], dsize[0])


warpPerspective = warpAffine


def remap(src, map1, *_, **__):
    return _like(src, *map1.shape[:2])


def copyMakeBorder(src, top, bottom, left, right, *_, **__):
    return _like(src, src.shape[0] + top + bottom, src.shape[1] + left + right)


def rotate(src, rotateCode):
    return src.copy() if rotateCode == k.ROTATE_180 else transpose(src)


def transpose(src):
    return _like(src, src.shape[1], src.shape[0])


def pyrDown(src, *_, **__):
    return _like(src, (src.shape[0] + 1) // 2, (src.shape[1] + 1) // 2)


def pyrUp(src, *_, **__):
    return _like(src, src.shape[0] * 2, src.shape[1] * 2)


def getRectSubPix(image, patchSize, center):
    return _like(image, patchSize[1], patchSize[0])


def split(m):
    return tuple(_like(m, channels=1) for _ in range(m.shape[2] if m.ndim > 2 else 1))


def merge(mv):
    return _like(mv[0], channels=len(mv))


def hconcat(src):
    return np.concatenate(src, 1)


def vconcat(src):
    return np.concatenate(src, 0)


def getRotationMatrix2D(center, angle, scale):
    """The matrix of OpenCV's documentation."""
    alpha, beta = scale * math.cos(math.radians(angle)), scale * math.sin(math.radians(angle))
    x, y = center
    return np.array([[alpha, beta, (1 - alpha) * x - beta * y], [-beta, alpha, beta * x + (1 - alpha) * y]])


def getAffineTransform(src, dst):
    return np.zeros((2, 3))


def getPerspectiveTransform(src, dst):
    return np.zeros((3, 3))


def getGaussianKernel(ksize, sigma, ktype=k.CV_64F):
    return np.zeros((ksize, 1), _DEPTHS[ktype])


def getStructuringElement(shape, ksize):
    return np.ones((ksize[1], ksize[0]), "uint8")


def calcOpticalFlowFarneback(prev, *_, **__):
    return _like(prev, channels=2, dtype="float32")


def findContours(image, *_, **__):
    """An empty picture has none."""
    return (), None


class createCLAHE:
    def __init__(self, *_, **__):
        """Of any limit."""

    apply = staticmethod(same)


__all__ = [name for name in vars() if not name.startswith("_") and name not in ("np", "k", "math", "CHANNELS")]

"""What is measured in pictures and between points: numbers and arrays of OpenCV's shapes; of pictures without content nothing is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any


def _points(points: Any) -> np.ndarray:
    return np.asarray(points).reshape(-1, 2)


def boundingRect(array: np.ndarray) -> tuple:
    points = _points(array)
    if not len(points):
        return (0, 0, 0, 0)
    low, high = points.min(0), points.max(0)
    return (int(low[0]), int(low[1]), int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1)


def contourArea(contour: np.ndarray, oriented: bool = False) -> float:
    points = [(float(x), float(y)) for x, y in _points(contour)]
    total = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1])) / 2
    return total if oriented else abs(total)


def arcLength(curve: np.ndarray, closed: bool) -> float:
    points = [(float(x), float(y)) for x, y in _points(curve)]
    pairs = zip(points, points[1:] + (points[:1] if closed else []))
    return sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in pairs)


def minAreaRect(points: np.ndarray) -> tuple:
    """The upright rectangle around the points: the smallest one is not searched."""
    x, y, width, height = boundingRect(points)
    return ((x + width / 2, y + height / 2), (float(width), float(height)), 0.0)


def boxPoints(box: Any) -> np.ndarray:
    (x, y), (width, height), _angle = box
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    return np.array([[left, bottom], [left, top], [right, top], [right, bottom]], "float32")


def minEnclosingCircle(points: np.ndarray) -> tuple:
    x, y, width, height = boundingRect(points)
    return ((x + width / 2, y + height / 2), max(width, height) / 2)


def convexHull(points: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.asarray(points)


approxPolyDP = convexHull


def moments(array: np.ndarray, binaryImage: bool = False) -> dict:
    orders = (
        "m00 m10 m01 m20 m11 m02 m30 m21 m12 m03 mu20 mu11 mu02 mu30 mu21 mu12 mu03 nu20 nu11 nu02 nu30 nu21 nu12 nu03"
    )
    return dict.fromkeys(orders.split(), 0.0)


def connectedComponents(image: np.ndarray, *_: object, **__: object) -> tuple:
    return 1, np.zeros(image.shape[:2], "int32")


def connectedComponentsWithStats(image: np.ndarray, *_: object, **__: object) -> tuple:
    height, width = image.shape[:2]
    stats = np.array([[0, 0, width, height, width * height]], "int32")
    return 1, np.zeros((height, width), "int32"), stats, np.array([[(width - 1) / 2, (height - 1) / 2]])


def distanceTransform(src: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros(src.shape[:2], "float32")


def integral(src: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros((src.shape[0] + 1, src.shape[1] + 1, *src.shape[2:]), "int32")


def calcHist(images: Any, channels: Any, mask: Any, histSize: Any, ranges: Any, *_: object, **__: object) -> np.ndarray:
    return np.zeros((*histSize, 1) if len(histSize) == 1 else tuple(histSize), "float32")


def matchTemplate(image: np.ndarray, templ: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros((image.shape[0] - templ.shape[0] + 1, image.shape[1] - templ.shape[1] + 1), "float32")


def minMaxLoc(src: np.ndarray, *_: object, **__: object) -> tuple:
    return float(src.min()), float(src.max()), (0, 0), (0, 0)


def mean(src: np.ndarray, mask: Any = None) -> tuple:
    channels = 1 if src.ndim < 3 else src.shape[2]
    values = [float(src.mean())] if channels == 1 else [float(src[..., c].mean()) for c in range(min(channels, 4))]
    return (*values, *[0.0] * (4 - len(values)))


def meanStdDev(src: np.ndarray, *_: object, **__: object) -> tuple:
    channels = 1 if src.ndim < 3 else src.shape[2]
    return np.array(mean(src)[:channels]).reshape(-1, 1), np.zeros((channels, 1))


def countNonZero(src: np.ndarray) -> int:
    return int(np.count_nonzero(src))


def norm(src1: np.ndarray, *others: Any, **_: object) -> float:
    second = next((o for o in others if hasattr(o, "shape")), None)
    difference = np.asarray(src1).astype("float64") - (0 if second is None else np.asarray(second).astype("float64"))
    return float((difference * difference).sum()) ** 0.5


def magnitude(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.sqrt(np.asarray(x) ** 2 + np.asarray(y) ** 2)


def phase(x: np.ndarray, y: np.ndarray, angleInDegrees: bool = False) -> np.ndarray:
    angle = np.arctan2(y, x) % (2 * np.pi)
    return np.degrees(angle) if angleInDegrees else angle


def cartToPolar(x: np.ndarray, y: np.ndarray, *_: object, angleInDegrees: bool = False, **__: object) -> tuple:
    return magnitude(x, y), phase(x, y, angleInDegrees)


def polarToCart(magnitude: np.ndarray, angle: np.ndarray, angleInDegrees: bool = False) -> tuple:
    turned = np.radians(angle) if angleInDegrees else np.asarray(angle)
    return magnitude * np.cos(turned), magnitude * np.sin(turned)


def findHomography(srcPoints: np.ndarray, dstPoints: np.ndarray, *_: object, **__: object) -> tuple:
    """The identity: nothing is fitted."""
    return np.eye(3), np.ones((len(srcPoints), 1), "uint8")


def estimateAffinePartial2D(from_: np.ndarray, to: np.ndarray, *_: object, **__: object) -> tuple:
    """The identity: nothing is fitted."""
    return np.eye(3)[:2], np.ones((len(from_), 1), "uint8")


estimateAffine2D = estimateAffinePartial2D


def invertAffineTransform(M: np.ndarray, *_: object) -> np.ndarray:
    return np.linalg.inv(np.concatenate([np.asarray(M), np.array([[0.0, 0.0, 1.0]])]))[:2]


def perspectiveTransform(src: np.ndarray, m: np.ndarray, *_: object) -> np.ndarray:
    return np.zeros(src.shape, src.dtype)


transform = undistortPoints = perspectiveTransform


def goodFeaturesToTrack(*_: object, **__: object) -> None:
    """Finds nothing."""


HoughLines = HoughLinesP = HoughCircles = goodFeaturesToTrack


def dct(src: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros(src.shape, src.dtype)


idct = dft = idft = dct


def Rodrigues(src: np.ndarray, *_: object) -> tuple:
    return (np.eye(3) if np.asarray(src).size == 3 else np.zeros((3, 1))), np.zeros((3, 9))

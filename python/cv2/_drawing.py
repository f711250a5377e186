"""Functions of OpenCV that draw or show: nothing is drawn, and the report says so."""

import numpy as np

from torch._stand_ins import note


def rectangle(img: np.ndarray, *_: object, **__: object) -> np.ndarray:
    note("drawing_skipped", "library", "cv2")
    return img


circle = line = arrowedLine = ellipse = polylines = fillPoly = fillConvexPoly = drawContours = putText = drawMarker = (
    rectangle
)


def getTextSize(text: str, fontFace: int, fontScale: float, thickness: int) -> tuple:
    """About as large as letters of the usual font."""
    return (int(18 * fontScale * len(text)), int(22 * fontScale)), int(10 * fontScale)


def imshow(winname: str | None = None, *_: object, **__: object) -> None:
    note("drawing_skipped", "library", "cv2")


namedWindow = destroyWindow = moveWindow = resizeWindow = setMouseCallback = setWindowTitle = createTrackbar = imshow


def destroyAllWindows() -> None:
    """There are none."""


def waitKey(delay: int = 0) -> int:
    """Nobody presses a key."""
    return -1


waitKeyEx = pollKey = waitKey
__all__ = [name for name in vars() if not name.startswith("_") and name not in ("note", "np")]

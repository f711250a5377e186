"""Functions of OpenCV that draw or show: nothing is drawn, and the report says so."""

from torch._stand_ins import note


def rectangle(img, *_, **__):
    note("drawing_skipped", "library", "cv2")
    return img


circle = line = arrowedLine = ellipse = polylines = fillPoly = fillConvexPoly = drawContours = putText = drawMarker = (
    rectangle
)


def getTextSize(text, fontFace, fontScale, thickness):
    """About as large as letters of the usual font."""
    return (int(18 * fontScale * len(text)), int(22 * fontScale)), int(10 * fontScale)


def imshow(winname=None, *_, **__):
    note("drawing_skipped", "library", "cv2")


namedWindow = destroyWindow = moveWindow = resizeWindow = setMouseCallback = setWindowTitle = createTrackbar = imshow


def destroyAllWindows():
    """There are none."""


def waitKey(delay=0):
    """Nobody presses a key."""
    return -1


waitKeyEx = pollKey = waitKey
__all__ = [name for name in vars() if not name.startswith("_") and name != "note"]

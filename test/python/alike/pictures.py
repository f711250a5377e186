"""Shapes and dtypes that functions of OpenCV 4.12, scikit-image 0.26 and imageio give, and numbers of points."""

import cv2
import imageio.v2 as imageio
import numpy as np
from skimage import color, exposure, filters, img_as_float, img_as_ubyte, measure, metrics, morphology, transform, util

picture = np.zeros((48, 64, 3), "uint8")
gray = color.rgb2gray(picture)


def show(name, value):
    parts = value if isinstance(value, tuple) else (value,)
    print(name, *(p if isinstance(p, (int, float, bool, str)) else (p.shape, str(p.dtype)) for p in parts))


show("rgb2gray", gray)
show("resize", transform.resize(picture, (24, 32)))
show("resize gray", transform.resize(gray, (24, 32), anti_aliasing=True))
show("rescale", transform.rescale(picture, 0.5, channel_axis=-1))
show("rescale gray", transform.rescale(gray, 0.25))
show("downscale", transform.downscale_local_mean(gray, (5, 5)))
show("float", img_as_float(picture))
show("ubyte", img_as_ubyte(gray))
show("lab", color.rgb2lab(picture))
show("gray2rgb", color.gray2rgb(gray))
show("gaussian", filters.gaussian(picture, sigma=1))
print(morphology.disk(2).tolist())
show("equalize", exposure.equalize_hist(gray))
show("windows", util.view_as_windows(gray, (8, 8), 4))
show("label", measure.label(gray > 0, return_num=True))
print(round(metrics.peak_signal_noise_ratio(np.zeros((4, 4)), np.full((4, 4), 0.1), data_range=1.0), 6))
box = np.array([[1, 2], [5, 2], [5, 9], [1, 9]], "int32")
print(cv2.boundingRect(box), cv2.contourArea(box), cv2.arcLength(box, True))
show("components", cv2.connectedComponentsWithStats(np.zeros((6, 8), "uint8")))
show("distance", cv2.distanceTransform(np.zeros((6, 8), "uint8"), cv2.DIST_L2, 5))
show("integral", cv2.integral(np.zeros((6, 8), "uint8")))
show("histogram", cv2.calcHist([picture], [0], None, [256], [0, 256]))
show("template", cv2.matchTemplate(picture, picture[:8, :8], cv2.TM_CCOEFF_NORMED))
print(cv2.COLORMAP_INFERNO, cv2.EVENT_LBUTTONDOWN, cv2.CAP_PROP_AUTOFOCUS, cv2.COLOR_BGR2Luv, cv2.NORM_HAMMING)
print(callable(imageio.imread))

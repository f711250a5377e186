"""OpenCV: pictures are arrays of the right shape and dtype, without content.

Real: sizes from the headers of files, what functions do to shapes and dtypes, matrices of rotation. Not: pixels; nothing is drawn or shown.
"""

import types

from torch._stand_ins import lacks

from . import _flags
from ._constants import *
from ._drawing import *
from ._files import *
from ._measures import *
from ._shapes import *

globals().update({name: value for name, value in vars(_flags).items() if name[0].isupper()})
__version__ = "4.13.0"


class error(Exception):
    """What OpenCV raises."""


def setNumThreads(count: int) -> None:
    """Nothing runs here."""


setUseOptimized = setNumThreads
getNumThreads = getNumberOfCPUs = lambda: 1
getTickCount = lambda: 0
getTickFrequency = lambda: 1e9
getBuildInformation = lambda: ""
ocl = types.SimpleNamespace(setUseOpenCL=setNumThreads, haveOpenCL=lambda: False, useOpenCL=lambda: False)
cuda = types.SimpleNamespace(getCudaEnabledDeviceCount=lambda: 0)
Mat = "numpy.ndarray"
__getattr__ = lacks("cv2")

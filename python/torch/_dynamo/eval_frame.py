"""torch._dynamo.eval_frame: what libraries ask it for."""

from . import OptimizedModule as OptimizedModule
from . import disable as disable
from . import optimize as optimize


def is_dynamo_supported():
    return True


def is_inductor_supported():
    return True

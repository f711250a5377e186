"""torch._dynamo.eval_frame: what libraries ask it for."""

from __future__ import annotations

from . import OptimizedModule as OptimizedModule
from . import disable as disable
from . import optimize as optimize


def is_dynamo_supported() -> bool:
    return True


def is_inductor_supported() -> bool:
    return True

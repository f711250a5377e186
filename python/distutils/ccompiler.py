"""distutils.ccompiler: there is no compiler here."""

from typing import Any, NoReturn

from .errors import DistutilsPlatformError


class CCompiler:
    """A compiler; none can be had."""


def new_compiler(*args: Any, **kwargs: Any) -> NoReturn:
    raise DistutilsPlatformError("vramscope: there is no compiler in a simulated run")


get_default_compiler = new_compiler

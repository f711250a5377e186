"""distutils.sysconfig: where an installation of Python has what."""

from sysconfig import get_config_var as get_config_var, get_config_vars as get_config_vars, get_paths
from typing import Any


def get_python_inc(plat_specific: bool = False, prefix: Any = None) -> str:
    return get_paths()["platinclude" if plat_specific else "include"]


def get_python_lib(plat_specific: bool = False, standard_lib: bool = False, prefix: Any = None) -> str:
    return get_paths()["stdlib" if standard_lib else "purelib"]


def customize_compiler(compiler: Any) -> None:
    """There is none to set up."""

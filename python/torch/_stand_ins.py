"""What the stand-ins for other packages share: saying what they do not have, and noting in the report what they leave out."""

from __future__ import annotations

import opcode
import sys
from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    import types
    from collections.abc import Callable
    from typing import Any

    import torch


_IMPORT_FROM = opcode.opmap["IMPORT_FROM"]


def note(code: types.CodeType, key: str = "", value: str = "", **more: Any) -> None:
    """An entry of the report's assumptions at the program's line; `code` is one of those that src/i18n words."""
    if _C._js is not None:
        for name, text in more.items():
            key, value = f"{key},{name}", f"{value}\n{str(text).replace(chr(10), ' ')}"
        _C._js.assume(code, _C.here(), key, value)


def lacks(module: torch.nn.Module) -> Callable:
    """A module's __getattr__ that says what is missing: to `module.name` at once, to `from module import name` at its first use,
    unless somebody there catches that it is missing."""

    def __getattr__(name):
        text = f"vramscope's stand-in for {module} does not have '{name}'"
        caller = sys._getframe(1)
        # a module's own __getattr__ that asks here last
        while caller.f_code.co_name == "__getattr__" and caller.f_code.co_filename.startswith("/lib/vramscope/"):
            caller = caller.f_back
        code = caller.f_code.co_code
        if 0 <= caller.f_lasti < len(code) and code[caller.f_lasti] == _IMPORT_FROM:
            if not name.startswith("__"):
                from vramscope_data.handlers import expects_no_name
                from vramscope_deferred import Name
                from vramscope_packages import SHORT_FORMS

                # of those whose package can be mounted instead it is said at once, but to parts of a package: they may never run
                at_once = module.partition(".")[0] in SHORT_FORMS and not caller.f_globals.get("__package__")
                if not at_once and not expects_no_name(caller):
                    return Name(f"{module}.{name}", text)
                raise ImportError(text, name=module)
        raise AttributeError(text)

    return __getattr__

"""Tells the recorder when the program comes to a line for the first time, so that one that is stopped in a loop of C, where Python hears
nothing, was seen on its way there. A line is told once: it costs nothing afterwards.
"""

from __future__ import annotations

import sys
import types

_TOOL = 3  # none of those that sys.monitoring has a name for


def watch(code: types.CodeType) -> None:
    """Watches the lines of a program's main module and of the functions in it."""
    from torch import _C

    monitoring = sys.monitoring

    def on_line(code, line):
        _C.reached(sys._getframe(1), False)
        return monitoring.DISABLE

    if monitoring.get_tool(_TOOL) is None:
        monitoring.use_tool_id(_TOOL, "vramscope")
        monitoring.register_callback(_TOOL, monitoring.events.LINE, on_line)
    waiting = [code]
    while waiting:
        code = waiting.pop()
        monitoring.set_local_events(_TOOL, code, monitoring.events.LINE)
        waiting.extend(constant for constant in code.co_consts if isinstance(constant, types.CodeType))

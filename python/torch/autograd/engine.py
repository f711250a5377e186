"""The engine as an object: callbacks for the end of the running backward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _C

if TYPE_CHECKING:
    from collections.abc import Callable


class Engine:
    """What `Variable._execution_engine` is."""

    def queue_callback(self, callback: Callable) -> None:
        """Runs the callback when the outermost running backward ends; at once where none runs."""
        if _C._graph_tasks:
            _C.at_end_of_backward.append(callback)
        else:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")

"""The engine as an object: callbacks for the end of the running backward."""

from .. import _C


class Engine:
    """What `Variable._execution_engine` is."""

    def queue_callback(self, callback):
        """Runs the callback when the outermost running backward ends; at once where none runs."""
        if _C._graph_tasks:
            _C.at_end_of_backward.append(callback)
        else:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")

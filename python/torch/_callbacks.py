"""What the engine calls back: hooks, packed tensors, functions of subclasses, and what waits for a backward to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _autocast, _handles
from ._handles import subclasses, wrap, wrap_list
from ._raising import keep

if TYPE_CHECKING:
    from typing import Any
    from collections.abc import Callable, Sequence


_js = None  # the engine's functions, set by connect()


def connect(functions: Sequence[Callable]) -> None:
    """Takes the engine's functions for this run."""
    global _js
    _js = functions


_objects = {}  # id -> what Python registered (hooks, contexts, packed tensors)
_next_object = 0


def register(obj: Callable | tuple) -> int:
    """Keeps an object for the engine; it lets go through dispatch("drop", id)."""
    global _next_object
    _next_object += 1
    _objects[_next_object] = obj
    return _next_object


def _give(tensors):
    for t in tensors:
        if t is not None:
            _js.give(t._h)
    return ",".join("" if t is None else str(t._h) for t in tensors)


def tag_handle(handle: int, category: str, note: str = "") -> None:
    """Says what a tensor's memory is for; one of a subclass has it in the tensors that it holds."""
    if handle not in subclasses:
        _js.tag(handle, category, note)
        return
    for value in subclasses[handle][1].values():
        if isinstance(value, _handles.Tensor):
            tag_handle(value._h, category, note)


def dispatch(kind: str, number: int, handles: str) -> Any:
    """The one function that the engine calls."""
    if kind == "drop":
        _objects.pop(number, None)
        return None
    if kind == "forget":
        subclasses.pop(number, None)
        return None
    if kind == "gradient":
        tag_handle(number, kind)
        return None
    try:
        if kind == "op":
            from ._subclass import run

            return _give(run(handles))
        if kind == "call":
            result = _in_backward(_objects[number], *wrap_list(handles))
            if result is None:
                return ""
            return _give(result if isinstance(result, (tuple, list)) else (result,))
        if kind == "pack":
            # what was packed keeps its unpack hook alive, and nothing else does
            pack, unpack = _objects[number]
            packed = pack(wrap(int(handles)))
            if isinstance(packed, _handles.Tensor):
                _js.kept(packed._h)
            return register((unpack, packed))
        if kind == "holders":
            from . import _holders

            return _holders.walk()
        if kind == "keeps":
            return 1 if _objects[number](handles) else 0
        if kind == "unpack":
            unpack, packed = _objects[int(handles)]
            return _give((_in_backward(unpack, packed),))
    except BaseException as error:  # it continues where the engine was called from
        return keep(error)
    return None


_graph_tasks = []  # numbers of the running backward calls, the innermost last
_last_task = 0


at_end_of_backward = []  # callbacks that wait for the running backward
_graph_tasks_to_leaves = []  # of each, whether it goes to all leaves


def enter_graph_task(to_leaves: bool = True) -> None:
    global _last_task
    _last_task += 1
    _graph_tasks.append(_last_task)
    _graph_tasks_to_leaves.append(to_leaves)
    _final_callbacks.append([])


def leave_graph_task() -> None:
    _graph_tasks.pop()
    _graph_tasks_to_leaves.pop()
    _final_callbacks.pop()


_final_callbacks = []  # of each running backward call, what runs when it is over


def queue_callback(callback: Callable) -> None:
    """Runs a function when the backward that is running is over."""
    if not _final_callbacks:
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    _final_callbacks[-1].append(callback)


def run_final_callbacks() -> None:
    callbacks = _final_callbacks[-1]
    while callbacks:
        callbacks.pop(0)()


def _current_graph_task_id():
    """The number of the running backward; -1 outside of one."""
    return _graph_tasks[-1] if _graph_tasks else -1


def graph_task() -> int:
    """The number of the running backward; a number used for nothing else outside of one."""
    global _last_task
    if _graph_tasks:
        return _graph_tasks[-1]
    _last_task += 1
    return _last_task


def _will_engine_execute_node(node):
    """Whether the running backward runs this node, too."""
    runs = _js.nodeRuns(node._id)
    if runs == -1:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    return runs == 1


def _in_backward(function, *args):
    return _autocast.without_nesting(function, *args) if _graph_tasks else function(*args)

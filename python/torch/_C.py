"""torch._C: the bridge to the engine, gathered from its parts, and the names of torch._C that libraries ask for.

The engine's functions arrive in `connect` when a program starts; until then no part holds a JavaScript object, so that
an interpreter with the stand-in loaded can be frozen into a memory snapshot.
"""

from __future__ import annotations

import types
from weakref import ref as _ref
from typing import TYPE_CHECKING

from . import _autocast, _callbacks, _frames, _generated, _gpus, _handles, _operands
from ._autocast import (
    autocast_decrement_nesting,
    autocast_increment_nesting,
    clear_autocast_cache,
    get_autocast_dtype,
    is_autocast_cache_enabled,
    is_autocast_enabled,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)
from ._callbacks import (
    _current_graph_task_id,
    _will_engine_execute_node,
    graph_task,
    _final_callbacks,
    _graph_tasks,
    _graph_tasks_to_leaves,
    _objects,
    at_end_of_backward,
    dispatch,
    enter_graph_task,
    leave_graph_task,
    queue_callback,
    register,
    run_final_callbacks,
    tag_handle,
)
from ._errors import OutOfMemoryError, UnsupportedOp
from ._frames import here, main_module, reached
from ._generated import TABLE, generate, ops, out_call
from ._handles import _live, _new, subclasses, wrap, wrap_list
from ._operands import dtype_of_type
from ._raising import compiled, fail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import torch
    from torch import Tensor


_js = None  # the engine's functions, set by connect()
_PARTS = (_gpus, _frames, _handles, _generated, _callbacks, _autocast)


def _nothing_to_release(handle, frame):
    """Before a program starts there is nothing to release."""


def _none_to_release(handle):
    return True


_release, _release_quietly = _nothing_to_release, _none_to_release


def connect(functions: Sequence[Callable]) -> None:
    """Takes the engine's functions for this run."""
    global _js, _release, _release_quietly
    _js = functions
    _release, _release_quietly = functions.release, functions.releaseQuietly
    for part in _PARTS:
        part.connect(functions)


def disconnect() -> None:
    """Lets go of the engine's functions, so that the interpreter can be frozen once more."""
    global _js, _release, _release_quietly
    _js, _release, _release_quietly = None, _nothing_to_release, _none_to_release
    for part in _PARTS:
        part.connect(None)


def know_tensor(tensor_class: type, base: Any) -> None:
    """Takes the classes of tensors, of which torch._C has the base."""
    global Tensor, TensorBase, _TensorBase
    Tensor, TensorBase, _TensorBase = tensor_class, base, base
    _handles.know(tensor_class)
    _operands.know(tensor_class)


# --- modules and phases


_depth = 0


def push_module(module: torch.nn.Module) -> None:
    """The module's forward begins; its path is known from the outermost call."""
    global _depth
    if _depth == 0:
        _name_tree(module)
    _depth += 1
    _js.pushModule(module.__dict__.get("_vs_path") or type(module).__name__)


def pop_module() -> None:
    global _depth
    _depth -= 1
    _js.popModule()


def _name_tree(root):
    prefix = type(root).__name__
    count = 0
    for _ in root.modules():
        count += 1
    known = root.__dict__.get("_vs_named")
    if known == count:
        return
    for name, module in root.named_modules():
        object.__setattr__(module, "_vs_path", f"{prefix}.{name}" if name else prefix)
    object.__setattr__(root, "_vs_named", count)


def set_phase(phase: str) -> str:
    return _js.setPhase(phase)


def tag(tensor: Tensor, category: str, note: str = "") -> None:
    """Says what the tensor's memory is for, in the trace's words; a subclass has it in the tensors that it holds."""
    tag_handle(tensor._h, category, note)


def _cuda_clearCublasWorkspaces():
    _js.clearWorkspaces()


# --- names of torch._C that libraries ask for and that change nothing here

is_grad_enabled = lambda: _js.gradMode()
_GLIBCXX_USE_CXX11_ABI = True


def _nothing(*_, **__):
    return None


def _disabled_torch_function_impl(func: Callable, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
    """What a subclass has for __torch_function__ that wants none: no call is handed to it."""
    return func(*args, **(kwargs or {}))


class DisableTorchFunctionSubclass:
    """Calls within are not handed to subclasses."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


DisableTorchFunction = DisableTorchFunctionSubclass


def __getattr__(name: str) -> Any:
    if name.startswith(("_jit_set_", "_jit_override_", "_log_api_usage", "_debug_set_", "_set_", "_jit_can_fuse")):
        return _nothing
    if name == "_get_tracing_state":
        return _nothing
    if name == "_get_accelerator":
        from ._types import device

        return lambda check=False: device("cuda")
    if name == "_functorch":
        # transforms of ours push no interpreter
        return types.SimpleNamespace(peek_interpreter_stack=_nothing)
    if name == "_get_privateuse1_backend_name":
        return lambda: "privateuseone"
    if name == "Generator":
        from ._types import Generator

        return Generator
    if name in ("PyTorchFileReader", "PyTorchFileWriter"):
        from . import _records

        return getattr(_records, name)
    raise AttributeError(f"module 'torch._C' has no attribute '{name}'")

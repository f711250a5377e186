"""Graph nodes as Python sees them, hook handles, saved-tensor hooks."""

from __future__ import annotations

from typing import NamedTuple
from typing import TYPE_CHECKING

from .. import _C
from ..utils.hooks import RemovableHandle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn, Self

    from torch import Tensor


class Node:
    """One node of the autograd graph."""

    def __init__(self, number: int) -> None:
        self._id = number

    def name(self) -> str:
        return _C._js.nodeName(self._id)

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        result = []
        text = _C._js.nodeNext(self._id)
        for part in text.split(",") if text else ():
            number, _, nr = part.partition(":")
            result.append((node_of(int(number)) if number else None, int(nr)))
        return tuple(result)

    metadata = property(lambda self: self.__dict__.setdefault("_metadata", {}))

    def register_hook(self, hook: Callable) -> RemovableHandle:
        count = len(self.next_functions)  # the hook must not hold the node that holds it
        return _node_hook(self, "post", lambda *tensors: hook(tuple(tensors[:count]), tuple(tensors[count:])))

    def register_prehook(self, hook: Callable) -> RemovableHandle:
        return _node_hook(self, "pre", lambda *grads: hook(grads))

    def __getattr__(self, name: str) -> Any:
        for prefix in ("_raw_saved_", "_saved_"):
            if name.startswith(prefix):
                return _saved(self, name, name[len(prefix) :])
        if name == "variable" and type(self).__name__ == "AccumulateGrad":
            return _C.wrap(_C._js.nodeVariable(self._id))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at 0x{self._id:012x}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._id == other._id

    def __hash__(self) -> int:
        return self._id

    def __del__(self) -> None:
        if _C._js is not None:
            _C._js.releaseNode(self._id, _C.here())


def _get_grad_fn_or_grad_acc(t: Tensor) -> Node | None:
    """The node that a gradient of this tensor comes to."""
    if not t.requires_grad or t.grad_fn is not None:
        return t.grad_fn
    import torch

    with torch.enable_grad():
        return t.view_as(t).grad_fn.next_functions[0][0]


def _node_hook(node, kind, function):
    from collections import OrderedDict

    hooks = OrderedDict()
    handle = RemovableHandle(hooks)
    hooks[handle.id] = function
    # the node keeps the dictionary through the registered function; an emptied one does nothing
    _C._js.nodeHook(node._id, kind, _C.register(lambda *tensors: _call_all(hooks, tensors)))
    return handle


def _call_all(hooks, tensors):
    result = None
    for function in list(hooks.values()):
        got = function(*tensors)
        if got is not None:
            result = got
    return result


_classes = {}  # PyTorch has one class per kind of node


def node_of(number: int) -> Any:
    if not number:
        return None
    name = _C._js.nodeName(number).rpartition("::")[2]
    kind = _classes.get(name)
    if kind is None:
        kind = _classes[name] = type(name, (Node,), {"__module__": "torch.autograd"})
    return kind(number)


def _saved(node, attribute, name):
    found = _C._js.nodeSaved(node._id, name)
    if type(found) is str and found[:1] == "!":
        _C.fail(found)
    if found is None:
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '{attribute}'")
    value = tuple(_C.wrap_list(found)) if isinstance(found, str) else _C.wrap(found)
    return SavedTensor() if attribute.startswith("_raw") else value


class SavedTensor:
    """What a node keeps, not unpacked."""

    def register_hooks(self, pack_hook: Any, unpack_hook: Any) -> NoReturn:
        raise RuntimeError(
            "vramscope: hooks on a single saved tensor are not simulated; use torch.autograd.graph.saved_tensors_hooks"
        )


class HookHandle:
    """What register_hook returns: remove() takes the hook away."""

    def __init__(self, tensor: Tensor, number: Any, remover: Any) -> None:
        import weakref

        self._tensor = weakref.ref(tensor)
        self.id = number
        self._remover = remover

    def remove(self) -> None:
        t = self._tensor()
        if t is not None:
            getattr(_C._js, self._remover)(t._h, self.id)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.remove()


class saved_tensors_hooks:
    """Every tensor saved inside is packed by the first function and unpacked by the second."""

    _active = []

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if disable_saved_tensors_hooks._messages:
            raise RuntimeError(disable_saved_tensors_hooks._messages[-1])
        number = _C.register((self.pack_hook, self.unpack_hook))
        saved_tensors_hooks._active.append(number)
        _C._js.setSavedHooks(number, number)

    def __exit__(self, *_: object) -> None:
        _C.dispatch("drop", saved_tensors_hooks._active.pop(), "")
        number = saved_tensors_hooks._active[-1] if saved_tensors_hooks._active else -1
        _C._js.setSavedHooks(number, number)


class save_on_cpu(saved_tensors_hooks):
    """Saved tensors wait on the CPU."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        import torch

        def pack(tensor):
            if not pin_memory:
                return tensor.device, tensor.cpu()
            packed = torch.empty(tensor.size(), dtype=tensor.dtype, layout=tensor.layout, pin_memory=True)
            packed.copy_(tensor)
            return tensor.device, packed

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)

        super().__init__(pack, unpack)


class disable_saved_tensors_hooks:
    """Inside, using saved-tensor hooks is an error."""

    _messages = []

    def __init__(self, error_message: Any) -> None:
        self.message = error_message

    def __enter__(self) -> None:
        self._messages.append(self.message)

    def __exit__(self, *_: Any) -> None:
        self._messages.pop()


class GradientEdge(NamedTuple):
    """A place at which gradients arrive: an input of a node's backward."""

    node: Node
    output_nr: int
    ownership_token: object = None


def queue_callback(callback: Callable) -> None:
    """Runs a function when the backward that is running is over."""
    _C.queue_callback(callback)


def register_multi_grad_hook(
    tensors: Sequence[Tensor],
    fn: Callable[[Sequence[Tensor | None]], None] | Callable[[Tensor], None],
    *,
    mode: str = "all",
) -> RemovableHandle:
    """Calls a function with the gradients of all tensors when the last one is there, or with the first (`mode="any"`)."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of {('all', 'any')} but got {mode}")
    count, arrived = len(tensors), 0  # the hook must not hold the tensors
    gradients = [None] * count

    def arrive(i, gradient):
        nonlocal arrived
        arrived += 1
        if mode == "any":
            if arrived == 1:
                fn(gradient)
            arrived %= count
            return
        gradients[i] = gradient
        if arrived == count:
            collected = gradients[:]
            gradients[:] = [None] * count
            arrived = 0
            fn(collected)

    hooks = [t.register_hook(lambda gradient, i=i: arrive(i, gradient)) for i, t in enumerate(tensors)]
    return _Hooks(hooks)


class _Hooks:
    """Several hooks that are removed together."""

    def __init__(self, hooks: Any) -> None:
        self._hooks = hooks

    def remove(self) -> None:
        for hook in self._hooks:
            hook.remove()
        self._hooks = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.remove()


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    if tensor.grad_fn is None:
        return GradientEdge(tensor.view_as(tensor).grad_fn.next_functions[0][0], 0)
    return GradientEdge(tensor.grad_fn, _C._js.outputNr(tensor._h))

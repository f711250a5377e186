"""torch.compiler: what is compiled runs as the program wrote it, followed by the engine."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self


def _keeps(fn=None, *_, **__):
    return fn if fn is not None else (lambda f: f)


disable = assume_constant_result = allow_in_graph = _keeps


def substitute_in_graph(original_fn: Callable, **_: Any) -> Callable[[Callable], Callable]:
    return lambda traceable_fn: traceable_fn


def wrap_numpy(fn: Callable) -> Callable:
    return fn


def is_compiling() -> bool:
    return False


is_dynamo_compiling = is_exporting = is_compiling


def reset() -> None:
    pass


def cudagraph_mark_step_begin() -> None:
    pass


def list_backends(exclude_tags: tuple[str, str] = ("debug", "experimental")) -> list[str]:
    return ["cudagraphs", "inductor", "onnxrt", "openxla", "tvm"]


class set_stance:
    """How compiled code is run; here it always runs as it is. A function call, a context and a decorator."""

    def __init__(
        self,
        stance: str = "default",
        *,
        skip_guard_eval_unsafe: bool = False,
        force_backend: str | Callable[..., Any] | None = None,
    ) -> None:
        if stance not in ("default", "force_eager", "eager_on_recompile", "fail_on_recompile", "eager_then_compile", "aot_eager_then_compile"):  # fmt: skip
            raise RuntimeError(f"invalid torch.compile stance: {stance}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> bool:
        return False

    def __call__(self, fn: Any) -> Any:
        return fn


@contextmanager
def _patch_engine_backward():
    yield


def _is_non_strict_tracing():
    return False


@contextmanager
def skip_all_guards_unsafe(*_: Any) -> Iterator:
    yield


def __getattr__(name: str) -> Callable:
    if name.startswith("skip_guard_on_") or name.startswith("keep_"):
        return lambda *_, **__: True
    raise AttributeError(name)

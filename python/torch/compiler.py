"""torch.compiler: everything runs as eager code."""

from contextlib import contextmanager


def _keeps(fn=None, *_, **__):
    return fn if fn is not None else (lambda f: f)


disable = assume_constant_result = allow_in_graph = _keeps


def substitute_in_graph(original_fn, **_):
    return lambda traceable_fn: traceable_fn


def wrap_numpy(fn):
    return fn


def is_compiling():
    return False


is_dynamo_compiling = is_exporting = is_compiling


def reset():
    pass


def cudagraph_mark_step_begin():
    pass


def list_backends(exclude_tags=("debug", "experimental")):
    return ["cudagraphs", "inductor", "onnxrt", "openxla", "tvm"]


class set_stance:
    """How compiled code is run; here it always runs as it is. A function call, a context and a decorator."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        if stance not in ("default", "force_eager", "eager_on_recompile", "fail_on_recompile", "eager_then_compile", "aot_eager_then_compile"):  # fmt: skip
            raise RuntimeError(f"invalid torch.compile stance: {stance}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def __call__(self, fn):
        return fn


@contextmanager
def _patch_engine_backward():
    yield


def _is_non_strict_tracing():
    return False


@contextmanager
def skip_all_guards_unsafe(*_):
    yield


def __getattr__(name):
    if name.startswith("skip_guard_on_") or name.startswith("keep_"):
        return lambda *_, **__: True
    raise AttributeError(name)

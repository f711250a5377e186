"""torch.jit: scripted and traced modules run as they are."""

from .. import _C


class _Save:
    """The `save` of a scripted or traced module."""

    def __init__(self, module):
        self.module = module

    def __call__(self, f, _extra_files=None):
        save(self.module, f)


def _as_is(obj):
    """The module or function itself, said once in the report."""
    from ..nn import Module

    _C._js.assume("jit_runs_eager", _C.here(), "", "")
    if isinstance(obj, Module):
        obj.__dict__["save"] = _Save(obj)
    return obj


def script(obj=None, *_, **__):
    return _as_is(obj) if obj is not None else _as_is


def trace(func, example_inputs=None, *_, **__):
    return _as_is(func)


def trace_module(mod, inputs, *_, **__):
    return _as_is(mod)


def save(m, f, _extra_files=None):
    """Pickles the module; only torch.jit.load of the same program reads it."""
    from ..serialization import save as write

    write(m, f)


def load(f, map_location=None, _extra_files=None, **_):
    from ..serialization import load as read

    return read(f, map_location=map_location, weights_only=False)


def fork(func, *args, **kwargs):
    return func(*args, **kwargs)


def wait(future):
    return future


def set_fusion_strategy(strategy):
    return strategy


class _Optimized:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def optimized_execution(should_optimize=True):
    return _Optimized()


def fuser(name):
    return _Optimized()


def script_method(fn, *_, **__):
    return fn


def enable_onednn_fusion(enabled):
    pass


def ignore(drop=False, **_):
    return drop if callable(drop) else (lambda f: f)


def export(f):
    return f


def unused(f):
    return f


def interface(c):
    return c


def is_scripting():
    return False


def is_tracing():
    return False


def freeze(module, *_, **__):
    return module


def annotate(the_type, value):
    return value


def optimize_for_inference(module, *_):
    return module


class ScriptFunction:
    pass


class RecursiveScriptModule:
    pass


class ScriptModule:
    pass


class Attribute:
    def __init__(self, value, type):
        self.value = value


Final = object


def _overload_method(f):
    return f


def script_if_tracing(f):
    return f


_script_if_tracing = script_if_tracing

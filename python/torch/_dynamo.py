"""torch._dynamo: everything runs as eager code."""

from .nn import Module


class OptimizedModule(Module):
    """What torch.compile makes of a module: its parameters and state go by `_orig_mod.NAME`, all else is the module's own."""

    def __init__(self, mod, dynamo_ctx=None):
        super().__init__()
        self._orig_mod = mod
        self.training = mod.training

    def forward(self, *args, **kwargs):
        return self._orig_mod(*args, **kwargs)

    def __getattr__(self, name):
        module = self._modules["_orig_mod"]
        return module if name == "_orig_mod" else getattr(module, name)

    def __setattr__(self, name, value):
        if name == "_orig_mod" or name in self.__dict__ or "_orig_mod" not in self.__dict__.get("_modules", ()):
            super().__setattr__(name, value)
        else:
            setattr(self._modules["_orig_mod"], name, value)

    def __delattr__(self, name):
        delattr(self._modules["_orig_mod"], name)

    def __len__(self):
        return len(self._modules["_orig_mod"])

    def __dir__(self):
        return [*dir(self._modules["_orig_mod"]), *super().__dir__()]


class _Config:
    suppress_errors = False
    cache_size_limit = 8


config = _Config()


def disable(fn=None, recursive=True):
    return fn if fn is not None else (lambda f: f)


def reset():
    pass


def is_compiling():
    return False


def mark_dynamic(*_):
    pass


def allow_in_graph(f):
    return f

"""triton.language: names that kernels mention; kernels never run."""


class constexpr:
    """A value known when a kernel is compiled."""

    def __init__(self, value):
        self.value = value


class _Name:
    def __init__(self, name):
        self._name = name

    def __call__(self, *_, **__):
        raise RuntimeError(f"triton.language.{self._name} is only meant within a kernel")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Name(f"{self._name}.{name}")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Name(name)

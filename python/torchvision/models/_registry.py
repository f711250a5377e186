"""Names of models and of their published weights. Weights are never loaded: their sizes are the model's."""

from torch._stand_ins import note

builders = {}


def register(function):
    """Makes a builder known to get_model and list_models."""
    builders[function.__name__] = function
    return function


def builder(name, make, **fixed):
    """A builder function: `weights` and `pretrained` change nothing but the report, other options reach the class."""

    def build(*args, weights=None, progress=True, pretrained=None, **options):
        if weights is not None or pretrained or (args and args[0]):
            note("pretrained_weights", "library", f"torchvision.models.{name}")
        options.pop("weights_backbone", None)
        return make(**{**fixed, **options})

    build.__name__ = build.__qualname__ = name
    return register(build)


class _Members(type):
    """Any member that is asked for is there: releases add some."""

    def __getattr__(cls, name):
        if name.startswith("_") or not name.isupper():
            raise AttributeError(name)
        made = cls(name)
        setattr(cls, name, made)
        return made

    def __getitem__(cls, name):
        return getattr(cls, name)

    def __iter__(cls):
        return iter([cls.DEFAULT])


class WeightsEnum(metaclass=_Members):
    """One set of published weights."""

    def __init__(self, name):
        self.name = self.value = name
        self.url = f"https://download.pytorch.org/models/{type(self).__name__.removesuffix('_Weights').lower()}.pth"
        self.meta = {"categories": [f"class {i}" for i in range(1000)], "min_size": (1, 1)}

    def transforms(self, **_):
        from torchvision import transforms

        return transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor()])

    @classmethod
    def verify(cls, value):
        return value

    def get_state_dict(self, *_, **__):
        raise RuntimeError(f"vramscope has no network: the weights {self.name} cannot be downloaded")

    def __repr__(self):
        return f"{type(self).__name__}.{self.name}"


_weights = {}


def weights_class(name):
    if name not in _weights:
        _weights[name] = _Members(name, (WeightsEnum,), {"__module__": "torchvision.models"})
    return _weights[name]


def get_model_builder(name):
    if name.lower() not in builders:
        raise ValueError(f"Unknown model {name}")
    return builders[name.lower()]


def get_model(name, **config):
    return get_model_builder(name)(**config)


def list_models(module=None, include=None, exclude=None):
    import fnmatch

    chosen = [
        n
        for n in builders
        if include is None or any(fnmatch.fnmatch(n, p) for p in ([include] if isinstance(include, str) else include))
    ]
    return sorted(
        n
        for n in chosen
        if not any(fnmatch.fnmatch(n, p) for p in ([exclude] if isinstance(exclude, str) else exclude or ()))
    )


def get_weight(name):
    kind, _, member = name.partition(".")
    return getattr(weights_class(kind), member)


def get_model_weights(name):
    return weights_class((name if isinstance(name, str) else name.__name__) + "_Weights")

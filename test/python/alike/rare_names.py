"""Names of PyTorch that packages ask for while they are imported, and what they do."""

import torch
import torch.utils._pytree
import torch.utils.weak as weak
from torch.overrides import TorchFunctionMode
from torch.serialization import MAP_LOCATION



@torch.jit._overload
def overloaded(x: int) -> int:
    pass


print(torch.torch is torch, MAP_LOCATION is not None, callable(overloaded))
table = weak.WeakTensorKeyDictionary()
key = torch.zeros(2)
table[key] = "kept"
print(table[key], len(table), key in table, weak.TensorWeakRef(key)() is key)
del key
print(len(table))


class Passing(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


with Passing():
    print(torch.ones(2))

from torch.distributions import constraints  # noqa: E402

value = torch.tensor([-1.0, 0.0, 0.5, 2.0])
for name in ("positive", "nonnegative", "unit_interval", "real", "boolean", "nonnegative_integer", "positive_integer"):
    print(name, getattr(constraints, name).check(value).tolist(), getattr(constraints, name))
for made in (constraints.interval(0, 1), constraints.greater_than(0.5), constraints.half_open_interval(0, 2)):
    print(made, made.check(value).tolist(), made.event_dim, made.is_discrete)
print(constraints.independent(constraints.positive, 1).check(value + 2).item(), constraints.real_vector.event_dim)
print(constraints.cat([constraints.positive, constraints.real], lengths=[2, 2]).check(value).tolist())
print(constraints.lower_triangular.check(torch.eye(2)).item(), constraints.is_dependent(constraints.dependent))
print(sorted(constraints.__all__) == sorted(n for n in constraints.__all__ if hasattr(constraints, n)))

from torch.distributions import Normal, kl_divergence  # noqa: E402
from torch.distributions.kl import register_kl  # noqa: E402


class Own(Normal):
    pass


register_kl(Own, Normal)(lambda p, q: "own")
print(kl_divergence(Own(0.0, 1.0), Own(0.0, 1.0)), kl_divergence(Normal(0.0, 1.0), Normal(0.0, 1.0)))

from torch.utils.data import IterDataPipe, functional_datapipe  # noqa: E402
from torch.utils.data.datapipes.iter import Batcher, IterableWrapper  # noqa: E402


@functional_datapipe("doubled")
class Doubled(IterDataPipe):
    def __init__(self, pipe):
        self.pipe = pipe

    def __iter__(self):
        return (2 * item for item in self.pipe)


pipe = IterableWrapper(range(7)).doubled().filter(lambda n: n != 4).map(lambda n: n + 1)
print(list(pipe), list(Batcher(IterableWrapper(range(5)), 2)), len(IterableWrapper(range(5)).batch(2, drop_last=True)))

from torch.utils._contextlib import _DecoratorContextManager  # noqa: E402
from torch.utils.data._utils.collate import collate, default_collate, default_collate_fn_map  # noqa: E402


class Kept:
    def __init__(self, value):
        self.value = value


default_collate_fn_map.setdefault(Kept, lambda batch, *, collate_fn_map=None: [one.value for one in batch])
print(default_collate([{"a": Kept(1), "b": 2}, {"a": Kept(5), "b": 3}]))
own = {**default_collate_fn_map, float: lambda batch, *, collate_fn_map=None: sum(batch)}
print(collate([(1.5, "x"), (2.5, "y")], collate_fn_map=own))


class Counted(_DecoratorContextManager):
    entered = 0

    def __enter__(self):
        Counted.entered += 1

    def __exit__(self, *error):
        pass


Counted()(print)("within")
print(Counted.entered, torch.utils._pytree.tree_is_leaf([1]), torch.utils._pytree.tree_is_leaf(1))

"""Names of PyTorch that packages ask for while they are imported, and what they do."""

import torch
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

"""safetensors.numpy: the same files as arrays."""

from . import torch as _torch
from ._open import safe_open


def load_file(filename, **_):
    with safe_open(filename, framework="np") as file:
        return {name: file.get_tensor(name) for name in file.keys()}


def load(data):
    return {name: tensor.numpy() for name, tensor in _torch.load(data).items()}


def _tensors(arrays):
    import torch

    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def save_file(tensor_dict, filename, metadata=None):
    _torch.save_file(_tensors(tensor_dict), filename, metadata)


def save(tensor_dict, metadata=None):
    return _torch.save(_tensors(tensor_dict), metadata)

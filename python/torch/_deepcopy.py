"""Deep copies of tensors: the whole storage once, and an empty tensor that takes it
(Tensor.__deepcopy__ in torch/_tensor.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._release import rules

if TYPE_CHECKING:
    from torch import Tensor


def copied(tensor: Tensor, memo: dict[int, dict | list[dict]]) -> Tensor:
    """A tensor of the same sizes and strides on a copy of the storage, which tensors of one storage share in the copy, too.

    tensor: without gradient, any shape. memo: of copy.deepcopy; storages lie under "torch", as PyTorch keeps them."""
    if not rules.deepcopy_copies_storage:
        return tensor.clone()
    storages = memo.setdefault("torch", {})
    storage = tensor.untyped_storage()
    key = storage.data_ptr()
    elements = storage.nbytes() // tensor.element_size()
    if key not in storages:
        storages[key] = (tensor if elements == tensor.numel() else tensor.as_strided([elements], [1], 0)).clone()
        if elements == tensor.numel():
            tensor.new_empty([])  # takes the storage in PyTorch: its own block lives a moment beside the copy
            return storages[key]
    return tensor.new_empty([]).set_(
        storages[key].untyped_storage(), tensor.storage_offset(), tensor.size(), tensor.stride()
    )

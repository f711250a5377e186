"""torch.utils.data._utils.collate: PyTorch's address of what makes batches."""

from ..collate import (
    collate as collate,
    collate_tensor_fn as collate_tensor_fn,
    default_collate as default_collate,
    default_collate_fn_map as default_collate_fn_map,
    default_convert as default_convert,
)

"""torch_einops_utils, which x_transformers stands on: short tensor helpers; the package itself wins where it is installed.

Each helper runs the package's operators in the package's order, so that its tensors live as long as there.
"""

from .masks import and_masks, lens_to_mask, mask_after, mask_before, masked_mean, masked_reduce, masked_sum, or_masks
from .nn import temp_eval
from .shapes import (
    batched_index_select, exclusive_cumsum, maybe, pack_with_inverse, pad_at_dim, pad_left_at_dim, pad_left_at_dim_to,
    pad_left_ndim, pad_left_ndim_to, pad_ndim, pad_right_at_dim, pad_right_at_dim_to, pad_right_ndim, pad_right_ndim_to,
    pad_sequence, reverse_cumsum, safe_cat, safe_stack, shift, shift_left, shift_right, slice_at_dim, slice_left_at_dim,
    slice_right_at_dim, tree_flatten_with_inverse, tree_map_tensor,
)  # fmt: skip

from torch._stand_ins import lacks

__all__ = [
    "and_masks", "batched_index_select", "exclusive_cumsum", "lens_to_mask", "mask_after", "mask_before", "masked_mean",
    "masked_reduce", "masked_sum", "maybe", "or_masks", "pack_with_inverse", "pad_at_dim", "pad_left_at_dim",
    "pad_left_at_dim_to", "pad_left_ndim", "pad_left_ndim_to", "pad_ndim", "pad_right_at_dim", "pad_right_at_dim_to",
    "pad_right_ndim", "pad_right_ndim_to", "pad_sequence", "reverse_cumsum", "safe_cat", "safe_stack", "shift",
    "shift_left", "shift_right", "slice_at_dim", "slice_left_at_dim", "slice_right_at_dim", "temp_eval",
    "tree_flatten_with_inverse", "tree_map_tensor",
]  # fmt: skip

__getattr__ = lacks("torch_einops_utils")

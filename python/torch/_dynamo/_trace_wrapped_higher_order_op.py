"""The context in which indexing by tensors of one element makes no host read, as mask functions under vmap need it."""

from ..func._index_maps import IndexContext as TransformGetItemToIndex  # noqa: F401

"""The context in which indexing by tensors of one element makes no host read, as mask functions under vmap need it."""


class TransformGetItemToIndex:
    """Indices here are tensors as they are; entering changes nothing that takes memory."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

"""Which memory format the strides of a tensor have."""


def channels_lie_last(t, dims):
    """Whether elements lie without gaps, channels innermost (c10/core/MemoryFormat.h is_channels_last_strides); numel 0 too."""
    if t.dim() != dims:
        return False
    size, stride, expected = t.shape, t.stride(), 1
    for i in (1, *range(dims - 1, 1, -1), 0):
        if size[i] != 1:
            if stride[i] != expected:
                return False
            expected *= size[i]
    return True

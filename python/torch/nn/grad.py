"""Gradients of convolutions by hand: what goes to the input, what goes to the weight."""

from torch import _C

from .modules.utils import _ntuple

__all__ = []


def _pair_of(dims):
    several = _ntuple(dims)

    def backward(grad_output, input, weight, stride, padding, dilation, groups, wanted):
        sizes = several(stride), several(padding), several(dilation)
        return _C.ops.convolution_backward(grad_output, input, weight, None, *sizes, False, [0] * dims, groups, *wanted)

    def conv_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
        input = grad_output.new_empty(1).expand(input_size)
        return backward(grad_output, input, weight, stride, padding, dilation, groups, (True, False, False))[0]

    def conv_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
        weight = grad_output.new_empty(1).expand(weight_size)
        return backward(grad_output, input, weight, stride, padding, dilation, groups, (False, True, False))[1]

    return conv_input, conv_weight


for _dims in (1, 2, 3):
    for _kind, _function in zip(("input", "weight"), _pair_of(_dims)):
        _function.__name__ = _function.__qualname__ = f"conv{_dims}d_{_kind}"
        globals()[_function.__name__] = _function
        __all__.append(_function.__name__)

"""Every module class, gathered from one file per group."""

from . import (
    activation,
    attention,
    batchnorm,
    container,
    conv,
    distance,
    dropout,
    flatten,
    fold,
    linear,
    loss,
    normalization,
    padding,
    pixelshuffle,
    pooling,
    rnn,
    rnn_cells,
    sparse,
    transformer,
    upsampling,
)
from .module import Module

_FILES = (
    activation,
    attention,
    batchnorm,
    container,
    conv,
    distance,
    dropout,
    flatten,
    fold,
    linear,
    loss,
    normalization,
    padding,
    pixelshuffle,
    pooling,
    rnn,
    rnn_cells,
    sparse,
    transformer,
    upsampling,
)
__all__ = ["Module"]
for _file in _FILES:
    for _name, _value in list(vars(_file).items()):
        if isinstance(_value, type) and issubclass(_value, Module) and not _name.startswith("_"):
            globals()[_name] = _value
            __all__.append(_name)
# A user's error or print names the class as PyTorch does, so classes also live where PyTorch keeps them.
activation.MultiheadAttention = attention.MultiheadAttention
rnn.LSTMCell, rnn.GRUCell, rnn.RNNCell = rnn_cells.LSTMCell, rnn_cells.GRUCell, rnn_cells.RNNCell
__all__ = sorted(set(__all__))

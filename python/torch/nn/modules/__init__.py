"""Every module class, gathered from one file per group."""

from . import (
    activation,
    adaptive,
    attention,
    batchnorm,
    channelshuffle,
    container,
    conv,
    distance,
    dropout,
    flatten,
    fold,
    instancenorm,
    linear,
    loss,
    normalization,
    padding,
    parameter_containers,
    pixelshuffle,
    pooling,
    rnn,
    rnn_cells,
    sparse,
    transformer,
    transformer_layers,
    upsampling,
)
from .module import Module

_FILES = (
    activation,
    adaptive,
    attention,
    batchnorm,
    channelshuffle,
    container,
    conv,
    distance,
    dropout,
    flatten,
    fold,
    instancenorm,
    linear,
    loss,
    normalization,
    padding,
    parameter_containers,
    pixelshuffle,
    pooling,
    rnn,
    rnn_cells,
    sparse,
    transformer,
    transformer_layers,
    upsampling,
)
__all__ = ["Module"]
for _file in _FILES:
    for _name, _value in list(vars(_file).items()):
        if isinstance(_value, type) and issubclass(_value, Module) and not _name.startswith("_"):
            globals()[_name] = _value
            __all__.append(_name)
# Printed names, pickles and imports say where PyTorch keeps a class, which is not always this package's file.
for _place, _classes in (
    (activation, [attention.MultiheadAttention]),
    (rnn, [rnn_cells.RNNCellBase, rnn_cells.RNNCell, rnn_cells.LSTMCell, rnn_cells.GRUCell]),
    (instancenorm, [instancenorm.InstanceNorm1d, instancenorm.InstanceNorm2d, instancenorm.InstanceNorm3d]),
    (channelshuffle, [pixelshuffle.ChannelShuffle]),
    (container, [parameter_containers.ParameterList, parameter_containers.ParameterDict]),
    (transformer, [transformer_layers.TransformerEncoderLayer, transformer_layers.TransformerDecoderLayer]),
):
    for _value in _classes:
        _value.__module__ = _place.__name__
        setattr(_place, _value.__name__, _value)
__all__ = sorted(set(__all__))

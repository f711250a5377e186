"""encodec: convolutions and an LSTM that turn sound into codes from books, and back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import PreTrainedModel, register

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class EncodecConfig(PreTrainedConfig):
    model_type = "encodec"
    target_bandwidths = (1.5, 3.0, 6.0, 12.0, 24.0)
    sampling_rate = 24_000
    audio_channels = 1
    normalize = False
    chunk_length_s = None
    overlap = None
    hidden_size = 128
    num_filters = 32
    num_residual_layers = 1
    upsampling_ratios = (8, 5, 4, 2)
    norm_type = "weight_norm"
    kernel_size = 7
    last_kernel_size = 7
    residual_kernel_size = 3
    dilation_growth_rate = 2
    use_causal_conv = True
    pad_mode = "reflect"
    compress = 2
    num_lstm_layers = 2
    trim_right_ratio = 1.0
    codebook_size = 1024
    codebook_dim = None
    use_conv_shortcut = True

    def complete(self) -> None:
        if self.norm_type not in ("weight_norm", "time_group_norm"):
            raise ValueError(
                f"`config.norm_type` is {self.norm_type}, but has to be one of ['weight_norm', 'time_group_norm']"
            )
        self.codebook_dim = self.codebook_dim if self.codebook_dim is not None else self.hidden_size

    @property
    def chunk_length(self) -> int | None:
        return None if self.chunk_length_s is None else int(self.chunk_length_s * self.sampling_rate)

    @property
    def chunk_stride(self) -> int | None:
        if self.chunk_length_s is None or self.overlap is None:
            return None
        return max(1, int((1.0 - self.overlap) * self.chunk_length))

    @property
    def hop_length(self) -> int:
        return math.prod(self.upsampling_ratios)

    @property
    def frame_rate(self) -> int:
        return math.ceil(self.sampling_rate / self.hop_length)

    @property
    def codebook_nbits(self) -> int:
        return math.ceil(math.log2(self.codebook_size))

    @property
    def num_quantizers(self) -> int:
        return int(1000 * self.target_bandwidths[-1] // (self.frame_rate * self.codebook_nbits))


def normed(owner: Any, config: PreTrainedConfig, conv: Any, size: int) -> None:
    """The convolution in `owner`, its weight a direction and a length, or with a norm behind it."""
    if config.norm_type == "weight_norm":
        conv = nn.utils.parametrizations.weight_norm(conv)
    owner.conv = conv
    if config.norm_type == "time_group_norm":
        owner.norm = nn.GroupNorm(1, size)


class SoundConv(nn.Module):
    def __init__(
        self,
        config: PreTrainedConfig,
        inputs: Any,
        outputs: Any,
        kernel: int,
        stride: int | Sequence[int] = 1,
        dilation: int | Sequence[int] = 1,
    ) -> None:
        super().__init__()
        normed(self, config, nn.Conv1d(inputs, outputs, kernel, stride, dilation=dilation), outputs)
        reach = (kernel - 1) * dilation + 1
        for name, number in (("stride", stride), ("kernel_size", reach), ("padding_total", reach - stride)):
            self.register_buffer(name, torch.tensor(number, dtype=torch.int64), persistent=False)


class SoundConvTranspose(nn.Module):
    def __init__(
        self, config: PreTrainedConfig, inputs: Any, outputs: Any, kernel: int, stride: int | Sequence[int] = 1
    ) -> None:
        super().__init__()
        normed(self, config, nn.ConvTranspose1d(inputs, outputs, kernel, stride), outputs)


class SoundLSTM(nn.Module):
    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(size, size, config.num_lstm_layers)


class SoundBlock(nn.Module):
    """A wide and a narrow convolution beside a shortcut."""

    def __init__(self, config: PreTrainedConfig, size: int, dilation: int | Sequence[int]) -> None:
        super().__init__()
        inner = size // config.compress
        wide = SoundConv(config, size, inner, config.residual_kernel_size, dilation=dilation)
        self.block = nn.ModuleList([nn.ELU(), wide, nn.ELU(), SoundConv(config, inner, size, 1)])
        self.shortcut = SoundConv(config, size, size, 1) if config.use_conv_shortcut else nn.Identity()


def residual_blocks(config: PreTrainedConfig, size: int) -> list:
    return [SoundBlock(config, size, config.dilation_growth_rate**index) for index in range(config.num_residual_layers)]


class SoundEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = config.num_filters
        parts = [SoundConv(config, config.audio_channels, size, config.kernel_size)]
        for ratio in reversed(config.upsampling_ratios):
            parts += residual_blocks(config, size)
            parts += [nn.ELU(), SoundConv(config, size, size * 2, ratio * 2, stride=ratio)]
            size *= 2
        parts += [
            SoundLSTM(config, size),
            nn.ELU(),
            SoundConv(config, size, config.hidden_size, config.last_kernel_size),
        ]
        self.layers = nn.ModuleList(parts)


class SoundDecoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = config.num_filters * 2 ** len(config.upsampling_ratios)
        parts = [SoundConv(config, config.hidden_size, size, config.kernel_size), SoundLSTM(config, size)]
        for ratio in config.upsampling_ratios:
            parts += [nn.ELU(), SoundConvTranspose(config, size, size // 2, ratio * 2, stride=ratio)]
            size //= 2
            parts += residual_blocks(config, size)
        parts += [nn.ELU(), SoundConv(config, size, config.audio_channels, config.last_kernel_size)]
        self.layers = nn.ModuleList(parts)


class Codebook(nn.Module):
    """Codes and what their running means need; none of it is trained by gradients."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.codebook_size = count = config.codebook_size
        self.register_buffer("inited", torch.ones(1))
        self.register_buffer("cluster_size", torch.zeros(count))
        self.register_buffer("embed", torch.zeros(count, config.codebook_dim))
        self.register_buffer("embed_avg", torch.zeros(count, config.codebook_dim))


class Quantization(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.codebook = Codebook(config)


class ResidualQuantizer(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.codebook_size = config.codebook_size
        self.frame_rate = config.frame_rate
        self.num_quantizers = config.num_quantizers
        self.layers = nn.ModuleList(Quantization(config) for _ in range(config.num_quantizers))


class EncodecModel(PreTrainedModel):
    base_model_prefix = "encodec"
    main_input_name = "input_values"

    def __init__(self, config: EncodecConfig) -> None:
        super().__init__(config)
        self.encoder = SoundEncoder(config)
        self.decoder = SoundDecoder(config)
        self.quantizer = ResidualQuantizer(config)
        self.bits_per_codebook = int(math.log2(config.codebook_size))
        if 2**self.bits_per_codebook != config.codebook_size:
            raise ValueError("The codebook_size must be a power of 2.")
        self.post_init()

    def get_input_embeddings(self) -> None:
        return None

    def encode(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor | None, int] | ModelOutput:
        raise NotImplementedError(
            "vramscope does not have encodec's padded convolutions and search for codes yet, only the parameters."
        )

    decode = forward = encode


register(EncodecConfig, AutoModel=EncodecModel)

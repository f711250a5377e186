"""speecht5: one encoder and decoder of states; what is read and written, text or sound, is up to the nets before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..activations import ACT2FN
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block, PreTrainedModel, register, register_classes
from ..cores.speech import FeedForward
from ..cores.speech_features import FeatureEncoder, FeatureProjection, PositionalConv

if TYPE_CHECKING:
    from typing import Any, NoReturn


class SpeechT5Config(PreTrainedConfig):
    model_type = "speecht5"
    attribute_map = {"num_attention_heads": "encoder_attention_heads", "num_hidden_layers": "encoder_layers"}
    vocab_size = 81
    hidden_size = 768
    encoder_layers = 12
    encoder_attention_heads = 12
    encoder_ffn_dim = 3072
    encoder_layerdrop = 0.1
    decoder_layers = 6
    decoder_ffn_dim = 3072
    decoder_attention_heads = 12
    decoder_layerdrop = 0.1
    hidden_act = "gelu"
    positional_dropout = 0.1
    hidden_dropout = 0.1
    attention_dropout = 0.1
    activation_dropout = 0.1
    initializer_range = 0.02
    layer_norm_eps = 1e-5
    scale_embedding = False
    feat_extract_norm = "group"
    feat_proj_dropout = 0.0
    feat_extract_activation = "gelu"
    conv_dim = (512,) * 7
    conv_stride = (5, 2, 2, 2, 2, 2, 2)
    conv_kernel = (10, 3, 3, 3, 3, 2, 2)
    conv_bias = False
    num_conv_pos_embeddings = 128
    num_conv_pos_embedding_groups = 16
    apply_spec_augment = True
    mask_time_prob = 0.05
    mask_time_length = 10
    mask_time_min_masks = 2
    mask_feature_prob = 0.0
    mask_feature_length = 10
    mask_feature_min_masks = 0
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2
    decoder_start_token_id = 2
    num_mel_bins = 80
    speech_decoder_prenet_layers = 2
    speech_decoder_prenet_units = 256
    speech_decoder_prenet_dropout = 0.5
    speaker_embedding_dim = 512
    speech_decoder_postnet_layers = 5
    speech_decoder_postnet_units = 256
    speech_decoder_postnet_kernel = 5
    speech_decoder_postnet_dropout = 0.5
    reduction_factor = 2
    max_speech_positions = 4000
    max_text_positions = 450
    encoder_max_relative_position = 160
    use_guided_attention_loss = True
    guided_attention_loss_num_heads = 2
    guided_attention_loss_sigma = 0.4
    guided_attention_loss_scale = 10.0
    use_cache = True
    is_encoder_decoder = True

    def complete(self) -> None:
        self.num_feat_extract_layers = len(self.conv_dim)


# --- what comes before and after


class SinusoidalPositions(nn.Module):
    """A table of as many positions as there can be, and two more."""

    offset = 2

    def __init__(self, count: int, size: int) -> None:
        super().__init__()
        self.register_buffer("weights", torch.zeros(count + self.offset, size), persistent=False)


class ScaledPositions(nn.Module):
    """A table of positions, added at a learned scale."""

    def __init__(self, dropout: float, size: int, count: int) -> None:
        super().__init__()
        self.register_buffer("pe", torch.zeros(1, count, size), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.alpha = nn.Parameter(torch.tensor(1.0))


class RelativePositions(nn.Module):
    def __init__(self, size: int, reach: int) -> None:
        super().__init__()
        self.max_length = reach
        self.pe_k = nn.Embedding(2 * reach, size)


class SpeechReader(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.feature_encoder = FeatureEncoder(config)
        self.feature_projection = FeatureProjection(config)
        if config.mask_time_prob > 0.0 or config.mask_feature_prob > 0.0:
            self.masked_spec_embed = nn.Parameter(torch.empty(config.hidden_size))
        self.pos_conv_embed = PositionalConv(config)
        self.pos_sinusoidal_embed = SinusoidalPositions(
            config.max_speech_positions + config.pad_token_id + 1, config.hidden_size
        )


class TextReader(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size, config.pad_token_id)
        self.encode_positions = ScaledPositions(
            config.positional_dropout, config.hidden_size, config.max_text_positions
        )


class SpeechSoFar(nn.Module):
    """Frames that are there already and the speaker, as states for the decoder."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        units = config.speech_decoder_prenet_units
        sizes = [config.num_mel_bins] + [units] * config.speech_decoder_prenet_layers
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in zip(sizes, sizes[1:]))
        self.final_layer = nn.Linear(units, config.hidden_size)
        self.encode_positions = ScaledPositions(
            config.positional_dropout, config.hidden_size, config.max_speech_positions
        )
        self.speaker_embeds_layer = nn.Linear(config.speaker_embedding_dim + config.hidden_size, config.hidden_size)


class TextSoFar(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dropout = nn.Dropout(config.positional_dropout)
        self.embed_scale = config.hidden_size**0.5 if config.scale_embedding else 1.0
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size, config.pad_token_id)
        self.embed_positions = SinusoidalPositions(
            config.max_text_positions + config.pad_token_id + 1, config.hidden_size
        )


class FrameConv(nn.Module):
    def __init__(self, config: PreTrainedConfig, inputs: Any, outputs: Any, last: Any) -> None:
        super().__init__()
        kernel = config.speech_decoder_postnet_kernel
        self.conv = nn.Conv1d(inputs, outputs, kernel_size=kernel, stride=1, padding=(kernel - 1) // 2, bias=False)
        self.batch_norm = nn.BatchNorm1d(outputs)
        self.activation = None if last else nn.Tanh()
        self.dropout = nn.Dropout(config.speech_decoder_postnet_dropout)


class SpeechWriter(nn.Module):
    """Frames from states, whether it is the end, and convolutions that refine the frames."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        bins, count = config.num_mel_bins, config.speech_decoder_postnet_layers
        self.feat_out = nn.Linear(config.hidden_size, bins * config.reduction_factor)
        self.prob_out = nn.Linear(config.hidden_size, config.reduction_factor)
        sizes = [bins] + [config.speech_decoder_postnet_units] * (count - 1) + [bins]
        self.layers = nn.ModuleList(FrameConv(config, sizes[i], sizes[i + 1], i == count - 1) for i in range(count))


class TextWriter(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)


# --- encoder and decoder


class SpeechT5Attention(nn.Module):
    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        if size % heads:
            raise ValueError(
                f"embed_dim must be divisible by num_heads (got `embed_dim`: {size} and `num_heads`: {heads})."
            )
        for name in ("k_proj", "v_proj", "q_proj", "out_proj"):
            setattr(self, name, nn.Linear(size, size))


class SpeechT5FeedForward(FeedForward):
    def __init__(self, config: PreTrainedConfig, inner: int) -> None:
        nn.Module.__init__(self)
        self.intermediate_dropout = nn.Dropout(config.activation_dropout)
        self.intermediate_dense = nn.Linear(config.hidden_size, inner)
        self.intermediate_act_fn = ACT2FN[config.hidden_act]
        self.output_dense = nn.Linear(inner, config.hidden_size)
        self.output_dropout = nn.Dropout(config.hidden_dropout)


def _norm(config):
    return nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)


class SpeechT5EncoderLayer(Block):
    def __init__(self, config: SpeechT5Config) -> None:
        super().__init__()
        self.attention = SpeechT5Attention(config.hidden_size, config.encoder_attention_heads)
        self.dropout = nn.Dropout(config.hidden_dropout)
        self.layer_norm = _norm(config)
        self.feed_forward = SpeechT5FeedForward(config, config.encoder_ffn_dim)
        self.final_layer_norm = _norm(config)


class SpeechT5DecoderLayer(Block):
    def __init__(self, config: SpeechT5Config) -> None:
        super().__init__()
        self.self_attn = SpeechT5Attention(config.hidden_size, config.decoder_attention_heads)
        self.dropout = nn.Dropout(config.hidden_dropout)
        self.self_attn_layer_norm = _norm(config)
        self.encoder_attn = SpeechT5Attention(config.hidden_size, config.decoder_attention_heads)
        self.encoder_attn_layer_norm = _norm(config)
        self.feed_forward = SpeechT5FeedForward(config, config.decoder_ffn_dim)
        self.final_layer_norm = _norm(config)


class SpeechT5PreTrainedModel(PreTrainedModel):
    base_model_prefix = "speecht5"
    main_input_name = "input_values"
    supports_sdpa = False

    def forward(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            "vramscope does not have speecht5's attention with relative positions yet, only its parameters."
        )

    generate = generate_speech = forward


class SpeechT5Encoder(SpeechT5PreTrainedModel):
    def __init__(self, config: SpeechT5Config) -> None:
        super().__init__(config)
        self.layer_norm = _norm(config)
        self.dropout = nn.Dropout(config.hidden_dropout)
        self.layers = nn.ModuleList(SpeechT5EncoderLayer(config) for _ in range(config.encoder_layers))
        self.embed_positions = RelativePositions(
            config.hidden_size // config.encoder_attention_heads, config.encoder_max_relative_position
        )
        self.gradient_checkpointing = False
        self.post_init()


class SpeechT5Decoder(SpeechT5PreTrainedModel):
    def __init__(self, config: SpeechT5Config) -> None:
        super().__init__(config)
        self.layers = nn.ModuleList(SpeechT5DecoderLayer(config) for _ in range(config.decoder_layers))
        self.gradient_checkpointing = False
        self.post_init()


class Wrapped(SpeechT5PreTrainedModel):
    """An encoder or decoder, called `name`, behind the net that reads for it."""

    def __init__(self, config: PreTrainedConfig, name: str, kind: Any, prenet: Any = None) -> None:
        super().__init__(config)
        if prenet is not None:
            self.prenet = prenet(config)
        setattr(self, name, kind(config))
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return getattr(getattr(self, "prenet", None), "embed_tokens", None)


class SpeechT5Model(SpeechT5PreTrainedModel):
    def __init__(self, config: SpeechT5Config, reader: Any = None, so_far: Any = None) -> None:
        super().__init__(config)
        self.encoder = Wrapped(config, "wrapped_encoder", SpeechT5Encoder, reader)
        self.decoder = Wrapped(config, "wrapped_decoder", SpeechT5Decoder, so_far)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.encoder.get_input_embeddings()


class SpeechT5Head(SpeechT5PreTrainedModel):
    reader = so_far = writer = None
    writer_name = "speech_decoder_postnet"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.speecht5 = SpeechT5Model(config, self.reader, self.so_far)
        setattr(self, self.writer_name, self.writer(config))
        self.post_init()


class SpeechT5ForSpeechToText(SpeechT5Head):
    tied = {"text_decoder_postnet.lm_head.weight": "speecht5.decoder.prenet.embed_tokens.weight"}
    reader, so_far, writer = SpeechReader, TextSoFar, TextWriter
    writer_name = "text_decoder_postnet"

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.text_decoder_postnet.lm_head


class SpeechT5ForTextToSpeech(SpeechT5Head):
    main_input_name = "input_ids"
    reader, so_far, writer = TextReader, SpeechSoFar, SpeechWriter


class SpeechT5ForSpeechToSpeech(SpeechT5Head):
    reader, so_far, writer = SpeechReader, SpeechSoFar, SpeechWriter


register(
    SpeechT5Config,
    AutoModel=SpeechT5Model,
    AutoModelForSpeechSeq2Seq=SpeechT5ForSpeechToText,
    AutoModelForTextToSpectrogram=SpeechT5ForTextToSpeech,
)
register_classes(SpeechT5ForSpeechToSpeech)

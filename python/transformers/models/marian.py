"""marian: bart without norms of embeddings, with positions that are not trained, and words that the stacks may or may not share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..cores.seq2seq import Seq2SeqConfig, Seq2SeqDecoder, Seq2SeqEncoder
from ..cores.seq2seq_embeddings import FixedPositions
from ..cores.seq2seq_heads import CausalLM, ConditionalGeneration, DecoderWrapper, Seq2SeqModel
from ..modeling_utils import PreTrainedModel, register, register_classes

if TYPE_CHECKING:
    from typing import Any

    import torch
    from transformers.configuration_utils import PreTrainedConfig


class MarianConfig(Seq2SeqConfig):
    model_type = "marian"
    vocab_size = 58101
    decoder_vocab_size = None
    decoder_start_token_id = 58100
    pad_token_id = 58100
    eos_token_id = 0
    forced_eos_token_id = 0
    share_encoder_decoder_embeddings = True

    def complete(self) -> None:
        self.decoder_vocab_size = self.decoder_vocab_size or self.vocab_size


class MarianEncoder(Seq2SeqEncoder):
    positions_class = FixedPositions
    scales_in_table = False
    norms_embedding = False


class MarianDecoder(Seq2SeqDecoder):
    positions_class = FixedPositions
    scales_in_table = False
    norms_embedding = False
    keeps_mask = True
    keeps_position_ids = False

    def word_count(self, config: PreTrainedConfig) -> Any:
        return config.decoder_vocab_size


class MarianModel(Seq2SeqModel):
    encoder_class = MarianEncoder
    decoder_class = MarianDecoder

    def build_words(self, config: PreTrainedConfig) -> None:
        if config.share_encoder_decoder_embeddings:
            self.shared = nn.Embedding(config.vocab_size, config.d_model, config.pad_token_id)
        else:
            self.tied = {}

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.encoder.get_input_embeddings()


class MarianMTModel(ConditionalGeneration):
    model_class = MarianModel

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        if not config.share_encoder_decoder_embeddings:
            self.tied = {"lm_head.weight": "model.decoder.embed_tokens.weight"}

    def word_count(self, config: PreTrainedConfig) -> Any:
        return config.vocab_size if config.share_encoder_decoder_embeddings else config.decoder_vocab_size


class MarianDecoderWrapper(DecoderWrapper):
    decoder_class = MarianDecoder


class MarianForCausalLM(CausalLM):
    wrapper_class = MarianDecoderWrapper


register(
    MarianConfig, AutoModel=MarianModel, AutoModelForSeq2SeqLM=MarianMTModel, AutoModelForCausalLM=MarianForCausalLM
)
register_classes(
    type("MarianPreTrainedModel", (PreTrainedModel,), {"config_class": MarianConfig, "__module__": __name__})
)

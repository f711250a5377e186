"""What models return: ordered fields that are read by name, by key, or by number among those that are set."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class ModelOutput(OrderedDict):
    """
    A result with the fields of its class in `fields`. A field that is None is an attribute, but no item.

    Subclasses list their `fields` in the order in which a tuple has them.
    """

    fields = ()

    def __init__(self, **values: Any) -> None:
        super().__init__()
        for name in self.fields:
            self[name] = values.pop(name, None)
        for name, value in values.items():
            self[name] = value

    def __setitem__(self, name: str, value: Any | None) -> None:
        object.__setattr__(self, name, value)
        if value is not None:
            super().__setitem__(name, value)
        else:
            super().pop(name, None)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __getitem__(self, key: int) -> Tensor:
        return super().__getitem__(key) if isinstance(key, str) else self.to_tuple()[key]

    def to_tuple(self) -> tuple:
        return tuple(self.values())


def _output(name, fields):
    return type(name, (ModelOutput,), {"fields": tuple(fields.split()), "__module__": __name__})


def beside(outputs: Any) -> dict[str, None]:
    """What a head passes on of its model's outputs."""
    return {"hidden_states": outputs.hidden_states, "attentions": getattr(outputs, "attentions", None)}


def output_class(name: str, fields: Any) -> Any:
    """A kind of result that one family has for itself."""
    return _output(name, fields)


BaseModelOutput = _output("BaseModelOutput", "last_hidden_state hidden_states attentions")
BaseModelOutputWithPooling = _output(
    "BaseModelOutputWithPooling", "last_hidden_state pooler_output hidden_states attentions"
)
BaseModelOutputWithPast = _output(
    "BaseModelOutputWithPast", "last_hidden_state past_key_values hidden_states attentions"
)
BaseModelOutputWithPastAndCrossAttentions = _output(
    "BaseModelOutputWithPastAndCrossAttentions",
    "last_hidden_state past_key_values hidden_states attentions cross_attentions",
)
BaseModelOutputWithPoolingAndCrossAttentions = _output(
    "BaseModelOutputWithPoolingAndCrossAttentions",
    "last_hidden_state pooler_output hidden_states past_key_values attentions cross_attentions",
)
CausalLMOutput = _output("CausalLMOutput", "loss logits hidden_states attentions")
CausalLMOutputWithPast = _output("CausalLMOutputWithPast", "loss logits past_key_values hidden_states attentions")
CausalLMOutputWithCrossAttentions = _output(
    "CausalLMOutputWithCrossAttentions", "loss logits past_key_values hidden_states attentions cross_attentions"
)
MoeModelOutputWithPast = _output(
    "MoeModelOutputWithPast", "last_hidden_state past_key_values hidden_states attentions router_logits"
)
MoeCausalLMOutputWithPast = _output(
    "MoeCausalLMOutputWithPast", "loss aux_loss logits past_key_values hidden_states attentions router_logits"
)
MaskedLMOutput = _output("MaskedLMOutput", "loss logits hidden_states attentions")
NextSentencePredictorOutput = _output("NextSentencePredictorOutput", "loss logits hidden_states attentions")
PreTrainingOutput = _output(
    "PreTrainingOutput", "loss prediction_logits seq_relationship_logits hidden_states attentions"
)
SequenceClassifierOutput = _output("SequenceClassifierOutput", "loss logits hidden_states attentions")
SequenceClassifierOutputWithPast = _output(
    "SequenceClassifierOutputWithPast", "loss logits past_key_values hidden_states attentions"
)
TokenClassifierOutput = _output("TokenClassifierOutput", "loss logits hidden_states attentions")
MultipleChoiceModelOutput = _output("MultipleChoiceModelOutput", "loss logits hidden_states attentions")
QuestionAnsweringModelOutput = _output(
    "QuestionAnsweringModelOutput", "loss start_logits end_logits hidden_states attentions"
)
ImageClassifierOutput = _output("ImageClassifierOutput", "loss logits hidden_states attentions")
ImageClassifierOutputWithNoAttention = _output("ImageClassifierOutputWithNoAttention", "loss logits hidden_states")
BaseModelOutputWithNoAttention = _output("BaseModelOutputWithNoAttention", "last_hidden_state hidden_states")
BaseModelOutputWithPoolingAndNoAttention = _output(
    "BaseModelOutputWithPoolingAndNoAttention", "last_hidden_state pooler_output hidden_states"
)
Seq2SeqModelOutput = _output(
    "Seq2SeqModelOutput",
    "last_hidden_state past_key_values decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions",
)
Seq2SeqLMOutput = _output(
    "Seq2SeqLMOutput",
    "loss logits past_key_values decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions",
)
MaskedImageModelingOutput = _output("MaskedImageModelingOutput", "loss reconstruction hidden_states attentions")
CLIPOutput = _output(
    "CLIPOutput",
    "loss logits_per_image logits_per_text text_embeds image_embeds text_model_output vision_model_output",
)
CLIPTextModelOutput = _output("CLIPTextModelOutput", "text_embeds last_hidden_state hidden_states attentions")
CLIPVisionModelOutput = _output("CLIPVisionModelOutput", "image_embeds last_hidden_state hidden_states attentions")
GenerateDecoderOnlyOutput = _output(
    "GenerateDecoderOnlyOutput", "sequences scores logits attentions hidden_states past_key_values"
)
GenerateEncoderDecoderOutput = _output(
    "GenerateEncoderDecoderOutput",
    "sequences scores logits encoder_attentions encoder_hidden_states decoder_attentions cross_attentions "
    "decoder_hidden_states past_key_values",
)
_BEAM = "sequences sequences_scores scores logits beam_indices "
GenerateBeamDecoderOnlyOutput = _output(
    "GenerateBeamDecoderOnlyOutput", f"{_BEAM} attentions hidden_states past_key_values"
)
GenerateBeamEncoderDecoderOutput = _output(
    "GenerateBeamEncoderDecoderOutput",
    f"{_BEAM} encoder_attentions encoder_hidden_states decoder_attentions cross_attentions decoder_hidden_states "
    "past_key_values",
)
Seq2SeqSequenceClassifierOutput = _output(
    "Seq2SeqSequenceClassifierOutput",
    "loss logits past_key_values decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions",
)
Seq2SeqQuestionAnsweringModelOutput = _output(
    "Seq2SeqQuestionAnsweringModelOutput",
    "loss start_logits end_logits past_key_values decoder_hidden_states decoder_attentions cross_attentions "
    "encoder_last_hidden_state encoder_hidden_states encoder_attentions",
)
Wav2Vec2BaseModelOutput = _output(
    "Wav2Vec2BaseModelOutput", "last_hidden_state extract_features hidden_states attentions"
)
ModelOutputWithImages = _output(
    "ModelOutputWithImages", "last_hidden_state past_key_values hidden_states attentions image_hidden_states"
)
CausalLMOutputWithImages = _output(
    "CausalLMOutputWithImages", "loss logits past_key_values hidden_states attentions image_hidden_states"
)
ViTMAEModelOutput = _output("ViTMAEModelOutput", "last_hidden_state mask ids_restore hidden_states attentions")
ViTMAEDecoderOutput = _output("ViTMAEDecoderOutput", "logits hidden_states attentions")
ViTMAEForPreTrainingOutput = _output(
    "ViTMAEForPreTrainingOutput", "loss logits mask ids_restore hidden_states attentions"
)
_SWIN = "hidden_states attentions reshaped_hidden_states"
SwinEncoderOutput = _output("SwinEncoderOutput", f"last_hidden_state {_SWIN}")
SwinModelOutput = _output("SwinModelOutput", f"last_hidden_state pooler_output {_SWIN}")
SwinImageClassifierOutput = _output("SwinImageClassifierOutput", f"loss logits {_SWIN}")
BlipForConditionalGenerationModelOutput = _output(
    "BlipForConditionalGenerationModelOutput", "loss logits image_embeds last_hidden_state hidden_states attentions"
)

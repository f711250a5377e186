"""wav2vec2: the core of encoders of sound as it is."""

from ..cores.speech import SpeechConfig
from ..cores.speech_models import speech_family


class Wav2Vec2Config(SpeechConfig):
    model_type = "wav2vec2"
    feat_quantizer_dropout = 0.0
    num_codevectors_per_group = 320
    num_codevector_groups = 2
    contrastive_logits_temperature = 0.1
    num_negatives = 100
    codevector_dim = 256
    proj_codevector_dim = 256
    diversity_loss_weight = 0.1


speech_family("Wav2Vec2", "wav2vec2", Wav2Vec2Config, __name__)

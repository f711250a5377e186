"""t5: the core with relative distances as it is."""

from ..cores.relative import RelativeConfig
from ..cores.relative_heads import family


class T5Config(RelativeConfig):
    model_type = "t5"


family("T5", T5Config, __name__)

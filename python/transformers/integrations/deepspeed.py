"""transformers.integrations.deepspeed: the short form's Trainer has no DeepSpeed."""

from __future__ import annotations

from torch._stand_ins import lacks

__getattr__ = lacks(__name__)


class HfDeepSpeedConfig:
    """A configuration that is kept and nothing else."""

    def __init__(self, config_file_or_dict: object) -> None:
        self.config = config_file_or_dict


def is_deepspeed_zero3_enabled() -> bool:
    return False

"""transformers.deepspeed, as programs of earlier releases import it."""

from .integrations.deepspeed import HfDeepSpeedConfig, is_deepspeed_zero3_enabled

__all__ = ["HfDeepSpeedConfig", "is_deepspeed_zero3_enabled"]

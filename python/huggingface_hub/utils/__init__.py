"""huggingface_hub.utils: errors, progress bars, tokens."""

from __future__ import annotations

import hashlib as insecure_hashlib
import importlib.util
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from huggingface_hub.errors import (
    BadRequestError, EntryNotFoundError, GatedRepoError, HfHubHTTPError, HFValidationError, LocalEntryNotFoundError,
    LocalTokenNotFoundError, OfflineModeIsEnabled, RepositoryNotFoundError, RevisionNotFoundError,
)  # fmt: skip

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "BadRequestError", "EntryNotFoundError", "GatedRepoError", "HFValidationError", "HfHubHTTPError", "LocalEntryNotFoundError",
    "LocalTokenNotFoundError", "OfflineModeIsEnabled", "RepositoryNotFoundError", "RevisionNotFoundError", "are_progress_bars_disabled",
    "disable_progress_bars", "enable_progress_bars", "insecure_hashlib", "is_jinja_available", "send_telemetry", "validate_hf_hub_args", "validate_repo_id",
]  # fmt: skip

__getattr__ = lacks("huggingface_hub.utils")


def disable_progress_bars(name: str | None = None) -> None:
    """There are none."""


enable_progress_bars = disable_progress_bars


def are_progress_bars_disabled(name: str | None = None) -> bool:
    return True


def is_jinja_available() -> bool:
    return importlib.util.find_spec("jinja2") is not None


def send_telemetry(*_: Any, **__: Any) -> None:
    """Nobody is told."""


def validate_hf_hub_args(fn: Any) -> Any:
    return fn


def validate_repo_id(repo_id: str) -> None:
    """What is no name of a repository is refused by the hub."""

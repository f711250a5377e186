"""What programs catch where the hub has not what they ask for."""

from __future__ import annotations

from torch._stand_ins import lacks

__getattr__ = lacks("huggingface_hub.errors")


class HfHubHTTPError(OSError):
    """An answer of the hub that is none."""

    response = None


class RepositoryNotFoundError(HfHubHTTPError):
    pass


class GatedRepoError(RepositoryNotFoundError):
    pass


class RevisionNotFoundError(HfHubHTTPError):
    pass


class EntryNotFoundError(HfHubHTTPError):
    pass


class LocalEntryNotFoundError(EntryNotFoundError, FileNotFoundError, ValueError):
    pass


class BadRequestError(HfHubHTTPError):
    pass


class HFValidationError(ValueError):
    pass


class LocalTokenNotFoundError(OSError):
    pass


class OfflineModeIsEnabled(ConnectionError):
    pass


class CachedRepoTreeNotFoundError(FileNotFoundError):
    pass

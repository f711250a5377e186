"""What configurations raise, and the word for a missing value."""

MISSING = "???"


class OmegaConfBaseException(Exception):
    """Any error of a configuration."""


class MissingMandatoryValue(OmegaConfBaseException):
    """A value that is still `???`."""


class ConfigKeyError(OmegaConfBaseException, KeyError):
    """A key that a struct does not have."""


class ConfigAttributeError(OmegaConfBaseException, AttributeError):
    """An attribute that a struct does not have."""


class ValidationError(OmegaConfBaseException, ValueError):
    """A value of the wrong type."""

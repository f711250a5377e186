"""numpy.exceptions: errors and warnings by name."""


class AxisError(ValueError, IndexError):
    """An axis that an array does not have."""


class ComplexWarning(RuntimeWarning):
    """An imaginary part is lost."""


class VisibleDeprecationWarning(UserWarning):
    """Something will change."""


class RankWarning(RuntimeWarning):
    """A fit is poorly conditioned."""


class DTypePromotionError(TypeError):
    """Two dtypes have nothing in common."""


class TooHardError(RuntimeError):
    """A question that takes too long to answer."""

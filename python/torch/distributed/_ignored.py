"""Options that are taken and change nothing here: the report names them."""

from torch import _C


def ignored(callee, **options):
    """Says of each option that is not None that it is not modelled."""
    for name, value in options.items():
        if value is not None:
            _C._js.assume("option_ignored", _C.here(), "callee,option", f"{callee}\n{name}")

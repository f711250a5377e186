"""numpy.version."""

from . import __version__ as version

full_version = short_version = version
release = True
git_revision = ""

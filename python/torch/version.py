"""The simulated version."""

__version__ = "2.14.0"
cuda = "12.8"
hip = None
git_version = "simulated"
debug = False

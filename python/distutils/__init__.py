"""distutils, as setuptools gives it to programs: what they took of it to compare versions and read yes or no."""

__version__ = "3.14"

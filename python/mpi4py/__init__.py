"""mpi4py in a world of one process."""

from . import MPI

__all__ = ["MPI"]

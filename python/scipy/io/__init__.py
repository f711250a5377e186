"""scipy.io: sound files; files of MATLAB hold what nobody can know."""

from torch._stand_ins import lacks

__getattr__ = lacks("scipy.io")

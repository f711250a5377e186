"""skimage.draw: nothing is drawn; asking says so."""

from torch._stand_ins import lacks

__getattr__ = lacks("skimage.draw")

"""skimage.restoration: pictures of the same size."""

from torch._stand_ins import lacks

from ._shapes import as_float

__getattr__ = lacks("skimage.restoration")

denoise_tv_chambolle = denoise_bilateral = denoise_wavelet = denoise_nl_means = inpaint_biharmonic = as_float

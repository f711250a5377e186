"""imageio.v3: the same functions by their newer address."""

from . import (
    get_writer as get_writer,
    imopen as imopen,
    imread as imread,
    imsave as imsave,
    imwrite as imwrite,
    mimread as mimread,
    mimsave as mimsave,
    mimwrite as mimwrite,
)

"""PIL.ImageSequence: one frame."""


def Iterator(im):
    return iter([im])


def all_frames(im, func=None):
    return [func(im) if func else im]

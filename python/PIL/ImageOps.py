"""PIL.ImageOps: functions of images; those that change sizes do."""

from ._still import same

autocontrast = equalize = flip = invert = mirror = posterize = solarize = exif_transpose = same


def grayscale(image):
    return image.convert("L")


def colorize(image, *_, **__):
    return image.convert("RGB")


def fit(image, size, *_, **__):
    return image.resize(size)


def pad(image, size, *_, **__):
    return image.resize(size)


def contain(image, size, *_, **__):
    scale = min(size[0] / image.width, size[1] / image.height)
    return image.resize((round(image.width * scale), round(image.height * scale)))


def crop(image, border=0):
    return image.crop((border, border, image.width - border, image.height - border))


def expand(image, border=0, fill=0):
    return image.resize((image.width + 2 * border, image.height + 2 * border))


def scale(image, factor, *_):
    return image.resize((round(image.width * factor), round(image.height * factor)))

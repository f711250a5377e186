"""PIL.ImageFont: fonts that measure six units for a letter."""

from ._still import Quiet


class FreeTypeFont(Quiet):
    def getbbox(self, text, *_, **__):
        return (0, 0, 6 * len(text), 11)

    def getlength(self, text, *_, **__):
        return 6 * len(text)

    def getsize(self, text, *_, **__):
        return (6 * len(text), 11)


ImageFont = FreeTypeFont


def truetype(*_, **__):
    return FreeTypeFont()


load_default = load = load_path = truetype

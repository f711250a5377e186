"""PIL.ImageDraw: nothing is drawn."""

from torch._stand_ins import note

from ._still import Quiet


class ImageDraw(Quiet):
    def textbbox(self, xy, text, *_, **__):
        return (xy[0], xy[1], xy[0] + 6 * len(text), xy[1] + 11)

    def textlength(self, text, *_, **__):
        return 6 * len(text)

    def textsize(self, text, *_, **__):
        return (6 * len(text), 11)


def Draw(im, mode=None):
    note("drawing_skipped", "library", "PIL.ImageDraw")
    return ImageDraw()

"""PIL.ImageEnhance: content only."""


class Brightness:
    def __init__(self, image):
        self.image = image

    def enhance(self, factor):
        return self.image.copy()


Color = Contrast = Sharpness = Brightness

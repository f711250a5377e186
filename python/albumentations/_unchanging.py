"""Transforms after which a picture has the shape and the type that it had: their names."""

from __future__ import annotations

from ._transform import BasicTransform, DualTransform, ImageOnlyTransform

NAMES = (
    *("BasicTransform", "DualTransform", "ImageOnlyTransform"),
    *"""AdditiveNoise AdvancedBlur Affine Blur CLAHE ChannelDropout ChannelShuffle ChromaticAberration CoarseDropout ColorJitter Cutout
    Defocus Downscale ElasticTransform Emboss Equalize FDA FancyPCA Flip GaussNoise GaussianBlur GlassBlur GridDistortion GridDropout
    HistogramMatching HorizontalFlip HueSaturationValue ISONoise Illumination ImageCompression InvertImg JpegCompression MaskDropout
    MedianBlur Morphological MotionBlur MultiplicativeNoise NoOp OpticalDistortion Perspective PiecewiseAffine PixelDropout
    PixelDistributionAdaptation PlanckianJitter PlasmaBrightnessContrast PlasmaShadow Posterize RGBShift RandomBrightness
    RandomBrightnessContrast RandomContrast RandomErasing RandomFog RandomGamma RandomGravel RandomGridShuffle RandomRain RandomScale
    RandomShadow RandomSnow RandomSunFlare RandomToneCurve RingingOvershoot Rotate SafeRotate SaltAndPepper Sharpen ShiftScaleRotate
    ShotNoise Solarize Spatter SquareSymmetry Superpixels TemplateTransform ThinPlateSpline ToGray ToRGB ToSepia UnsharpMask VerticalFlip
    XYMasking ZoomBlur""".split(),
)
_made = {kind.__name__: kind for kind in (BasicTransform, DualTransform, ImageOnlyTransform)}


def named(name: str) -> type:
    if name not in _made:
        _made[name] = type(name, (DualTransform,), {"__module__": "albumentations"})
    return _made[name]

"""PIL.ExifTags: names of the tags that programs ask for; images here have none."""

from enum import IntEnum


class Base(IntEnum):
    ImageWidth = 256
    ImageLength = 257
    ImageDescription = 270
    Make = 271
    Model = 272
    Orientation = 274
    XResolution = 282
    YResolution = 283
    Software = 305
    DateTime = 306
    Artist = 315
    Copyright = 33432
    ExposureTime = 33434
    ExifOffset = 34665
    GPSInfo = 34853
    DateTimeOriginal = 36867


TAGS = {tag.value: tag.name for tag in Base}
GPSTAGS = {1: "GPSLatitudeRef", 2: "GPSLatitude", 3: "GPSLongitudeRef", 4: "GPSLongitude"}

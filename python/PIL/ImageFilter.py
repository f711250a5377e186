"""PIL.ImageFilter: filters by name."""

from ._still import Quiet

for (
    _name
) in "GaussianBlur BoxBlur UnsharpMask Kernel MedianFilter MinFilter MaxFilter ModeFilter RankFilter Filter".split():
    globals()[_name] = type(_name, (Quiet,), {"__module__": __name__})
for _name in "BLUR CONTOUR DETAIL EDGE_ENHANCE EDGE_ENHANCE_MORE EMBOSS FIND_EDGES SHARPEN SMOOTH SMOOTH_MORE".split():
    globals()[_name] = Quiet()

"""PIL.ImageChops: content only."""

from ._still import same

add = subtract = multiply = screen = difference = invert = lighter = darker = offset = blend = same

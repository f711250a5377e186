"""torch._dynamo.external_utils: asked whether code is being compiled."""

from . import is_compiling as is_compiling

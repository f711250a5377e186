"""torch._dynamo.config as a module of its own: the settings object answers."""

import sys

from torch import _dynamo

sys.modules[__name__] = _dynamo.config

"""torch._inductor: only its settings. The engine follows compiled code by the default ones, whatever is set here."""

from torch._inductor import config as config

"""torch._functorch: only its settings, which programs set before they compile."""

from torch._functorch import config as config

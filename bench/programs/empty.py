"""Nothing but the import: what every run costs."""

import torch  # noqa: F401

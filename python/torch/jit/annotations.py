"""torch.jit.annotations: the typing names that scripted code imports from here."""

from typing import Any, Dict, List, Optional, Tuple, Union

__all__ = ["Any", "Dict", "List", "Optional", "Tuple", "Union"]

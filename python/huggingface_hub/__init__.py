"""huggingface_hub where the package is not installed: what is known of the hub is there, what is sent goes nowhere.

A file of a repository that is known here is made as it is published; of any other a placeholder stands where the program reads it.
"""

from torch._stand_ins import lacks

from . import constants, errors, utils
from ._cards import *
from ._cards import __all__ as _of_cards
from ._files import *
from ._files import __all__ as _of_files
from ._mixin import *
from ._mixin import __all__ as _of_mixin
from ._sending import *
from ._sending import __all__ as _of_sending
from ._shards import *
from ._shards import __all__ as _of_shards

__version__ = "1.23.0"
__all__ = ["constants", "errors", "utils", *_of_cards, *_of_files, *_of_mixin, *_of_sending, *_of_shards]
__getattr__ = lacks("huggingface_hub")

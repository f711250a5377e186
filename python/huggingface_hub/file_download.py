"""huggingface_hub.file_download: where downloads are defined."""

import re

from torch._stand_ins import lacks

from huggingface_hub._files import *

REGEX_COMMIT_HASH = re.compile(r"^[0-9a-f]{40}$")

__getattr__ = lacks("huggingface_hub.file_download")

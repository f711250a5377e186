"""huggingface_hub.file_download: where downloads are defined."""

from huggingface_hub._files import *

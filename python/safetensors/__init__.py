"""The safetensors package: files of its own format, read by their headers.

Real: names, shapes, dtypes, metadata, which tensors share memory, the checks on saving. Not: values; what is written holds zeros.
"""

from ._format import SafetensorError, deserialize, serialize, serialize_file
from ._open import safe_open

__version__ = "0.8.0"
__all__ = ["SafetensorError", "deserialize", "safe_open", "serialize", "serialize_file"]

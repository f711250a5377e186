"""Stand-in for flash_attn: its functions over rows for its kernels. Which version's rules: `__version__`."""

from torch._stand_ins import lacks

from .flash_attn_interface import (
    flash_attn_func,
    flash_attn_kvpacked_func,
    flash_attn_qkvpacked_func,
    flash_attn_varlen_func,
    flash_attn_varlen_kvpacked_func,
    flash_attn_varlen_qkvpacked_func,
    flash_attn_with_kvcache,
)

__version__ = "2.8.3"
__getattr__ = lacks("flash_attn")

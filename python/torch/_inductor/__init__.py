"""torch._inductor: only its settings. Compiled code runs as eager code here, so they change nothing."""

from torch._inductor import config as config

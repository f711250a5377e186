"""torch.utils.model_zoo: the older name of torch.hub's reader."""

from torch.hub import _get_torch_home as _get_torch_home
from torch.hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]

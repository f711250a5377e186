"""torchvision._internally_replaced_utils: where weights come from."""

from torch.hub import load_state_dict_from_url as load_state_dict_from_url

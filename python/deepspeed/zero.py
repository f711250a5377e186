"""`deepspeed.zero`: models that are built without whole parameters on any rank."""

import torch


class Init:
    """Parameters made inside have no memory; `deepspeed.initialize` gives each rank its part (zero/partition_parameters.py).

    The real one makes each parameter whole for a moment, one at a time.
    """

    def __init__(self, module=None, config_dict_or_path=None, enabled=True, **ignored):
        self.device = torch.device("meta") if enabled else None

    def __enter__(self):
        if self.device is not None:
            self.device.__enter__()
        return self

    def __exit__(self, *raised):
        if self.device is not None:
            self.device.__exit__(*raised)
        return False

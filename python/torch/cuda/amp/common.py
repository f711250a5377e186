"""What torch.cuda.amp asks about the machine."""

import torch


def amp_definitely_not_available():
    return not torch.cuda.is_available()

"""torch.utils.data.datapipes: steps through data that are put one behind the other (torch/utils/data/datapipes)."""

from . import datapipe as datapipe

"""pytorch_lightning: another name of lightning.pytorch."""

import lightning.pytorch
from lightning._names import mirror

mirror("lightning.pytorch", __name__)

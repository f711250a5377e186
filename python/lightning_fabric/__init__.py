"""lightning_fabric: another name of lightning.fabric."""

import lightning.fabric
from lightning._names import mirror

mirror("lightning.fabric", __name__)

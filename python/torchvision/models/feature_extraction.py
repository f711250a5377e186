"""torchvision.models.feature_extraction: needs a traced graph; using it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any, NoReturn


def create_feature_extractor(*_: Any, **__: Any) -> NoReturn:
    raise torch._C.UnsupportedOp(
        "vramscope does not simulate torchvision.models.feature_extraction.create_feature_extractor"
    )


def get_graph_node_names(*_: Any, **__: Any) -> tuple[list[str], list[str]]:
    raise torch._C.UnsupportedOp(
        "vramscope does not simulate torchvision.models.feature_extraction.get_graph_node_names"
    )

"""torchvision.models.feature_extraction: needs a traced graph; using it says so."""

import torch


def create_feature_extractor(*_, **__):
    raise torch._C.UnsupportedOp(
        "vramscope does not simulate torchvision.models.feature_extraction.create_feature_extractor"
    )


def get_graph_node_names(*_, **__):
    raise torch._C.UnsupportedOp(
        "vramscope does not simulate torchvision.models.feature_extraction.get_graph_node_names"
    )

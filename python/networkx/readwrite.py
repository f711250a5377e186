"""networkx.readwrite: graphs as the dictionaries of nodes and links that JSON files hold."""

from __future__ import annotations

import sys
import types
from typing import Any

import networkx

from torch._stand_ins import lacks

__getattr__ = lacks(__name__)


def _graph_of(data: dict, directed: bool = False, multigraph: bool = False, *, edges: str = "links", **_: Any) -> Any:
    made = (networkx.DiGraph if data.get("directed", directed) else networkx.Graph)()
    made.graph.update(dict(data.get("graph", ())))
    for i, node in enumerate(data["nodes"]):
        made.add_node(node.get("id", i), **{key: value for key, value in node.items() if key != "id"})
    for link in data.get(edges, data.get("edges", ())):
        ends = ("source", "target")
        made.add_edge(*(link[end] for end in ends), **{key: value for key, value in link.items() if key not in ends})
    return made


def _data_of(G: Any, *, edges: str = "links", **_: Any) -> dict:  # noqa: N803
    return {
        "directed": G._directed,
        "multigraph": False,
        "graph": G.graph,
        "nodes": [{**more, "id": node} for node, more in G._node.items()],
        edges: [{**more, "source": u, "target": v} for u, v, more in G.edges(data=True)],
    }


json_graph = types.ModuleType("networkx.readwrite.json_graph")
json_graph.node_link_graph, json_graph.node_link_data = _graph_of, _data_of
json_graph.__getattr__ = lacks("networkx.readwrite.json_graph")
sys.modules[json_graph.__name__] = json_graph

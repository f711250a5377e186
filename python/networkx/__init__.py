"""networkx as graph programs on PyTorch use it: graphs of nodes and edges, and their adjacency as a sparse matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

__version__ = "3.6"
__getattr__ = lacks(__name__)


class Graph:
    """Nodes and edges with attributes; without directions."""

    _directed = False

    def __init__(self, data: Any = None, **attributes: Any) -> None:
        self.graph, self._node, self._adj = dict(attributes), {}, {}
        if isinstance(data, dict):
            self._take(data)
        elif isinstance(data, Graph):
            self.add_nodes_from(data._node.items())
            self.add_edges_from(data.edges(data=True))
        elif hasattr(data, "tocoo") or hasattr(data, "shape"):
            self._take_matrix(data)
        elif data is not None:
            self.add_edges_from(data)

    def _take(self, lists):
        self.add_nodes_from(lists)
        for node, others in lists.items():
            self.add_edges_from((node, other) for other in others)

    def _take_matrix(self, matrix):
        from scipy import sparse

        matrix = sparse.coo_matrix(matrix)
        self.add_nodes_from(range(matrix.shape[0]))
        for (i, j), value in matrix._entries.items():
            self.add_edge(i, j, weight=value)

    def is_directed(self) -> bool:
        return self._directed

    def add_node(self, node: Any, **attributes: Any) -> None:
        self._node.setdefault(node, {}).update(attributes)
        self._adj.setdefault(node, {})

    def add_nodes_from(self, nodes: Iterable, **attributes: Any) -> None:
        for node in nodes:
            if isinstance(node, tuple) and len(node) == 2 and isinstance(node[1], dict):
                self.add_node(node[0], **{**attributes, **node[1]})
            else:
                self.add_node(node, **attributes)

    def add_edge(self, u: Any, v: Any, **attributes: Any) -> None:
        self.add_node(u)
        self.add_node(v)
        held = self._adj[u].setdefault(v, {})
        held.update(attributes)
        if not self._directed:
            self._adj[v][u] = held

    def add_edges_from(self, edges: Iterable, **attributes: Any) -> None:
        for edge in edges:
            more = edge[2] if len(edge) == 3 else {}
            self.add_edge(edge[0], edge[1], **{**attributes, **more})

    def add_weighted_edges_from(self, edges: Iterable, weight: str = "weight", **attributes: Any) -> None:
        self.add_edges_from(((u, v, {weight: w}) for u, v, w in edges), **attributes)

    def remove_node(self, node: Any) -> None:
        del self._node[node], self._adj[node]
        for others in self._adj.values():
            others.pop(node, None)

    def remove_edge(self, u: Any, v: Any) -> None:
        del self._adj[u][v]
        if not self._directed and u != v:
            del self._adj[v][u]

    def remove_edges_from(self, edges: Iterable) -> None:
        for edge in list(edges):
            if self.has_edge(*edge[:2]):
                self.remove_edge(*edge[:2])

    def has_node(self, node: Any) -> bool:
        return node in self._node

    def has_edge(self, u: Any, v: Any) -> bool:
        return v in self._adj.get(u, ())

    def neighbors(self, node: Any) -> Iterator:
        return iter(self._adj[node])

    successors = neighbors

    def number_of_nodes(self) -> int:
        return len(self._node)

    order = number_of_nodes

    def number_of_edges(self) -> int:
        return len(self.edges)

    size = number_of_edges

    def copy(self) -> Graph:
        return type(self)(self)

    def subgraph(self, nodes: Iterable) -> Graph:
        kept, made = set(nodes), type(self)()
        made.add_nodes_from((node, more) for node, more in self._node.items() if node in kept)
        made.add_edges_from(edge for edge in self.edges(data=True) if edge[0] in kept and edge[1] in kept)
        return made

    def to_undirected(self) -> Graph:
        return Graph(self)

    def to_directed(self) -> DiGraph:
        made = DiGraph()
        made.add_nodes_from(self._node.items())
        for u, others in self._adj.items():
            made.add_edges_from((u, v, more) for v, more in others.items())
        return made

    nodes = property(lambda self: _Nodes(self))
    edges = property(lambda self: _Edges(self))
    adj = property(lambda self: self._adj)
    degree = property(lambda self: _Degrees(self))

    def __getitem__(self, node: Any) -> dict:
        return self._adj[node]

    def __iter__(self) -> Iterator:
        return iter(self._node)

    def __len__(self) -> int:
        return len(self._node)

    def __contains__(self, node: object) -> bool:
        return node in self._node


class DiGraph(Graph):
    """A graph whose edges have a direction."""

    _directed = True

    def predecessors(self, node: Any) -> Iterator:
        return (u for u, others in self._adj.items() if node in others)


class _Nodes(dict):
    def __init__(self, graph: Graph) -> None:
        super().__init__(graph._node)

    def __call__(self, data: Any = False) -> list:
        return [(n, more if data is True else more.get(data)) for n, more in self.items()] if data else list(self)


class _Edges(list):
    """Pairs of nodes; an edge without direction is there once."""

    def __init__(self, graph: Graph) -> None:
        self._graph, seen = graph, set()
        for u, others in graph._adj.items():
            super().extend((u, v) for v in others if graph._directed or v not in seen)
            seen.add(u)

    def __call__(self, data: Any = False, **_: Any) -> list:
        def more(u, v):
            held = self._graph._adj[u][v]
            return held if data is True else held.get(data)

        return [(u, v, more(u, v)) for u, v in self] if data else list(self)

    def __getitem__(self, edge: Any) -> Any:
        return self._graph._adj[edge[0]][edge[1]] if isinstance(edge, tuple) else super().__getitem__(edge)


class _Degrees(dict):
    def __init__(self, graph: Graph) -> None:
        found = {node: len(others) + (node in others and not graph._directed) for node, others in graph._adj.items()}
        if graph._directed:
            for others in graph._adj.values():
                for node in others:
                    found[node] += 1
        super().__init__(found)

    def __iter__(self) -> Iterator:
        return iter(self.items())

    def __call__(self, node: Any = None) -> Any:
        return self if node is None else self[node]


def from_dict_of_lists(d: dict, create_using: Any = None) -> Graph:
    made = (create_using or Graph)()
    made._take(d)
    return made


def from_edgelist(edgelist: Iterable, create_using: Any = None) -> Graph:
    made = (create_using or Graph)()
    made.add_edges_from(edgelist)
    return made


def from_scipy_sparse_array(A: Any, *_: object, create_using: Any = None, **__: object) -> Graph:  # noqa: N803
    made = (create_using or Graph)()
    made._take_matrix(A)
    return made


from_scipy_sparse_matrix = from_numpy_array = from_numpy_matrix = from_scipy_sparse_array


def adjacency_matrix(G: Graph, nodelist: Any = None, dtype: Any = None, weight: Any = "weight") -> Any:  # noqa: N803
    """Ones, or the edges' weights, in compressed rows."""
    import numpy as np
    from scipy import sparse

    places = {node: i for i, node in enumerate(G if nodelist is None else nodelist)}
    found = [
        (places[u], places[v], more.get(weight, 1) if weight else 1)
        for u, others in G._adj.items()
        if u in places
        for v, more in others.items()
        if v in places
    ]
    rows, columns, values = zip(*found) if found else ((), (), ())
    return sparse.csr_array(
        (np.array(values, dtype or (int if all(isinstance(each, int) for each in values) else float)), (rows, columns)),
        shape=(len(places), len(places)),
    )


adj_matrix = to_scipy_sparse_array = to_scipy_sparse_matrix = adjacency_matrix


def to_numpy_array(G: Graph, nodelist: Any = None, dtype: Any = None, **_: object) -> Any:  # noqa: N803
    return adjacency_matrix(G, nodelist, dtype).toarray().astype(dtype or float)


to_numpy_matrix = to_numpy_array


def selfloop_edges(G: Graph, *_: object, **__: object) -> list:  # noqa: N803
    return [(node, node) for node, others in G._adj.items() if node in others]


def connected_components(G: Graph) -> Iterator[set]:  # noqa: N803
    seen = set()
    for start in G:
        if start in seen:
            continue
        found, waiting = {start}, [start]
        while waiting:
            new = [other for other in G._adj[waiting.pop()] if other not in found]
            found.update(new)
            waiting += new
        seen |= found
        yield found


def is_connected(G: Graph) -> bool:  # noqa: N803
    return len(next(connected_components(G), ())) == len(G)

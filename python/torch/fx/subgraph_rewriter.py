"""torch.fx.subgraph_rewriter: finds a small graph in a large one and puts another in its place."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

from .graph import Graph
from .graph_module import GraphModule
from .node import Node

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


Match = namedtuple("Match", "anchor nodes_map")
ReplacedPatterns = namedtuple("ReplacedPatterns", "anchor nodes_map replacements")


def _graph(of):
    from ._symbolic_trace import symbolic_trace

    if isinstance(of, Graph):
        return of
    return of.graph if isinstance(of, GraphModule) else symbolic_trace(of).graph


class _Matcher:
    """Compares a pattern with what leads to a node."""

    def __init__(self, pattern: Graph) -> None:
        self.placeholders = [n for n in pattern.nodes if n.op == "placeholder"]
        self.result = pattern.output_node().args[0]
        if not isinstance(self.result, Node):
            raise NotImplementedError("vramscope rewrites patterns with one result only")

    def at(self, node: Node) -> dict[Node, Node] | None:
        found = {}
        if not self._alike(self.result, node, found):
            return None
        inside = {n for p, n in found.items() if p.op not in ("placeholder", "get_attr") and p is not self.result}
        # what the pattern makes inside must not be needed elsewhere
        return found if all(user in found.values() for n in inside for user in n.users) else None

    def _alike(self, pattern, node, found):
        if isinstance(pattern, Node) and pattern.op == "placeholder":
            if pattern in found:
                return found[pattern] is node or found[pattern] == node
            found[pattern] = node
            return True
        if isinstance(pattern, Node):
            if not isinstance(node, Node) or pattern.op != node.op or pattern.target != node.target:
                return False
            if pattern in found:
                return found[pattern] is node
            if not self._alike(tuple(pattern.args), tuple(node.args), found):
                return False
            if not self._alike(dict(pattern.kwargs), dict(node.kwargs), found):
                return False
            found[pattern] = node
            return True
        if isinstance(pattern, (tuple, list)):
            same = isinstance(node, (tuple, list)) and len(pattern) == len(node)
            return same and all(self._alike(a, b, found) for a, b in zip(pattern, node))
        if isinstance(pattern, dict):
            same = isinstance(node, dict) and pattern.keys() == node.keys()
            return same and all(self._alike(pattern[k], node[k], found) for k in pattern)
        return type(pattern) is type(node) and pattern == node


def replace_pattern_with_filters(
    gm: GraphModule,
    pattern: Callable[..., Any] | Graph | GraphModule,
    replacement: Callable[..., Any] | Graph | GraphModule | None = None,
    match_filters: list[Callable] | None = None,
    **_: Any,
) -> list:
    matcher, new = _Matcher(_graph(pattern)), _graph(replacement)
    inputs = [n for n in new.nodes if n.op == "placeholder"]
    taken, done = set(), []
    for node in list(gm.graph.nodes):
        found = matcher.at(node) if node.op not in ("placeholder", "output") else None
        if found is None or taken & {n for p, n in found.items() if p.op != "placeholder"}:
            continue
        known = dict(zip(inputs, (found[p] for p in matcher.placeholders)))
        order = list(gm.graph.nodes)
        with gm.graph.inserting_before(min(node.users, key=order.index, default=node)):
            result = gm.graph.graph_copy(new, known)
        made = [known[n] for n in new.nodes if n in known and n.op != "placeholder"]
        node.replace_all_uses_with(result, lambda user: user not in made)
        for old in reversed([n for n in gm.graph.nodes if n in found.values()]):
            if old.op != "placeholder" and not old.users and old not in known.values():
                gm.graph.erase_node(old)
                taken.add(old)
        done.append(ReplacedPatterns(node, found, made))
    gm.recompile()
    return done


def replace_pattern(
    gm: GraphModule, pattern: Callable[..., Any] | GraphModule, replacement: Callable[..., Any] | GraphModule
) -> list:
    return [Match(m.anchor, m.nodes_map) for m in replace_pattern_with_filters(gm, pattern, replacement)]

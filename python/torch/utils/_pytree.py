"""torch.utils._pytree: nested lists, tuples, named tuples and dictionaries as a list of leaves and a structure."""

from collections import OrderedDict, defaultdict


class TreeSpec:
    """The structure: kind of the container, its keys, and the structures of what it holds; a leaf has no kind."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_leaves = 1 if type is None else sum(c.num_leaves for c in children_specs)

    def is_leaf(self):
        return self.type is None

    def __eq__(self, other):
        return (self.type, self.context, self.children_specs) == (other.type, other.context, other.children_specs)


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, [])


def _is_named(x):
    return isinstance(x, tuple) and hasattr(x, "_fields")


def _parts(x):
    if type(x) in (dict, OrderedDict, defaultdict):
        return list(x.values()), list(x)
    if type(x) in (list, tuple) or _is_named(x):
        return list(x), None
    return None, None


def tree_flatten(tree, is_leaf=None):
    children, context = (None, None) if is_leaf is not None and is_leaf(tree) else _parts(tree)
    if children is None:
        return [tree], LeafSpec()
    leaves, specs = [], []
    for child in children:
        found, spec = tree_flatten(child, is_leaf)
        leaves += found
        specs.append(spec)
    return leaves, TreeSpec(type(tree), context, specs)


def tree_unflatten(leaves, treespec):
    found = iter(leaves)

    def build(spec):
        if spec.type is None:
            return next(found)
        children = [build(c) for c in spec.children_specs]
        if spec.context is not None:
            pairs = zip(spec.context, children)
            return OrderedDict(pairs) if spec.type is OrderedDict else dict(pairs)
        return spec.type(*children) if hasattr(spec.type, "_fields") else spec.type(children)

    return build(treespec)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_leaves(r, is_leaf) for r in rests]
    return tree_unflatten([func(*xs) for xs in zip(leaves, *others)], spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(kinds, func, tree, is_leaf=None):
    return tree_map(lambda x: func(x) if isinstance(x, kinds) else x, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))

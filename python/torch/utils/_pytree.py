"""torch.utils._pytree: nested containers as a list of leaves and a structure; programs may register containers of their own."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self


Context = Any
PyTree = Any


class TreeSpec:
    """The structure: kind of the container, its keys, and the structures of what it holds; a leaf has no kind."""

    def __init__(self, type: Any, context: Any, children_specs: list[Self]) -> None:
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_leaves = 1 if type is None else sum(c.num_leaves for c in children_specs)
        self.num_children = len(children_specs)
        self.num_nodes = 1 + sum(c.num_nodes for c in children_specs)

    def is_leaf(self) -> bool:
        return self.type is None

    def children(self) -> list[Self]:
        return list(self.children_specs)

    def child(self, index: int) -> Self:
        return self.children_specs[index]

    def unflatten(self, leaves: Iterable) -> Any:
        return tree_unflatten(leaves, self)

    def flatten_up_to(self, tree: Any) -> list:
        return _flatten_up_to(tree, self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TreeSpec) and (self.type, self.context, self.children_specs) == (
            other.type,
            other.context,
            other.children_specs,
        )

    def __hash__(self) -> int:
        return hash((self.type, str(self.context), tuple(self.children_specs)))

    def __repr__(self) -> str:
        if self.type is None:
            return "*"
        return f"TreeSpec({self.type.__name__}, {self.context}, {self.children_specs})"


class LeafSpec(TreeSpec):
    def __init__(self) -> None:
        super().__init__(None, None, [])


class MappingKey(namedtuple("MappingKey", ["key"])):
    def get(self, container: Any) -> Any:
        return container[self.key]

    def __str__(self) -> str:
        return f"[{self.key!r}]"


class SequenceKey(namedtuple("SequenceKey", ["idx"])):
    def get(self, container: Any) -> Any:
        return container[self.idx]

    def __str__(self) -> str:
        return f"[{self.idx}]"


class GetAttrKey(namedtuple("GetAttrKey", ["name"])):
    def get(self, container: Any) -> Any:
        return getattr(container, self.name)

    def __str__(self) -> str:
        return f".{self.name}"


NodeDef = namedtuple("NodeDef", "type flatten_fn unflatten_fn flatten_with_keys_fn")
SUPPORTED_NODES = {}
BUILTIN_TYPES = frozenset({tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque})


def _private_register_pytree_node(cls, flatten_fn, unflatten_fn, *, flatten_with_keys_fn=None, **_):
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)


def register_pytree_node(
    cls: type, flatten_fn: Any, unflatten_fn: Any, *, flatten_with_keys_fn: Any = None, **_: Any
) -> None:
    """Says how objects of a class come apart: `flatten_fn(x)` gives children and context, `unflatten_fn` takes both."""
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _private_register_pytree_node(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn=flatten_with_keys_fn)


_register_pytree_node = _private_register_pytree_node


def register_dataclass(
    cls: type,
    *,
    field_names: list[str] | None = None,
    drop_field_names: list[str] | None = None,
    serialized_type_name: str | None = None,
) -> None:
    import dataclasses

    names = field_names or [
        f.name for f in dataclasses.fields(cls) if f.init and f.name not in (drop_field_names or ())
    ]
    register_pytree_node(
        cls,
        lambda x: ([getattr(x, n) for n in names], list(names)),
        lambda values, context: cls(**dict(zip(context, values))),
    )


def register_constant(cls: type) -> None:
    """Objects of the class are part of the structure, not leaves."""
    register_pytree_node(cls, lambda x: ([], x), lambda _, context: context)


def _dict_flatten(d):
    return list(d.values()), list(d.keys())


def _dict_flatten_with_keys(d):
    values, context = _dict_flatten(d)
    return [(MappingKey(k), v) for k, v in zip(context, values)], context


def _dict_unflatten(values, context):
    return dict(zip(context, values))


def _list_flatten(d):
    return d, None


def _list_flatten_with_keys(d):
    values, context = _list_flatten(d)
    return [(SequenceKey(i), v) for i, v in enumerate(values)], context


def _tuple_flatten_with_keys(d):
    return _list_flatten_with_keys(list(d))


def _list_unflatten(values, context):
    return list(values)


def _tuple_unflatten(values, context):
    return tuple(values)


def _namedtuple_unflatten(values, context):
    return context(*values)


def _defaultdict_unflatten(values, context):
    factory, keys = context
    return defaultdict(factory, zip(keys, values))


for _kind, _apart, _together in (
    (dict, _dict_flatten, _dict_unflatten),
    (list, _list_flatten, _list_unflatten),
    (tuple, lambda t: (list(t), None), _tuple_unflatten),
    (namedtuple, lambda t: (list(t), type(t)), _namedtuple_unflatten),
    (OrderedDict, _dict_flatten, lambda v, c: OrderedDict(zip(c, v))),
    (defaultdict, lambda d: (list(d.values()), [d.default_factory, list(d)]), _defaultdict_unflatten),
    (deque, lambda d: (list(d), d.maxlen), lambda v, c: deque(v, maxlen=c)),
):
    _private_register_pytree_node(_kind, _apart, _together)


def _is_namedtuple_instance(tree):
    return isinstance(tree, tuple) and hasattr(tree, "_fields")


def is_namedtuple_class(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def is_structseq_class(cls: Any) -> bool:
    """Whether a class is one of C's tuples with names, such as what torch.sort gives."""
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "n_sequence_fields")


def is_structseq_instance(obj: object) -> bool:
    return is_structseq_class(type(obj))


is_namedtuple_instance = _is_namedtuple_instance
is_namedtuple = lambda obj: is_namedtuple_class(obj if isinstance(obj, type) else type(obj))  # noqa: E731
is_structseq = lambda obj: is_structseq_class(obj if isinstance(obj, type) else type(obj))  # noqa: E731


def tree_is_leaf(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    return (is_leaf is not None and is_leaf(tree)) or _get_node_type(tree) not in SUPPORTED_NODES


def _get_node_type(tree):
    return namedtuple if type(tree) not in SUPPORTED_NODES and _is_namedtuple_instance(tree) else type(tree)


def _is_leaf(tree, is_leaf=None):
    return (is_leaf is not None and is_leaf(tree)) or _get_node_type(tree) not in SUPPORTED_NODES


def _keys_of(kind, tree, children, context):
    named = SUPPORTED_NODES[kind].flatten_with_keys_fn
    if named is not None:
        return [key for key, _ in named(tree)[0]]
    if isinstance(tree, dict):
        return [MappingKey(k) for k in tree]
    if kind is namedtuple:
        return [GetAttrKey(name) for name in tree._fields]
    return [SequenceKey(i) for i in range(len(children))]


def _walk(tree, path, leaves, is_leaf, with_path):
    if _is_leaf(tree, is_leaf):
        leaves.append((path, tree) if with_path else tree)
        return LeafSpec()
    kind = _get_node_type(tree)
    children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
    children = list(children)
    keys = _keys_of(kind, tree, children, context) if with_path else [None] * len(children)
    specs = [_walk(c, (*path, k) if with_path else path, leaves, is_leaf, with_path) for c, k in zip(children, keys)]
    return TreeSpec(kind, context, specs)


def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list, TreeSpec]:
    leaves = []
    return leaves, _walk(tree, (), leaves, is_leaf, False)


def tree_flatten_with_path(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[tuple], TreeSpec]:
    leaves = []
    return leaves, _walk(tree, (), leaves, is_leaf, True)


def tree_leaves_with_path(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[tuple]:
    return tree_flatten_with_path(tree, is_leaf)[0]


def tree_unflatten(leaves: Iterable, treespec: TreeSpec) -> Any:
    return _built(treespec, iter(leaves))


def _built(spec, leaves):
    """Not a function inside another: one that calls itself is a cycle, and its leaves would wait for the collector."""
    if spec.type is None:
        return next(leaves)
    return SUPPORTED_NODES[spec.type].unflatten_fn([_built(c, leaves) for c in spec.children_specs], spec.context)


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list:
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Iterable:
    return iter(tree_leaves(tree, is_leaf))


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> TreeSpec:
    return tree_flatten(tree, is_leaf)[1]


def _flatten_up_to(tree, spec):
    if spec.type is None:
        return [tree]
    kind = _get_node_type(tree)
    if kind is not spec.type:
        raise ValueError(f"Type mismatch; expected {spec.type!r}, but got {kind!r}.")
    children = list(SUPPORTED_NODES[kind].flatten_fn(tree)[0])
    if len(children) != len(spec.children_specs):
        raise ValueError(f"Node arity mismatch; expected {len(spec.children_specs)}, but got {len(children)}.")
    return [leaf for child, part in zip(children, spec.children_specs) for leaf in _flatten_up_to(child, part)]


def tree_map(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [_flatten_up_to(r, spec) for r in rests]
    return tree_unflatten([func(*xs) for xs in zip(leaves, *others)], spec)


def tree_map_with_path(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    pairs, spec = tree_flatten_with_path(tree, is_leaf)
    others = [_flatten_up_to(r, spec) for r in rests]
    return tree_unflatten(
        [func(path, *xs) for (path, *_), *xs in zip(pairs, [leaf for _, leaf in pairs], *others)], spec
    )


def tree_map_(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def map_only(kinds: Any) -> Callable:
    """A decorator: the function for leaves of these kinds, other leaves as they are."""
    test = kinds if callable(kinds) and not isinstance(kinds, type) else lambda x: isinstance(x, kinds)
    return lambda func: lambda x: func(x) if test(x) else x


def tree_map_only(kinds: Any, func: Any, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    return tree_map(map_only(kinds)(func), tree, is_leaf=is_leaf)


def tree_map_only_(kinds: Any, func: Any, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    return tree_map_(map_only(kinds)(func), tree, is_leaf=is_leaf)


def tree_all(pred: Callable[[Any], bool], tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred: Callable[[Any], bool], tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(kinds: Any, pred: Any, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    return all(pred(x) for x in tree_leaves(tree, is_leaf) if isinstance(x, kinds))


def tree_any_only(kinds: Any, pred: Any, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    return any(pred(x) for x in tree_leaves(tree, is_leaf) if isinstance(x, kinds))


def arg_tree_leaves(*args: Any, **kwargs: Any) -> list:
    return [leaf for x in (*args, *kwargs.values()) for leaf in tree_leaves(x)]


def key_get(obj: Any, key: Any) -> Any:
    return key.get(obj)


def keystr(path: Any) -> str:
    return "".join(str(k) for k in path)


def _broadcast_to_and_flatten(tree, treespec, is_leaf=None):
    if treespec.type is None:
        return [tree]
    if _is_leaf(tree, is_leaf):
        return [tree] * treespec.num_leaves
    kind = _get_node_type(tree)
    if kind is not treespec.type:
        return None
    children = list(SUPPORTED_NODES[kind].flatten_fn(tree)[0])
    if len(children) != len(treespec.children_specs):
        return None
    found = []
    for child, spec in zip(children, treespec.children_specs):
        flat = _broadcast_to_and_flatten(child, spec, is_leaf)
        if flat is None:
            return None
        found += flat
    return found


def treespec_dumps(treespec: TreeSpec, protocol: int | None = None) -> str:
    raise NotImplementedError("vramscope does not write tree structures as text")

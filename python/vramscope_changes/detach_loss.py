"""On the lines that are asked for, a sum takes the value of what it adds, without its graph."""

import ast


def rewrite(tree, lines):
    for node in ast.walk(tree):
        if getattr(node, "lineno", None) not in lines:
            continue
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            node.value = _detached(node.value)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add):
            node.value = _detached(node.value)
    return tree


def _detached(value):
    call = ast.Call(ast.Attribute(value, "detach", ast.Load()), [], [])
    ast.copy_location(call.func, value)
    return ast.copy_location(call, value)

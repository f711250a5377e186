"""How a tensor prints itself: its values where they are known, and what else PyTorch says of it."""

from . import _C


def text_of(t):
    shape = t.shape
    values = _C._js.values(t._h) if t.numel() <= 1000 else None
    extra = ""
    dt = t.dtype
    if t.device.type != "cpu":
        extra += f", device='{t.device}'"
    if dt.name not in ("float32", "int64", "bool"):
        extra += f", dtype={dt}"
    fn = t.grad_fn
    if fn is not None:
        extra += f", grad_fn=<{fn.name()}>"
    elif t.requires_grad:
        extra += ", requires_grad=True"
    if values or not shape:

        def word(v):
            if isinstance(v, list):
                return "[" + ", ".join(word(x) for x in v) + "]"
            if isinstance(v, float):
                return f"{v:.0f}." if v == int(v) else f"{v:.4f}"
            return str(v)

        return f"tensor({word(t.tolist())}{extra})"
    return f"tensor(...{extra}, size={tuple(shape)})"

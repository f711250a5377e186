"""Views that are copied, copies into which a part is written, and a few functions that few programs call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from sections import run_all

if TYPE_CHECKING:
    from typing import Any


def into(name: str, *where: Any) -> Any:
    """A copy of a 64 by 64 matrix with another tensor in the place that the view of it has."""

    def case(m):
        x = m.x(64, 64)
        view = getattr(torch.Tensor, name, None)
        part = x[where[1] : where[2]] if name == "slice" else view(x.detach(), *where)
        return getattr(torch, f"{name}_scatter")(x, m.x(*part.shape), *where)

    return case


def of(name: str, *args: Any) -> Any:
    return lambda m: getattr(torch, f"{name}_copy")(m.x(64, 1, 64), *args)


run_all(
    {
        "alias_copy": of("alias"),
        "as_strided_copy": of("as_strided", (64, 32), (64, 1)),
        "detach_copy": of("detach"),
        "diagonal_copy": of("diagonal", 0, 0, 2),
        "expand_copy": of("expand", (64, 4, 64)),
        "narrow_copy": of("narrow", 2, 8, 16),
        "permute_copy": of("permute", (2, 1, 0)),
        "select_copy": of("select", 0, 3),
        "slice_copy": of("slice", 0, 2, 40, 2),
        "split_with_sizes_copy": of("split_with_sizes", (30, 34), 0),
        "squeeze_copy": of("squeeze"),
        "squeeze_copy dim": of("squeeze", 1),
        "squeeze_copy dims": of("squeeze", (1,)),
        "unsafe_split": lambda m: torch.unsafe_split(m.x(64, 64), 48),
        "unsafe_split_with_sizes": lambda m: torch.unsafe_split_with_sizes(m.x(64, 64), (16, 48)),
        "matmul of a row": lambda m: torch.matmul(m.x(64), m.x(64, 32)),
        "t_copy": lambda m: torch.t_copy(m.x(64, 32)),
        "transpose_copy": of("transpose", 0, 2),
        "unbind_copy": of("unbind", 0),
        "unfold_copy": of("unfold", 0, 8, 4),
        "unsqueeze_copy": of("unsqueeze", 1),
        "view_copy": of("view", (64, 64)),
        "slice_scatter": into("slice", 0, 8, 24),
        "select_scatter": into("select", 0, 3),
        "diagonal_scatter": into("diagonal"),
        "as_strided_scatter": into("as_strided", (32, 64), (64, 1)),
        "renorm": lambda m: torch.renorm(m.x(64, 64), 2, 0, 1.0),
        "rot90": lambda m: torch.rot90(m.x(64, 64), 1, (0, 1)),
        "lcm": lambda m: torch.lcm(*[torch.ones(64, device="cuda", dtype=torch.int64)] * 2),
        "dist": lambda m: torch.dist(m.x(64, 64), m.x(64, 64), 2),
    },
    dtypes=("float32",),
    sizes=("small",),
)

"""Prints what small programs leave allocated and their peaks, for test/autograd and test/session, which run the same calls on the engine without Python.

usage: run under a release with a GPU, or by cardless/record.py; each line is `CASE BYTES PEAK_BYTES`, counted from before the case, or `CASE: error`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def leaf(*shape: Any, grad: bool = True) -> Tensor:
    return torch.ones(shape, device="cuda", requires_grad=grad)


CASES = {}


def case(function: Callable) -> Any:
    CASES[function.__name__] = function
    return function


@case
def block_of_a_thousand(keep: list) -> None:
    keep.append(leaf(1000, grad=False))


@case
def block_of_three_megabytes(keep: list) -> None:
    keep.append(leaf(768, 1024, grad=False))


@case
def view_keeps_its_storage(keep: list) -> None:
    keep.append(leaf(1000, grad=False)[:10])


@case
def first_product_takes_a_workspace(keep: Any) -> None:
    x = leaf(64, 64, grad=False)
    keep.extend([x, x @ x])


@case
def second_product_takes_none(keep: Any) -> None:
    x = leaf(64, 64, grad=False)
    keep.extend([x, x @ x])


@case
def product_saves_both_factors(keep: list) -> None:
    keep.append(leaf(1000).exp() * leaf(1000).exp())


@case
def relu_saves_its_result_alone(keep: list) -> None:
    keep.append(leaf(1000).exp().relu())


@case
def nothing_is_saved_without_grad(keep: list) -> None:
    with torch.no_grad():
        keep.append(leaf(1000).exp() * leaf(1000).exp())


@case
def backward_gives_back_what_was_saved(keep: Any) -> None:
    x = leaf(1000)
    loss = (x.exp() * x.exp()).sum()
    loss.backward()
    keep.extend([x, loss])


@case
def a_kept_graph_keeps_what_was_saved(keep: Any) -> None:
    x = leaf(1000)
    loss = (x.exp() * x.exp()).sum()
    loss.backward(retain_graph=True)
    keep.extend([x, loss])


@case
def the_second_gradient_is_added_in_place(keep: list) -> None:
    x = leaf(1000)
    for _ in range(2):
        (x * 2).sum().backward()
    keep.append(x)


@case
def two_uses_are_summed_before_they_arrive(keep: list) -> None:
    x = leaf(1000)
    (x.exp() + x.sin()).sum().backward()
    keep.append(x)


@case
def a_part_has_a_gradient_of_the_whole(keep: list) -> None:
    x = leaf(1000)
    x[:10].sum().backward()
    keep.append(x)


@case
def in_place_on_a_part_copies_the_gradient(keep: Any) -> None:
    x = leaf(1000)
    y = x.exp()
    y[:10].mul_(2)
    y.sum().backward()
    keep.extend([x, y])


@case
def a_retained_gradient_stays(keep: Any) -> None:
    x = leaf(1000)
    y = x.exp()
    y.retain_grad()
    y.sum().backward()
    keep.extend([x, y])


@case
def autocast_keeps_the_cast_weight(keep: Any) -> tuple:
    weight, x = leaf(64, 64), leaf(64, 64, grad=False)
    with torch.autocast("cuda", dtype=torch.float16):
        first = x @ weight
        second = x @ weight
        keep.extend([weight, x, first, second])
        return inside(keep)


@case
def autocast_ends_with_its_casts(keep: Any) -> None:
    weight, x = leaf(64, 64), leaf(64, 64, grad=False)
    with torch.autocast("cuda", dtype=torch.float16), torch.no_grad():
        keep.extend([weight, x, x @ weight])


@case
def second_backward(keep: Any) -> None:
    loss = leaf(10).exp().sum()
    loss.backward()
    loss.backward()


@case
def in_place_on_a_leaf(keep: Any) -> None:
    leaf(10).add_(1)


@case
def changed_after_it_was_saved(keep: Any) -> None:
    y = leaf(10).exp()
    z = y * y
    y.add_(1)
    z.sum().backward()


@case
def backward_of_rows(keep: Any) -> None:
    leaf(10).exp().backward()


@case
def backward_of_no_graph(keep: Any) -> None:
    leaf(10, grad=False).sum().backward()


@case
def sizes_that_do_not_match(keep: Any) -> None:
    leaf(3) + leaf(4)


@case
def products_that_do_not_match(keep: Any) -> None:
    leaf(3, 4) @ leaf(3, 4)


def inside(keep: Any) -> tuple:
    """The counters while the case's blocks are still open."""
    return torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()


def main() -> None:
    for name, function in CASES.items():
        keep = []
        base = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        try:
            counted = function(keep) or inside(keep)
        except RuntimeError as error:
            print(f"{name}: {str(error).splitlines()[0]}")
            continue
        print(name, *(count - base for count in counted))


if __name__ == "__main__":
    main()

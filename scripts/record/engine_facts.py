"""Prints what small programs leave allocated and their peaks, for test/autograd and test/session, which run the same calls on the engine without Python.

usage: run under a release with a GPU, or by cardless/record.py; each line is `CASE BYTES PEAK_BYTES`, counted from before the case, or `CASE: error`
"""

import torch


def leaf(*shape, grad=True):
    return torch.ones(shape, device="cuda", requires_grad=grad)


CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


@case
def block_of_a_thousand(keep):
    keep.append(leaf(1000, grad=False))


@case
def block_of_three_megabytes(keep):
    keep.append(leaf(768, 1024, grad=False))


@case
def view_keeps_its_storage(keep):
    keep.append(leaf(1000, grad=False)[:10])


@case
def first_product_takes_a_workspace(keep):
    x = leaf(64, 64, grad=False)
    keep.extend([x, x @ x])


@case
def second_product_takes_none(keep):
    x = leaf(64, 64, grad=False)
    keep.extend([x, x @ x])


@case
def product_saves_both_factors(keep):
    keep.append(leaf(1000).exp() * leaf(1000).exp())


@case
def relu_saves_its_result_alone(keep):
    keep.append(leaf(1000).exp().relu())


@case
def nothing_is_saved_without_grad(keep):
    with torch.no_grad():
        keep.append(leaf(1000).exp() * leaf(1000).exp())


@case
def backward_gives_back_what_was_saved(keep):
    x = leaf(1000)
    loss = (x.exp() * x.exp()).sum()
    loss.backward()
    keep.extend([x, loss])


@case
def a_kept_graph_keeps_what_was_saved(keep):
    x = leaf(1000)
    loss = (x.exp() * x.exp()).sum()
    loss.backward(retain_graph=True)
    keep.extend([x, loss])


@case
def the_second_gradient_is_added_in_place(keep):
    x = leaf(1000)
    for _ in range(2):
        (x * 2).sum().backward()
    keep.append(x)


@case
def two_uses_are_summed_before_they_arrive(keep):
    x = leaf(1000)
    (x.exp() + x.sin()).sum().backward()
    keep.append(x)


@case
def a_part_has_a_gradient_of_the_whole(keep):
    x = leaf(1000)
    x[:10].sum().backward()
    keep.append(x)


@case
def in_place_on_a_part_copies_the_gradient(keep):
    x = leaf(1000)
    y = x.exp()
    y[:10].mul_(2)
    y.sum().backward()
    keep.extend([x, y])


@case
def a_retained_gradient_stays(keep):
    x = leaf(1000)
    y = x.exp()
    y.retain_grad()
    y.sum().backward()
    keep.extend([x, y])


@case
def autocast_keeps_the_cast_weight(keep):
    weight, x = leaf(64, 64), leaf(64, 64, grad=False)
    with torch.autocast("cuda", dtype=torch.float16):
        first = x @ weight
        second = x @ weight
        keep.extend([weight, x, first, second])
        return inside(keep)


@case
def autocast_ends_with_its_casts(keep):
    weight, x = leaf(64, 64), leaf(64, 64, grad=False)
    with torch.autocast("cuda", dtype=torch.float16), torch.no_grad():
        keep.extend([weight, x, x @ weight])


@case
def second_backward(keep):
    loss = leaf(10).exp().sum()
    loss.backward()
    loss.backward()


@case
def in_place_on_a_leaf(keep):
    leaf(10).add_(1)


@case
def changed_after_it_was_saved(keep):
    y = leaf(10).exp()
    z = y * y
    y.add_(1)
    z.sum().backward()


@case
def backward_of_rows(keep):
    leaf(10).exp().backward()


@case
def backward_of_no_graph(keep):
    leaf(10, grad=False).sum().backward()


@case
def sizes_that_do_not_match(keep):
    leaf(3) + leaf(4)


@case
def products_that_do_not_match(keep):
    leaf(3, 4) @ leaf(3, 4)


def inside(keep):
    """The counters while the case's blocks are still open."""
    return torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()


def main():
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

"""The line search of L-BFGS: a step that satisfies the strong Wolfe conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C
from torch._stand_ins import note
from torch._unknown_numbers import UnknownFloat

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def is_known(number: Any) -> bool:
    """Whether a number is more than a placeholder."""
    return bool(_C._js.values(number._h)) if isinstance(number, torch.Tensor) else not isinstance(number, UnknownFloat)


def most_likely(condition: Any, usual: bool, of: Any = None) -> bool:
    """A condition, or what it usually is where nobody knows the number that it is about."""
    if is_known(condition if of is None else of):
        return bool(condition)
    note("search_goes_on")
    return usual


def _cubic(x1, f1, g1, x2, f2, g2, bounds=None):
    """The minimum of the cubic through two points with their slopes, kept within bounds."""
    low, high = bounds if bounds is not None else (min(x1, x2), max(x1, x2))
    if x1 == x2:
        return (low + high) / 2.0
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    if not square >= 0:
        return (low + high) / 2.0
    d2 = square.sqrt()
    if x1 <= x2:
        best = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        best = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(best, low), high)


def _copy(g):
    return g.clone(memory_format=torch.contiguous_format)


def strong_wolfe(
    evaluate: Any,
    x: Tensor,
    t: Tensor,
    d: Any,
    f: Callable,
    g: Any,
    gtd: Any,
    c1: float = 1e-4,
    c2: float = 0.9,
    tolerance: float = 1e-9,
    max_evaluations: int = 25,
    brackets: bool = False,
) -> tuple:
    """The step, and what was found there. Where nobody knows the values, the first step is taken, or, if it `brackets`, the second."""
    d_norm = d.abs().max()
    g = _copy(g)
    f_new, g_new = evaluate(x, t, d)
    evaluations = 1
    gtd_new = g_new.dot(d)
    t_prev, f_prev, g_prev, gtd_prev = 0, f, g, gtd
    done = False
    rounds = 0
    while rounds < max_evaluations:
        if most_likely(f_new > (f + c1 * t * gtd) or (rounds > 1 and f_new >= f_prev), brackets, gtd):
            ends = [[t_prev, f_prev, g_prev, gtd_prev], [t, f_new, _copy(g_new), gtd_new]]
            break
        if most_likely(abs(gtd_new) <= -c2 * gtd, True):
            ends = [[t, f_new, g_new, gtd_new]]
            done = True
            break
        if gtd_new >= 0:
            ends = [[t_prev, f_prev, g_prev, gtd_prev], [t, f_new, _copy(g_new), gtd_new]]
            break
        bounds = (t + 0.01 * (t - t_prev), t * 10)
        t_next = _cubic(t_prev, f_prev, gtd_prev, t, f_new, gtd_new, bounds)
        t_prev, t = t, t_next
        f_prev, g_prev, gtd_prev = f_new, _copy(g_new), gtd_new
        f_new, g_new = evaluate(x, t, d)
        evaluations += 1
        gtd_new = g_new.dot(d)
        rounds += 1
    if rounds == max_evaluations:
        ends = [[0, f, g, gtd], [t, f_new, g_new, gtd_new]]
    stuck = False
    low, high = (0, 1) if ends[0][1] <= ends[-1][1] else (1, 0)
    while not done and rounds < max_evaluations:
        left, right = ends[0][0], ends[1][0]
        if most_likely(abs(right - left) * d_norm < tolerance, False):
            break
        t = _cubic(left, ends[0][1], ends[0][3], right, ends[1][1], ends[1][3])
        top, bottom = max(left, right), min(left, right)
        margin = 0.1 * (top - bottom)
        if min(top - t, t - bottom) < margin:
            if stuck or t >= top or t <= bottom:
                t = top - margin if abs(t - top) < abs(t - bottom) else bottom + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        f_new, g_new = evaluate(x, t, d)
        evaluations += 1
        gtd_new = g_new.dot(d)
        rounds += 1
        if most_likely(f_new > (f + c1 * t * gtd) or f_new >= ends[low][1], False, gtd):
            ends[high] = [t, f_new, _copy(g_new), gtd_new]
            low, high = (0, 1) if ends[0][1] <= ends[1][1] else (1, 0)
        else:
            if most_likely(abs(gtd_new) <= -c2 * gtd, True):
                done = True
            elif gtd_new * (ends[high][0] - ends[low][0]) >= 0:
                ends[high] = list(ends[low])
            ends[low] = [t, f_new, _copy(g_new), gtd_new]
    t, f_new, g_new, _ = ends[low]
    return f_new, g_new, t, evaluations

"""scipy.optimize: assignments."""

import numpy as np
from torch._stand_ins import lacks


def linear_sum_assignment(cost_matrix: np.ndarray, maximize: bool = False) -> tuple:
    """By shortest augmenting paths (Kuhn and Munkres); costs without values go along the diagonal."""
    array = np.asarray(cost_matrix)
    rows, columns = array.shape
    if array._values is None:
        return np.arange(min(rows, columns)), np.arange(min(rows, columns))
    if rows > columns:
        found = linear_sum_assignment(array.T, maximize)
        pairs = sorted(zip(found[1].tolist(), found[0].tolist()))
    else:
        sign = -1 if maximize else 1
        pairs = _assign([[sign * value for value in row] for row in array.tolist()], columns)
    return tuple(np.array([pair[i] for pair in pairs], "int64") for i in (0, 1))


def _assign(costs, columns):
    """Pairs (row, column); potentials u, v and the row `of` each column count from one."""
    u, v, of = [0.0] * (len(costs) + 1), [0.0] * (columns + 1), [0] * (columns + 1)
    for row in range(1, len(costs) + 1):
        of[0], at = row, 0
        least, way, used = [float("inf")] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
        while of[at]:
            used[at], step, to = True, float("inf"), 0
            for j in range(1, columns + 1):
                if not used[j]:
                    reduced = costs[of[at] - 1][j - 1] - u[of[at]] - v[j]
                    if reduced < least[j]:
                        least[j], way[j] = reduced, at
                    if least[j] < step:
                        step, to = least[j], j
            for j in range(columns + 1):
                if used[j]:
                    u[of[j]] += step
                    v[j] -= step
                else:
                    least[j] -= step
            at = to
        while at:
            of[at], at = of[way[at]], way[at]
    return sorted((of[j] - 1, j - 1) for j in range(1, columns + 1) if of[j])


__getattr__ = lacks("scipy.optimize")

"""torch.profiler's memory timeline: bytes by category after each event, as JSON or a page with a picture."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


# The order of PyTorch's columns, and which of our categories belong to each; the last is what it does not know.
_COLUMNS = (
    ("PARAMETER", ("parameter", "buffer"), "darkgreen"),
    ("OPTIMIZER_STATE", ("optimizer_state",), "goldenrod"),
    ("INPUT", ("input",), "black"),
    ("TEMPORARY", ("temporary", "gathered_parameter", "communication"), "mediumpurple"),
    ("ACTIVATION", ("activation", "kv_cache"), "red"),
    ("GRADIENT", ("gradient",), "mediumblue"),
    ("AUTOGRAD_DETAIL", (), "royalblue"),
    ("Unknown", ("workspace", "unknown"), "grey"),
)
_PREEXISTING, _CREATE, _DESTROY = 1, 2, 4


def _column(category):
    return next(i for i, (_, names, _) in enumerate(_COLUMNS) if category in names)


def _rows(timeline):
    columns = [_column(c) for c in timeline["categories"]]
    sizes = [0] * (len(_COLUMNS) + 1)
    for category, size in enumerate(timeline["before"]):
        sizes[columns[category] + 1] += size
    return columns, sizes


def _coalesced(timeline, first):
    """Events and, for each, a zero and the bytes of every column after it."""
    columns, sizes = _rows(timeline)
    times, rows = [first], [sizes]
    for event, category, size in timeline["changes"]:
        sizes = list(sizes)
        sizes[columns[category] + 1] += size
        times.append(event)
        rows.append(sizes)
    return times, rows


def export(path: Any, timeline: Any, first: Any) -> None:
    if path.endswith(".html"):
        text = _page(*_coalesced(timeline, first))
    elif path.endswith("raw.json.gz"):
        columns, before = _rows(timeline)
        raw = [(-1, _PREEXISTING, size, i) for i, size in enumerate(before[1:]) if size]
        raw += [
            (event, _CREATE if size > 0 else _DESTROY, size, columns[category])
            for event, category, size in timeline["changes"]
        ]
        text = json.dumps(raw)
    else:
        text = json.dumps(_coalesced(timeline, first))
    if path.endswith(".gz"):
        with gzip.open(path, "wt") as f:
            f.write(text)
    else:
        with open(path, "w") as f:
            f.write(text)


def _page(times, rows):
    """Stacked areas over events; names are ours, so nothing of the program is in the page."""
    width, height = 1000, 400
    highest = max((sum(r) for r in rows), default=0) or 1
    step = max(1, len(rows) // 1000)
    rows = rows[::step]
    xs = [width * i / max(1, len(rows) - 1) for i in range(len(rows))]
    low = [0] * len(rows)
    parts = []
    for i, (name, _, colour) in enumerate(_COLUMNS):
        high = [a + r[i + 1] for a, r in zip(low, rows)]
        up = " ".join(f"{x:.1f},{height - height * y / highest:.1f}" for x, y in zip(xs, high))
        down = " ".join(f"{x:.1f},{height - height * y / highest:.1f}" for x, y in reversed(list(zip(xs, low))))
        if any(r[i + 1] for r in rows):
            parts.append(
                f'<polygon points="{up} {down}" fill="{colour}" fill-opacity="0.7"><title>{name}</title></polygon>'
            )
        low = high
    legend = " ".join(f'<span style="color:{colour}">&#9632;</span> {name}' for name, _, colour in _COLUMNS)
    return (
        '<!doctype html><html><head><meta charset="utf-8"><title>GPU Memory Timeline</title></head><body>'
        f"<p>Max memory allocated: {highest / 2**30:.2f} GiB; the axis counts events, not time.</p>"
        f'<svg viewBox="0 0 {width} {height}" width="100%">{"".join(parts)}</svg><p>{legend}</p></body></html>\n'
    )

"""Images of any size: where their patches are, from a grid of frames, rows and columns [images, 3] per image or film."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn import functional as F

if TYPE_CHECKING:
    from typing import Any


def patch_places(grid: Any, merge: Any) -> Any:
    """Row and column of each patch [patches, 2], squares of `merge` by `merge` patches together."""
    device = grid.device
    _kept = torch.tensor([merge], device=device).expand(len(grid))
    places = []
    for frames, height, width in grid.tolist():
        square = (height // merge, merge, width // merge, merge)
        rows = torch.arange(height, device=device).unsqueeze(1).expand(-1, width)
        rows = rows.reshape(square).transpose(1, 2).flatten()
        columns = torch.arange(width, device=device).unsqueeze(0).expand(height, -1)
        columns = columns.reshape(square).transpose(1, 2).flatten()
        places.append(torch.stack([rows, columns], dim=-1).repeat(frames, 1))
    return torch.cat(places, dim=0)


def frame_ends(grid: Any) -> tuple:
    """Where each frame's patches begin and the last one's end [frames + 1], and how many each has, as numbers."""
    counts = torch.repeat_interleave(grid[:, 1] * grid[:, 2], grid[:, 0])
    sizes = counts.tolist()
    counts = counts.cumsum(dim=0, dtype=torch.int32)
    return F.pad(counts, (1, 0), value=0), sizes


def windows_of(grid: Any, merge: Any, window: int, patch: Any) -> tuple:
    """The order of merged patches in which windows of `window` pixels are whole, and as `frame_ends` what is in each window."""
    index, ends, first = [], [0], 0
    side = window // merge // patch
    for frames, height, width in grid.tolist():
        tall, wide = height // merge, width // merge
        numbers = torch.arange(frames * tall * wide).reshape(frames, tall, wide)
        below, right = side - tall % side, side - wide % side
        down, across = (tall + below) // side, (wide + right) // side
        padded = F.pad(numbers, (0, right, 0, below), "constant", -100)
        padded = padded.reshape(frames, down, side, across, side)
        padded = padded.permute(0, 1, 3, 2, 4).reshape(frames, down * across, side, side)
        # counted here, because numbers on the CPU have no values either: how much of each window is image
        tops = [min(side, tall - row * side) for row in range(down)]
        lefts = [min(side, wide - column * side) for column in range(across)]
        sizes = [top * left for top in tops for left in lefts] * frames
        index.append(torch.empty(sum(sizes), dtype=padded.dtype) + first)
        for size in sizes:
            ends.append(ends[-1] + size * merge**2)
        first += frames * tall * wide
    index = torch.cat(index, dim=0)
    starts = torch.tensor(ends, device=grid.device, dtype=torch.int32)
    distinct = sorted(set(ends))
    # what unique_consecutive leaves on the device
    starts = torch.tensor(distinct, device=grid.device, dtype=torch.int32)
    return index, (starts, [end - start for start, end in zip(distinct, distinct[1:])])


def _corners(low, high, far, width):
    """Numbers [height * width] of the four places around each point, and what share each has in it."""
    (top, left), (bottom, right), (down, across) = low, high, far
    numbers = [
        (top[:, None] + left[None, :]).flatten(),
        (top[:, None] + right[None, :]).flatten(),
        (bottom[:, None] + left[None, :]).flatten(),
        (bottom[:, None] + right[None, :]).flatten(),
    ]
    shares = [
        ((1 - down)[:, None] * (1 - across)[None, :]).flatten(),
        ((1 - down)[:, None] * across[None, :]).flatten(),
        (down[:, None] * (1 - across)[None, :]).flatten(),
        (down[:, None] * across[None, :]).flatten(),
    ]
    return numbers, shares


def table_corners(grid: Any, side: int, merge: Any) -> tuple:
    """For each patch the four nearest entries of a square table of positions [4, patches], and their shares."""
    device = grid.device
    numbers, shares = [[] for _ in range(4)], [[] for _ in range(4)]
    for frames, height, width in grid.tolist():
        down = torch.linspace(0, side - 1, height, device=device)
        across = torch.linspace(0, side - 1, width, device=device)
        top, left = down.int(), across.int()
        bottom = (top + 1).clamp(max=side - 1)
        right = (left + 1).clamp(max=side - 1)
        part_down, part_across = down - top, across - left
        first, last = top * side, bottom * side
        here, parts = _corners((first, left), (last, right), (part_down, part_across), width)
        rows = torch.arange(height, device=device).view(height // merge, merge)
        columns = torch.arange(width, device=device).view(width // merge, merge)
        order = (rows[:, :, None, None] * width + columns[None, None, :, :]).transpose(1, 2).flatten().repeat(frames)
        for corner in range(4):
            numbers[corner].append(here[corner][order])
            shares[corner].append(parts[corner][order])
    numbers = torch.stack([torch.cat(parts) for parts in numbers])
    shares = torch.stack([torch.cat(parts) for parts in shares])
    return numbers, shares

"""Published tables that programs read by name: their columns and rows are known, their values are not.

Time series: sizes of the ETDataset repository and table 1 of "Autoformer" (Wu et al. 2021), whose files the others took over. Attributes of
faces: "Deep Learning Face Attributes in the Wild" (Liu et al. 2015), whose list begins with its length and its names.
"""

from __future__ import annotations

import os
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Series(NamedTuple):
    """A date, numbers and the target OT, in rows so many minutes apart."""

    rows: int
    columns: Sequence[str]
    first: str
    minutes: int


_TRANSFORMER = ("HUFL", "HULL", "MUFL", "MULL", "LUFL", "LULL")


def _numbered(count):
    return tuple(str(n) for n in range(count))


SERIES = {
    "etth1.csv": Series(17_420, _TRANSFORMER, "2016-07-01", 60),
    "etth2.csv": Series(17_420, _TRANSFORMER, "2016-07-01", 60),
    "ettm1.csv": Series(69_680, _TRANSFORMER, "2016-07-01", 15),
    "ettm2.csv": Series(69_680, _TRANSFORMER, "2016-07-01", 15),
    "weather.csv": Series(52_696, _numbered(20), "2020-01-01", 10),
    "exchange_rate.csv": Series(7_588, _numbered(7), "1990-01-01", 1_440),
    "national_illness.csv": Series(966, _numbered(6), "2002-01-01", 10_080),
}


_PERIOD = 97
_FACES = 202_599
_ATTRIBUTES = """5_o_Clock_Shadow Arched_Eyebrows Attractive Bags_Under_Eyes Bald Bangs Big_Lips Big_Nose Black_Hair Blond_Hair Blurry
    Brown_Hair Bushy_Eyebrows Chubby Double_Chin Eyeglasses Goatee Gray_Hair Heavy_Makeup High_Cheekbones Male Mouth_Slightly_Open Mustache
    Narrow_Eyes No_Beard Oval_Face Pale_Skin Pointy_Nose Receding_Hairline Rosy_Cheeks Sideburns Smiling Straight_Hair Wavy_Hair
    Wearing_Earrings Wearing_Hat Wearing_Lipstick Wearing_Necklace Wearing_Necktie Young""".split()


def _faces():
    """Each picture's name, and for each attribute 1 or -1."""
    signs = [" ".join(" 1" if (i + j) % 2 else "-1" for j in range(len(_ATTRIBUTES))) for i in range(2)]
    lines = [f"{_FACES}", f"{' '.join(_ATTRIBUTES)} ", *(f"{i:06}.jpg {signs[i % 2]}" for i in range(1, _FACES + 1))]
    said = f"{_FACES:,} rows of {', '.join(_ATTRIBUTES[:3])}, ..."
    return "".join(f"{line}\n" for line in lines).encode(), said


# tables of pictures, by what their file or its folder is called: rows of training and of testing. MNIST and its like as Kaggle has them;
# the parts of EMNIST are those of table 2 of "EMNIST: an extension of MNIST to handwritten letters" (Cohen et al. 2017)
_PICTURED = (
    (re.compile(r"digit-recognizer/(?:[^/]*/)*(?:train|test)\.csv$"), (42_000, 28_000)),
    (re.compile(r"sign[-_]?(?:language)?[-_]?mnist[^/]*\.csv$"), (27_455, 7_172)),
    (re.compile(r"emnist-balanced[^/]*\.csv$"), (112_800, 18_800)),
    (re.compile(r"(?:^|[/_-])(?:\w*mnist|digits?)(?:[_-]\w*)?\.csv$"), (60_000, 10_000)),
)
_PIXELS, _KINDS = 28 * 28, 10
_known = set()  # paths of tables whose rows are counted
_repeating = {}  # path -> (names, rows that come back, how many rows)


def _pictures(path, rows):
    """A label and the pixels of a picture in each row, of which the same few come back."""
    is_test = "test" in os.path.basename(path)
    count = rows[is_test]
    label = ["label"] * (not is_test or "recognizer" not in path)  # what is to be handed in has none
    names = [*label, *(f"pixel{i}" for i in range(len(label), _PIXELS + len(label)))]
    kinds = [[*[i] * len(label), *[0] * _PIXELS] for i in range(_KINDS)]
    _repeating[path] = names, kinds, count
    lines = [(",".join(map(str, row)) + "\n").encode() for row in kinds]
    text = b"".join(lines) * (count // _KINDS) + b"".join(lines[: count % _KINDS])
    return (",".join(names) + "\n").encode() + text, f"{count:,} rows of {'a label and ' * len(label)}{_PIXELS} pixels"


def repeating(path: str) -> tuple | None:
    """(names, rows that come back, how many rows) of such a table, so that nobody need read each row of it; None for another file."""
    return _repeating.get(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else None


def of(path: str) -> tuple[bytes, str] | None:
    """(bytes, words) of the table of such a file name, or None."""
    made = _of(path)
    if made is not None:
        _known.add(path)
    return made


def is_known(path: str) -> bool:
    """Whether a table that was made has as many rows as the published one."""
    return path in _known


def _of(path):
    for name, rows in _PICTURED:
        if name.search(path.lower()):
            return _pictures(path, rows)
    if os.path.basename(path) == "list_attr_celeba.txt":
        return _faces()
    known = SERIES.get(os.path.basename(path).lower())
    if known is None:
        return None
    columns = ["date", *known.columns, "OT"]
    clock, step = datetime.fromisoformat(known.first), timedelta(minutes=known.minutes)
    # the numbers come back after so many rows
    numbers = [",".join(str((i + 3 * j) % _PERIOD / 8) for j in range(len(columns) - 1)) for i in range(_PERIOD)]
    lines = [f"{clock + i * step},{numbers[i % _PERIOD]}" for i in range(known.rows)]
    said = f"{known.rows:,} rows of {', '.join(columns[:8])}{', ...' if len(columns) > 8 else ''}"
    return "".join(f"{line}\n" for line in (",".join(columns), *lines)).encode(), said

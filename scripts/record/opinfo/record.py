"""Records what released builds of PyTorch allocate for the samples of their own operators, without a GPU.

usage: record.py --release 2.14.1 --cache FOLDER --out FOLDER [--card a100-80gb] [--samples 5] [--jobs 2]

Writes OUT/X.Y/programs/*.py (samples.py) and OUT/X.Y/record.json (../cardless/record.py). A program that does not end is taken apart into
its operators, and those that do not end alone are named. Then `npm run opinfo -- OUT` runs the same programs under the simulator.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cardless"))

from record import fetch, prepare, record_of, write  # noqa: E402 -- the folder beside this one

SAMPLES_NEED = ["expecttest"]


def operator_of(line: str) -> Any:
    return line.split("#")[0]


def taken_apart(program: Any) -> list:
    """A program for each operator of a program."""
    lines = program.read_text().splitlines()
    head = [line for line in lines if not line.startswith("run('")]
    cases = [line for line in lines if line.startswith("run('")]
    made = []
    for at, operator in enumerate(dict.fromkeys(map(operator_of, cases))):
        part = program.with_name(f"{program.stem}-{at:02d}.py")
        part.write_text("\n".join([*head, *[line for line in cases if operator_of(line) == operator]]) + "\n")
        made.append(part)
    program.unlink()
    return made


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--release", required=True)
    options.add_argument("--cache", required=True, type=pathlib.Path)
    options.add_argument("--out", required=True, type=pathlib.Path)
    options.add_argument("--card", default="a100-80gb")
    options.add_argument("--samples", type=int, default=5)
    options.add_argument("--jobs", type=int, default=2)
    asked = options.parse_args()
    cache = asked.cache.resolve()
    site = prepare(asked.release, cache)
    if not (cache / "samples").exists():
        fetch(cache, cache / "samples", "--no-deps", *SAMPLES_NEED)
    out = asked.out.resolve() / ".".join(asked.release.split(".")[:2])
    programs = out / "programs"
    for old in programs.glob("*.py"):
        old.unlink()
    path = os.pathsep.join(map(str, (site, cache / "imported", cache / "samples")))
    subprocess.run(
        [sys.executable, str(HERE / "samples.py"), str(programs), "--samples", str(asked.samples)],
        env={**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1"},
        check=True,
    )
    made = sorted(programs.glob("*.py"))
    recorded = record_of(asked.release, cache, asked.card, asked.jobs, made)
    parts = [part for name in recorded["unrecorded"] for part in taken_apart(programs / f"{name}.py")]
    if parts:
        again = record_of(asked.release, cache, asked.card, asked.jobs, parts)
        recorded = {**again, "programs": {**recorded["programs"], **again["programs"]}}
    write(recorded, out / "record.json")


if __name__ == "__main__":
    main()

"""Records the programs of test/package-programs on a released PyTorch without a GPU, each in a process of its own.

usage: packages.py --release 2.14.1 --cache FOLDER --packages FOLDER --out FILE NAME...        NAME: file/program, or a file of programs

FOLDER of packages is what `pip install --target` makes for this Python. Writes a line of JSON for each program, which
`npm run package-programs -- --record-released FILE` takes over. What a program reads back from the device is zero (record.py): one that
goes by values may stop here or take other paths.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import tempfile

from record import prepare, record

PROGRAMS = pathlib.Path(__file__).resolve().parents[3] / "test" / "package-programs"
SECONDS = "900"
WRAPPER = """import runpy, sys
sys.path.insert(0, {folder!r})
sys.argv = ["program.py", {names!r}]
runpy.run_path({program!r}, run_name="__main__")
"""


def names_of(asked: str) -> list[str]:
    """A program's full name, or those of a file's programs that were recorded before."""
    known = json.loads((PROGRAMS / "expected.json").read_text())
    return [asked] if "/" in asked else [name for name in known if name.startswith(f"{asked}/")]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--release", required=True)
    options.add_argument("--cache", required=True, type=pathlib.Path)
    options.add_argument("--packages", required=True, type=pathlib.Path, action="append")
    options.add_argument("--out", required=True, type=pathlib.Path)
    options.add_argument("--card", default="a100-80gb")
    options.add_argument("names", nargs="+")
    asked = options.parse_args()
    site = prepare(asked.release, asked.cache.resolve())
    os.environ["CARDLESS_ASKED_SECONDS"] = SECONDS
    os.environ["HF_HUB_OFFLINE"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for name in [name for one in asked.names for name in names_of(one)]:
            wrapper = pathlib.Path(folder) / f"{len(programs)}.py"
            program = str(PROGRAMS / "program.py")
            wrapper.write_text(WRAPPER.format(folder=str(PROGRAMS), names=json.dumps([name]), program=program))
            programs[wrapper] = name
        results = record(site, asked.cache.resolve(), asked.card, list(programs), asked.packages)
    with asked.out.open("w") as out:
        for wrapper, (printed, problem) in results.items():
            lines = [line for line in (printed or "").splitlines() if line.startswith('{"program"')]
            out.write((lines[-1] if lines else json.dumps({"program": programs[wrapper], "error": problem})) + "\n")


if __name__ == "__main__":
    main()

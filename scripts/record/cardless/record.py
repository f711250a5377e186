"""Records what released PyTorch builds print for programs, without a GPU: a new release is one command.

usage: record.py --release 2.5.1 --cache FOLDER (--out FILE | --cases) [--card a100-80gb] [--devices 1] [--jobs 2] [--compiled] PROGRAM...

The wheel of the release, the headers of its CUDA and what it imports come from the package index and stay in the cache. The host code, the allocator and the
kernels' host side are the release's own; nothing is computed, so that what a program reads back from the device is zero. Writes FILE: the lines
of each program that ends, by its name, and the last line of errors of each that does not; with --cases instead a case of the corpus for each
(cases.py). With --compiled torch.compile makes its code for the card, whose kernels are not launched (inductor.py; 2.14). Convolutions need cuDNN's heuristics and do not end.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile
from typing import TYPE_CHECKING

from cases import write_cases
from names import name_of
from shells import LIST, make_shells

if TYPE_CHECKING:
    from typing import Any


HERE = pathlib.Path(__file__).resolve().parent
IMPORTED = ["typing_extensions", "sympy", "networkx", "jinja2", "fsspec", "filelock", "setuptools", "numpy<2", "einops"]


def fetch(cache: Any, folder: str, *wanted: Any) -> None:
    """Unpacks the wheels of packages into a folder; nothing of them runs."""
    wheels = cache / "wheels"
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", str(wheels), *wanted],
        check=True,
    )
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        wheel.unlink()


def prepare(release: Any, cache: Any) -> Any:
    """The site-packages folder of a release, ready to run."""
    site = cache / release
    if not (cache / "imported").exists():
        fetch(cache, cache / "imported", *IMPORTED)
    listed = site / "torch" / "lib" / LIST
    if listed.exists() and all((listed.parent / name).exists() for name in listed.read_text().split()):
        return site
    if not (site / "torch").exists():
        fetch(cache, site, "--no-deps", f"torch=={release}")
    major, minor = re.search(r"cuda\b.*'(\d+)\.(\d+)", (site / "torch" / "version.py").read_text()).groups()
    headers = cache / f"cuda-{major}.{minor}"
    if not headers.exists():
        package = "nvidia-cuda-runtime" if int(major) >= 13 else f"nvidia-cuda-runtime-cu{major}"
        fetch(cache, headers, "--no-deps", f"{package}=={major}.{minor}.*")
    make_shells(site, next(headers.rglob("cuda_runtime_api.h")).parent)
    return site


def add_triton(site: Any, cache: Any) -> None:
    """The Triton that a release asks for, beside it."""
    if not (site / "triton").exists():
        listed = next(site.glob("torch-*.dist-info/METADATA")).read_text()
        fetch(cache, site, "--no-deps", re.search(r"^Requires-Dist: (triton[^;]*)", listed, re.M)[1].replace(" ", ""))
        for tool in (site / "triton" / "backends" / "nvidia" / "bin").iterdir():
            tool.chmod(0o755)


def version_of(site: Any) -> Any:
    """`2.5.1+cu124`, from the release itself."""
    return re.search(r"__version__ = '(.*)'", (site / "torch" / "version.py").read_text())[1]


def record(site: Any, cache: Any, card: Any, programs: Any, packages: Any = ()) -> dict:
    """By program: what it printed and None, or None and its last line; `packages` are folders that it may import from."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, [cache / "imported", *(folder.resolve() for folder in packages)])),
            "PYTHONWARNINGS": "ignore",
            "OMP_NUM_THREADS": "1",
        }
        subprocess.run(
            [sys.executable, str(HERE / "program.py"), str(site), card, folder, *map(str, programs)],
            env=environment,
            check=True,
        )
        results = {}
        for number, program in enumerate(programs):
            if (made / f"{number}.status").read_text() == "0":
                results[program] = ((made / f"{number}.out").read_text(), None)
            else:
                lines = (made / f"{number}.err").read_text(errors="replace").strip().splitlines()
                results[program] = (None, (lines or ["ended by a signal"])[-1])
        return results


def record_of(release: Any, cache: Any, card: Any, jobs: int, programs: Any) -> dict:
    """The record of programs: printed lines by name, and the last line of errors of those that did not end."""
    site = prepare(release, cache)
    recorded, unrecorded = {}, {}
    shares = [share for share in (programs[start::jobs] for start in range(jobs)) if share]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for program, (printed, problem) in (
            item for done in pool.map(lambda share: record(site, cache, card, share), shares) for item in done.items()
        ):
            if problem is None:
                recorded[name_of(program)] = printed.splitlines()
            else:
                unrecorded[name_of(program)] = problem
    return {
        "torch": version_of(site),
        "gpu": card,
        "programs": dict(sorted(recorded.items())),
        "unrecorded": dict(sorted(unrecorded.items())),
    }


def write(recorded: Any, out: Any) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(recorded, indent=1) + "\n")
    print(f"{len(recorded['programs'])} recorded, {len(recorded['unrecorded'])} not")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--release", required=True)
    options.add_argument("--cache", required=True, type=pathlib.Path)
    wanted = options.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--out", type=pathlib.Path)
    wanted.add_argument(
        "--cases", action="store_true", help="write what each prints beside it, and its entry in the manifest"
    )
    options.add_argument("--card", default="a100-80gb")
    options.add_argument("--devices", type=int, default=1, help="so many such cards in the machine")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--compiled", action="store_true", help="for programs that use torch.compile")
    options.add_argument("programs", nargs="+", type=pathlib.Path)
    asked = options.parse_args()
    os.environ["CARDLESS_ASKED_DEVICES"] = str(asked.devices)
    if asked.compiled:
        add_triton(prepare(asked.release, asked.cache.resolve()), asked.cache.resolve())
        os.environ["CARDLESS_ASKED_COMPILED"] = "1"
    programs = [program.resolve() for program in asked.programs]
    recorded = record_of(asked.release, asked.cache.resolve(), asked.card, asked.jobs, programs)
    if asked.out:
        write(recorded, asked.out)
    else:
        sys.exit(write_cases(recorded, programs))


if __name__ == "__main__":
    main()

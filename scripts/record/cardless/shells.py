"""Makes the libraries of CUDA that a released PyTorch wants to load, with no card behind them, and puts them beside its own.

usage: shells.py SITE_PACKAGES INCLUDE

SITE_PACKAGES holds an unpacked wheel of torch, INCLUDE the headers of the CUDA runtime that it was built for (the wheel nvidia-cuda-runtime). What a
program reads back is answered by runtime.c and libraries.c; every other function that torch refers to accepts and returns 0. Needs gcc and binutils.
"""

from __future__ import annotations

import collections
import pathlib
import re
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


HERE = pathlib.Path(__file__).resolve().parent
# version names of the system's own libraries
SYSTEM = ("GLIBC", "GCC", "CXXABI", "GOMP", "OMP")
# libraries of CUDA that a wheel may bring itself: the shell takes their place
BUNDLED = re.compile(r"lib(cudart|nvToolsExt|cublas|cublasLt|cudnn|nvrtc|cusparseLt|nccl)[-.]")
# names what was made, so that it can be made again
LIST = "cardless.txt"
SOURCES = {
    "libcuda": "driver.c",
    "libcudart": "runtime.c",
    "libcublas": "libraries.c",
    "libcublasLt": "libraries.c",
    "libcudnn": "libraries.c",
    "libnvrtc": "libraries.c",
}


def output(*command: Any) -> Any:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def symbols(path: str) -> Iterator[Any]:
    """(name, version, defined) of the dynamic symbols that a library cannot do without."""
    for line in output("nm", "-D", "--with-symbol-versions", str(path)).splitlines():
        found = re.match(r"\s*[0-9a-f]*\s+(\S)\s+(\S+)", line)
        if found and found[1] not in "wv":
            name, _, version = found[2].partition("@")
            yield name, version.lstrip("@"), found[1] != "U"


def system_libraries() -> dict:
    """Path by name of every library that the loader knows."""
    return dict(re.findall(r"^\s*(\S+) \(.*=> (\S+)", output("ldconfig", "-p"), re.M))


def wanted(site: Any) -> tuple:
    """The names of the missing libraries, and the undefined symbols by their version ("" for those without)."""
    listed = site / "torch" / "lib" / LIST
    for name in listed.read_text().split() if listed.exists() else ():
        (listed.parent / name).unlink(missing_ok=True)
    own = [path for path in (site / "torch" / "lib").iterdir() if ".so" in path.name and not BUNDLED.match(path.name)]
    own += (site / "torch").glob("_C*.so")
    system = system_libraries()
    present = {path.name for path in own}
    missing, undefined, defined = [], collections.defaultdict(set), set()
    for path in own:
        for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", str(path))):
            if needed not in present and needed not in missing and needed not in system:
                missing.append(needed)
        for name, version, is_defined in symbols(path):
            if is_defined:
                defined.add(name)
            else:
                undefined[version].add(name)
    for name, path in system.items():
        if re.match(r"lib(stdc\+\+|c|m|gcc_s|pthread|dl|rt|util)\.so", name):
            defined.update(name for name, _, is_defined in symbols(path) if is_defined)
    undefined[""] = {name for name in undefined[""] if name not in defined and not re.match(r"_?Py", name)}
    return missing, undefined


def owner_of(version: str, missing: Any) -> Any:
    """The missing library that a symbol version belongs to."""
    stem = version.split(".so")[0].lower()
    for library in missing:
        if re.split(r"[-.]", library)[0].lower() == stem:
            return library
    return next((library for library in missing if stem in library.lower()), None)


def cudnn_version(site: Any) -> Any:
    """The number by which cuDNN calls the release that a wheel was built with; torch compares the two."""
    found = re.search(
        r"nvidia-cudnn-cu\d+ ?\(?==(\d+)\.(\d+)\.(\d+)", next(site.glob("torch-*.dist-info/METADATA")).read_text()
    )
    if found is None:
        return 0
    major, minor, patch = map(int, found.groups())
    return major * 10000 + minor * 100 + patch if major >= 9 else major * 1000 + minor * 100 + patch


def compile_library(target: Any, source: str, names_by_version: dict, flags: Any) -> None:
    """One shell: what `source` defines, and a function that returns 0 for every other name."""
    folder = target.parent
    known = set()
    objects = []
    if source:
        made = folder / (target.name + ".known.o")
        subprocess.run(
            [
                "gcc",
                "-c",
                "-fPIC",
                "-O1",
                "-w",
                "-fno-builtin",
                f"-I{HERE}",
                *flags,
                str(HERE / source),
                "-o",
                str(made),
            ],
            check=True,
        )
        known = set(re.findall(r" T (\S+)", output("nm", str(made))))
        objects.append(str(made))
    names = set().union(*names_by_version.values()) - known
    rest = folder / (target.name + ".rest.c")
    rest.write_text("".join(f"long {name}(void) {{ return 0; }}\n" for name in sorted(names)))
    script = folder / (target.name + ".map")
    versions = [(version, wanted_names) for version, wanted_names in names_by_version.items() if version]
    script.write_text(
        "\n".join(
            f"{version} {{ global: {' '.join(f'{name};' for name in sorted(names))} }};" for version, names in versions
        )
    )
    command = [
        "gcc",
        "-shared",
        "-fPIC",
        "-w",
        "-O1",
        "-fno-builtin",
        f"-Wl,-soname,{target.name}",
        "-o",
        str(target),
        str(rest),
        *objects,
    ]
    subprocess.run([*command, *([f"-Wl,--version-script={script}"] if versions else [])], check=True)
    for path in (rest, script, *map(pathlib.Path, objects)):
        path.unlink()


def make_shells(site: Any, include: Any) -> Any:
    """Puts the shells into torch/lib; returns their names."""
    missing, undefined = wanted(site)
    # names without a version may be asked of any library
    by_library = {library: {"": undefined[""]} for library in missing}
    for version, names in undefined.items():
        if version and not version.startswith(SYSTEM):
            library = owner_of(version, missing)
            if library is None:
                raise SystemExit(f"shells: nothing that is missing has the symbols of {version}")
            by_library[library][version] = names
    cuda = re.search(r"cuda\b.*'(\d+)\.", (site / "torch" / "version.py").read_text())[1]
    flags = [f"-I{include}", f"-DCUDNN_RELEASE={cudnn_version(site)}", f"-DCUDA_MAJOR={cuda}"]
    # first, so that what an interrupted run leaves is made anew
    (site / "torch" / "lib" / LIST).write_text("\n".join(missing) + "\n")
    for library, names in by_library.items():
        source = SOURCES.get(re.split(r"[-.]", library)[0])
        target = site / "torch" / "lib" / library
        target.unlink(missing_ok=True)
        compile_library(target, source, names, flags)
    return missing


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    print("\n".join(make_shells(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))))

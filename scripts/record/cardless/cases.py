"""Makes cases of the corpus from recorded programs: the expected output beside each, and its entry in the folder's manifest."""

from __future__ import annotations

import ast
import json
import sys
from typing import TYPE_CHECKING

from names import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def purpose_of(program: Any) -> Any:
    """What a program says of itself in its first line, a docstring or a comment."""
    text = program.read_text()
    said = ast.get_docstring(ast.parse(text)) or (text.splitlines() or [""])[0].removeprefix("#")
    return said.strip().split("\n")[0].rstrip(".") if text[:1] in "#\"'" else ""


def write_case(program: Any, lines: Sequence[str], release: Any) -> Any:
    """One case: `NAME.released.torch-X.Y.expected`, and what conformance.mjs reads of it."""
    expected = program.with_name(f"{program.stem}.released.torch-{release}.expected")
    expected.write_text("".join(f"{line}\n" for line in lines))
    file = program.with_name("manifest.json")
    manifest = json.loads(file.read_text()) if file.exists() else {"format": 1, "cases": []}
    known = {case["id"]: case for case in manifest["cases"]}
    case = known.setdefault(program.stem, {"id": program.stem, "purpose": purpose_of(program), "runs": []})
    run = {"variant": "released", "options": ["--released-build"], "torch": release, "expected": expected.name}
    case["runs"] = [other for other in case["runs"] if other["expected"] != expected.name] + [run]
    manifest["cases"] = [known[name] for name in sorted(known)]
    file.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
    return expected


def write_cases(recorded: Any, programs: Any) -> int:
    """Writes those that ended, names those that did not; the exit status."""
    release = ".".join(recorded["torch"].split(".")[:2])
    bad = [program for program in programs if not purpose_of(program)]
    for program in bad:
        print(f"{program.name}: its first line says in a comment or docstring what the case shows", file=sys.stderr)
    for program in programs:
        problem = recorded["unrecorded"].get(name_of(program))
        if problem is not None:
            print(f"{program.name}: {problem}", file=sys.stderr)
            bad.append(program)
        elif program not in bad:
            print(f"wrote {write_case(program, recorded['programs'][name_of(program)], release).name}")
    return 1 if bad else 0

"""What a program is called in a record."""

import pathlib

CORPUS = pathlib.Path(__file__).resolve().parents[3] / "test" / "conformance"


def name_of(program):
    """`subject/program` in the corpus, which has a folder for each subject; elsewhere a program is called as its file."""
    named = program.relative_to(CORPUS) if CORPUS in program.parents else pathlib.Path(program.name)
    return str(named.with_suffix(""))

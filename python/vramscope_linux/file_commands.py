"""Commands of a shell that only handle files: they act on the files that the program sees."""

import glob
import os
import shutil


def _parted(words):
    return [word for word in words if word.startswith("-")], [word for word in words if not word.startswith("-")]


def _each(act):
    """A command that does the same to each of its paths; the status says whether one failed."""

    def run(words):
        flags, paths = _parted(words)
        status = 0
        for path in paths:
            for one in glob.glob(path) or [path]:
                try:
                    act("".join(flags), one)
                except OSError:
                    status = 1
        return status, ""

    return run


def _make(flags, path):
    os.makedirs(path, exist_ok=True) if "p" in flags else os.mkdir(path)


def _remove(flags, path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path) if "r" in flags.lower() else os.rmdir(path)
    elif os.path.lexists(path) or "f" not in flags:
        os.remove(path)


def _touch(flags, path):
    with open(path, "a"):
        pass


def _carried(move):
    def run(words):
        *sources, target = _parted(words)[1] or [""]
        try:
            for source in sources:
                move(source, target)
        except OSError:
            return 1, ""
        return (0 if sources else 1), ""

    return run


def _copy(source, target):
    if os.path.isdir(source):
        inside = os.path.join(target, os.path.basename(source)) if os.path.isdir(target) else target
        shutil.copytree(source, inside, dirs_exist_ok=True)
    else:
        shutil.copy(source, target)


def _fetch(words):
    """What an address leads to, by its ending, under the name that is asked for; None where nobody can tell what it would be."""
    from vramscope_data import downloads

    name, urls = None, [word for word in words if "://" in word]
    for flag in ("-O", "-o", "--output-document", "--output"):
        if flag in words[:-1] and "://" not in words[words.index(flag) + 1]:
            name = words[words.index(flag) + 1]
    fetched = urls and all(downloads.keep(url, name or os.path.basename(url.partition("?")[0])) for url in urls)
    return (0, "") if fetched else None


COMMANDS = {
    "mkdir": _each(_make), "rm": _each(_remove), "rmdir": _each(lambda flags, path: os.rmdir(path)), "touch": _each(_touch),
    "cp": _carried(_copy), "mv": _carried(shutil.move), "wget": _fetch, "curl": _fetch,
}  # fmt: skip

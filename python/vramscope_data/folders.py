"""Folders that are not there: one that a program lists holds some images, where the program reads images, else files of the kind it reads."""

from __future__ import annotations

import fnmatch
import glob
import os
import pathlib
import re
import sys

from . import contents, filtering, handlers, models, readers, required

# a class and a number, which together are a whole number, too: programs read classes and numbers out of names; and what a second file
# of that name is called that lies beside it
_NAME = re.compile(r"(?:[a-z]+_)?\d_\d{5}(?:_\w+)?\.")
_SPLITS = ("train", "train", "validation", "test")  # programs choose the files of one by its name
_FILES = 1024  # no fewer than a batch has
_FEW, _SOUNDS = 8, 256
_CLASSES = 10
_READERS = ("PIL", "cv2", "torchvision", "imageio", "skimage")
_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz")
_OWN = ("/lib/", "/proc/", "/dev/", "/site-packages/", "/tmp/", "/python-path/")
_LIBRARIES = ("/lib/", "<frozen ", "<vramscope")
_listdir, _glob, _walk, _rename, _replace, _mkdir = os.listdir, glob.glob, os.walk, os.rename, os.replace, os.mkdir
_of_path = {name: getattr(pathlib.Path, name) for name in ("glob", "rglob", "iterdir")}
_folders = {}  # each with the ending of what it holds
_made = set()  # those that are placeholders themselves
_classes = set()  # those that hold a folder for each class
_written = set()  # those that the program makes, or would have
_held = set()  # those that are there for a placeholder in them alone
_answered = set()  # names of files that a pattern asked for by a stem of its own, such as the mask of an image


def begin() -> None:
    _folders.clear()
    _made.clear()
    _classes.clear()
    _written.clear()
    _answered.clear()
    _held.clear()

    def mkdir(path, *rest, **options):
        _written.add(_full(path))
        return _mkdir(path, *rest, **options)

    def listdir(path="."):
        try:
            found = _listdir(path)
            if _is_held(path):
                return found + [name for name in _names(path, None) or () if name not in found]
            if not all(map(_is_hidden, found)) and not _is_said(path) or not _waits(path):
                return found
            return _names(path, None) or found
        except FileNotFoundError:
            names = None if handlers.expects_absence() else _names(path, None)
            if names is None:
                raise
            return names

    def glob_(pathname, **options):
        found = _glob(pathname, **options)
        if not isinstance(pathname, str):
            return found
        folder, last = os.path.split(pathname)
        ending = os.path.splitext(last)[1]
        folder = folder.removesuffix("/**")
        if found and not _is_said(folder) and not _is_held(folder):
            return found
        if not found and not glob.has_magic(pathname) and required.by_lister():
            import vramscope_data

            return [pathname] if vramscope_data.supply(pathname) else found
        if not glob.has_magic(last) or glob.has_magic(folder):
            return found
        if os.path.exists(folder) and not _waits(folder) and (found or not models.is_filled(folder)):
            return found
        names = _names(folder, None if ending in ("", ".*") else ending)
        return found if names is None else [os.path.join(folder, name) for name in _matching(last, names)]

    def walk(top, *rest, **options):
        if not os.path.isdir(top):
            names = None if handlers.expects_absence() else _names(top, None)
        else:
            # one that waits for data in the project, or was made because the program ends without it
            names = _names(top, None) if _waits(top) else None
        if names is None:
            yield from _walk(top, *rest, **options)
        elif all("." in name for name in names):
            yield top, [], names
        else:
            yield from _walk(top, *rest, **options)

    os.listdir, glob.glob, os.walk, os.mkdir = listdir, glob_, walk, mkdir
    for name, plain in _of_path.items():
        setattr(pathlib.Path, name, _listing(plain))
    os.rename, os.replace = _moved(_rename), _moved(_replace)


def _listing(plain):
    """A method of pathlib.Path; a folder that is not there holds images."""

    def method(self, *patterns, **options):
        is_whole = os.path.isdir(self) and not _waits(self)
        if handlers.expects_absence() or is_whole and not models.is_filled(self):
            return plain(self, *patterns, **options)
        # one with a model's files as the hub has them may be read for those of another layout
        found = [*plain(self, *patterns, **options)] if is_whole else []
        if found:
            return iter(found)
        ending = os.path.splitext(str(patterns[0]))[1] if patterns else ""
        names = _names(self, ending if ending and not glob.has_magic(ending) else None)
        if names is None:
            return plain(self, *patterns, **options)
        return iter([self / name for name in _matching(os.path.basename(str(patterns[0])) if patterns else "*", names)])

    return method


def _is_said(path):
    """Whether it was said what a folder holds."""
    return isinstance(path, (str, os.PathLike)) and os.fspath(path).rstrip("/") in _folders


def hold(path: str) -> None:
    """A placeholder is put into a folder that is not there: who lists it later is told of more than that one."""
    _held.add(path.rstrip("/"))
    _made.add(path.rstrip("/"))


def _is_held(path):
    return isinstance(path, (str, os.PathLike)) and _full(path) in _held


def _full(path):
    """A folder as the sets above name it."""
    return os.path.join(os.getcwd(), os.fspath(path)).rstrip("/")


def _waits(path):
    """Whether a folder waits for data: a placeholder, or one of the project in which nothing lies and that the program did not make."""
    made = _full(path)
    if made in _made:
        return True
    try:
        found = _listdir(path)
    except OSError:
        return False
    ours = _is_said(path)
    if made in _written and not ours and not _is_of_archive(made) or made.startswith(_OWN):
        return False
    return all(_is_hidden(name) or ours and (_NAME.match(name) or name in _answered) for name in found)


def is_placeholder(path: str) -> bool:
    """Whether a folder is there only because the program ends without it."""
    return _full(path) in _made


def awaits_archive(path: str) -> bool:
    """Whether nothing lies in a folder that the program made for what an archive of its name would have held."""
    full = _full(path)
    return full in _written and _is_of_archive(full) and _waits(path)


def _is_of_archive(folder):
    """Whether an archive of the folder's name lies beside it: the program made the folder for what it would have unpacked."""
    return any(os.path.isfile(folder + ending) for ending in _ARCHIVES)


def _is_hidden(name):
    """Whether a file says nothing of what its folder is for: it keeps the folder, or tells people what to put there."""
    return name.startswith((".", "README")) and name != contents.MARK


def _matching(pattern, names):
    """The names that a pattern takes; where it asks for a beginning of its own, names that begin so."""
    found = fnmatch.filter(names, pattern)
    stem, ending = os.path.splitext(pattern)
    if found or glob.has_magic(stem.replace("*", "")) or "**" in stem:
        return found or names
    ending = os.path.splitext(names[0])[1] if glob.has_magic(ending) else ending
    found = [stem.replace("*", os.path.splitext(name)[0]) + ending for name in (names if "*" in stem else names[:1])]
    _answered.update(found)
    return found


def make(path: str) -> bool:
    """A placeholder for a folder, which holds images where the program reads images; whether there is one now."""
    full = os.path.join(os.getcwd(), path)
    try:
        os.makedirs(full)
    except OSError:
        return False
    _written.discard(full.rstrip("/"))
    _made.add(full.rstrip("/"))
    from torch._stand_ins import note

    note("folder_made", "file", path)
    return True


def lists(path: str) -> bool:
    """Whether a file is one of those that a folder was taken to hold."""
    folder, name = os.path.split(path)
    return folder in _folders and (_NAME.match(name) is not None or name in _answered)


def unpacked(path: str) -> bool:
    """Takes a folder to be there that an archive may have held which was not fetched."""
    if "." in os.path.basename(path):
        return False
    above = os.path.dirname(_full(path))
    while len(above) > 1:
        if contents.MARK in (_listdir(above) if os.path.isdir(above) else ()):
            return make(os.fspath(path))
        above = os.path.dirname(above)
    return False


def _names(folder, ending):
    """Names of files in a folder that is not there; None where nobody can tell of which kind. `ending`: what a pattern asks for."""
    folder = os.fspath(folder).rstrip("/") or "/"
    full = os.path.join(os.getcwd(), folder)
    if (
        ending is None
        and folder not in _folders
        and _reads_images()
        and not full.startswith(_OWN)
        and readers.goes_below()
    ):
        return _class_folders(folder, full)
    ending = ending or _folders.get(folder) or filtering.ending() or (".jpg" if _reads_images() else readers.ending())
    if full.startswith(_OWN) or not (_reads_images() if ending in contents.IMAGES else contents.has_kind(ending or "")):
        return None
    if folder in _folders and ending not in (*contents.IMAGES, _folders[folder]) and os.path.isdir(full):
        return None  # it was said what it holds
    few = _SOUNDS if ending in contents.SOUNDS else _FEW
    count = 1 if ending in contents.CHECKPOINTS else _FILES if ending in contents.IMAGES or _describes(ending) else few
    if os.path.dirname(folder) in _classes:
        _folders[folder] = ending
        count = max(1, count // _CLASSES)
    if folder not in _folders:
        _folders[folder] = ending
        from torch._stand_ins import note

        height, width = contents.PHOTOGRAPH
        what = f"images of {width} x {height}" if ending in contents.IMAGES else f"files *{ending}"
        note("placeholder_folder", "file", folder, what=f"{count} {what}")
    names = [f"{i % 10}_{i:05d}{ending}" for i in range(count)]
    if ending in (*contents.IMAGES, *contents.CHECKPOINTS) or _describes(ending):
        return names
    return [f"{_SPLITS[i % len(_SPLITS)]}_{name}" for i, name in enumerate(names)]


def _describes(ending):
    """Whether texts lie beside pictures of the same names."""
    return ending in (".txt", ".caption", ".json") and _reads_images()


def _class_folders(folder, full):
    """Folders named by numbers, as many programs take a class out of the name."""
    names = [str(i) for i in range(_CLASSES)]
    if folder not in _classes:
        _classes.add(folder)
        from torch._stand_ins import note

        height, width = contents.PHOTOGRAPH
        each = max(1, _FILES // _CLASSES)
        note("placeholder_folder", "file", folder, what=f"{_CLASSES} folders of {each} images of {width} x {height}")
        for name in names:
            _made.add(os.path.join(full, name))
            os.makedirs(os.path.join(full, name), exist_ok=True)
    return names


def _reads_images():
    """Whether a module of the program that is running uses one of the packages that read images."""
    frame = sys._getframe(2)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_LIBRARIES) and any(map(_is_of_reader, frame.f_globals.values())):
            return True
        frame = frame.f_back
    return False


def _is_of_reader(value):
    name = getattr(value, "__name__" if isinstance(value, type(sys)) else "__module__", None)
    return isinstance(name, str) and name.partition(".")[0] in _READERS


def _moved(plain):
    """Renames; a file that is not there, out of an archive that was not fetched, becomes one by its new name."""

    def move(source, destination, **options):
        try:
            return plain(source, destination, **options)
        except FileNotFoundError:
            import vramscope_data

            if handlers.expects_absence() or not vramscope_data.supply(os.fspath(destination)):
                raise

    return move

"""Folders that are not there: one that a program lists holds some images, where the program reads images at all."""

import glob
import os
import pathlib
import sys

from . import contents, handlers

_FILES = 256
_FEW = 8
_READERS = ("PIL", "cv2", "torchvision", "imageio", "skimage")
_OWN = ("/lib/", "/proc/", "/dev/", "/site-packages/", "/tmp/", "/python-path/")
_LIBRARIES = ("/lib/", "<frozen ", "<vramscope")
_listdir, _glob, _walk, _rename, _replace = os.listdir, glob.glob, os.walk, os.rename, os.replace
_of_path = {name: getattr(pathlib.Path, name) for name in ("glob", "rglob", "iterdir")}
_folders = set()
_made = set()  # those that are placeholders themselves


def begin():
    _folders.clear()
    _made.clear()

    def listdir(path="."):
        try:
            found = _listdir(path)
            if found or os.path.join(os.getcwd(), os.fspath(path)) not in _made:
                return found
            return _names(path, ".jpg") or found
        except FileNotFoundError:
            names = None if handlers.expects_absence() else _names(path, ".jpg")
            if names is None:
                raise
            return names

    def glob_(pathname, **options):
        found = _glob(pathname, **options)
        if found or not isinstance(pathname, str):
            return found
        folder, last = os.path.split(pathname)
        ending = os.path.splitext(last)[1]
        folder = folder.removesuffix("/**")
        if not glob.has_magic(last) or glob.has_magic(folder) or os.path.exists(folder):
            return found
        names = _names(folder, ".jpg" if ending in ("", ".*") else ending)
        return found if names is None else [os.path.join(folder, name) for name in names]

    def walk(top, *rest, **options):
        yield from _walk(top, *rest, **options)
        if not os.path.isdir(top):
            names = None if handlers.expects_absence() else _names(top, ".jpg")
            if names is not None:
                yield top, [], names

    os.listdir, glob.glob, os.walk = listdir, glob_, walk
    for name, plain in _of_path.items():
        setattr(pathlib.Path, name, _listing(plain))
    os.rename, os.replace = _moved(_rename), _moved(_replace)


def _listing(plain):
    """A method of pathlib.Path; a folder that is not there holds images."""

    def method(self, *patterns, **options):
        if os.path.isdir(self) and os.path.join(os.getcwd(), str(self)) not in _made or handlers.expects_absence():
            return plain(self, *patterns, **options)
        ending = os.path.splitext(str(patterns[0]))[1] if patterns else ""
        names = _names(self, ending if ending and not glob.has_magic(ending) else ".jpg")
        return plain(self, *patterns, **options) if names is None else iter([self / name for name in names])

    return method


def make(path):
    """A placeholder for a folder, which holds images where the program reads images; whether there is one now."""
    full = os.path.join(os.getcwd(), path)
    try:
        os.makedirs(full)
    except OSError:
        return False
    _made.add(full.rstrip("/"))
    from torch._stand_ins import note

    note("folder_made", "file", path)
    return True


def lists(path):
    """Whether a file is one of those that a folder was taken to hold."""
    return os.path.dirname(path) in _folders and os.path.basename(path)[:5].isdigit()


def unpacked(path):
    """Takes a folder to be there that an archive may have held which was not fetched."""
    if "." in os.path.basename(path):
        return False
    above = os.path.dirname(os.path.join(os.getcwd(), os.fspath(path)).rstrip("/"))
    while len(above) > 1:
        if contents.MARK in (_listdir(above) if os.path.isdir(above) else ()):
            return make(os.fspath(path))
        above = os.path.dirname(above)
    return False


def _names(folder, ending):
    """Names of images in a folder that is not there; None where the program reads none."""
    folder = os.fspath(folder).rstrip("/") or "/"
    full = os.path.join(os.getcwd(), folder)
    if full.startswith(_OWN) or not (_reads_images() if ending in contents.IMAGES else contents.has_kind(ending)):
        return None
    count = 1 if ending in contents.CHECKPOINTS else _FILES if ending in contents.IMAGES else _FEW
    if folder not in _folders:
        _folders.add(folder)
        from torch._stand_ins import note

        height, width = contents.PHOTOGRAPH
        what = f"images of {width} x {height}" if ending in contents.IMAGES else f"files *{ending}"
        note("placeholder_folder", "file", folder, what=f"{count} {what}")
    return [f"{i:05d}{ending}" for i in range(count)]


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

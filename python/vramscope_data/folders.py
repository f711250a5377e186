"""Folders that are not there: one that a program lists holds some images, where the program reads images at all."""

import glob
import os
import sys

from . import contents, handlers

_FILES = 256
_READERS = ("PIL", "cv2", "torchvision", "imageio", "skimage")
_OWN = ("/lib/", "/proc/", "/dev/", "/site-packages/", "/tmp/", "/python-path/")
_LIBRARIES = ("/lib/", "<frozen ", "<vramscope")
_listdir, _glob, _rename, _replace = os.listdir, glob.glob, os.rename, os.replace
_folders = set()


def begin():
    _folders.clear()

    def listdir(path="."):
        try:
            return _listdir(path)
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
        if not glob.has_magic(last) or glob.has_magic(folder) or os.path.exists(folder):
            return found
        names = _names(folder, ".jpg" if ending == ".*" else ending)
        return found if names is None else [os.path.join(folder, name) for name in names]

    os.listdir, glob.glob = listdir, glob_
    os.rename, os.replace = _moved(_rename), _moved(_replace)


def _names(folder, ending):
    """Names of images in a folder that is not there; None where the program reads none."""
    folder = os.fspath(folder)
    full = os.path.join(os.getcwd(), folder)
    if ending not in contents.IMAGES or full.startswith(_OWN) or not _reads_images():
        return None
    if folder not in _folders:
        _folders.add(folder)
        from torch._stand_ins import note

        height, width = contents.PHOTOGRAPH
        note("placeholder_folder", "file", folder, what=f"{_FILES} images of {width} x {height}")
    return [f"{i:05d}{ending}" for i in range(_FILES)]


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

"""blobfile for paths of this machine; a bucket's are not reached."""

import glob as _glob
import os
import shutil
from os import listdir, makedirs, remove, stat  # noqa: F401
from os.path import basename, dirname, exists, isdir, join  # noqa: F401
from shutil import rmtree  # noqa: F401


def BlobFile(path, mode="r", streaming=None, buffer_size=None, cache_dir=None, file_size=None, version=None):
    if "://" in path:
        raise OSError(f"{path}: a simulated program reaches no network")
    return open(path, mode)


def copy(src, dst, overwrite=False, **_):
    shutil.copyfile(src, dst)


def glob(pattern, parallel=False):
    return iter(_glob.glob(pattern))


def walk(top, topdown=True):
    return os.walk(top, topdown)

"""Data sets by their lengths, image sizes and numbers of classes. Nothing is downloaded: content is placeholders."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks, note
from torch.utils.data import Dataset

from .._image import picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_lacks = lacks("torchvision.datasets")


def __getattr__(name: str) -> Any:
    import importlib

    if name in ("folder", "utils"):
        return importlib.import_module(f"torchvision.datasets.{name}")
    named = importlib.import_module("torchvision.datasets._named") if not name.startswith("_") else None
    return getattr(named, name) if named is not None and hasattr(named, name) else _lacks(name)


class VisionDataset(Dataset):
    """Images of one size with classes in turn."""

    def __init__(
        self,
        root: str | os.PathLike | None = None,
        transforms: Callable | None = None,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
    ) -> None:
        self.root, self.transform, self.target_transform = root, transform, target_transform

    def _describe(self, length, shape, classes):
        note("placeholder_data", "library", "torchvision")
        self._length, self._shape = length, shape
        self.classes = [str(i) for i in range(classes)]
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}

    def _target(self, index):
        return index % len(self.classes)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Any:
        if not -self._length <= index < self._length:
            raise IndexError(index)
        image, target = picture(*self._shape), self._target(index)
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target

    def download(self) -> None:
        """What a download would bring is here already: lengths and shapes."""

    _check_integrity = lambda self: True


class FakeData(VisionDataset):
    def __init__(
        self,
        size: int = 1000,
        image_size: tuple[int, int, int] = (3, 224, 224),
        num_classes: int = 10,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        random_offset: int = 0,
    ) -> None:
        super().__init__(None, None, transform, target_transform)
        self._describe(size, image_size, num_classes)


def _pictures_of(path):
    """How many pictures of which size a file of MNIST's kind says it has; nothing where it does not lie there."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        head = file.read(16)
    if len(head) < 16:
        return None
    _, count, height, width = struct.unpack(">4i", head)
    return count, (1, height, width)


class MNIST(VisionDataset):
    """28 x 28, one channel, as many as its files say where they are there; `data` is uint8 [length, 28, 28], `targets` int64 [length]."""

    _lengths, _shape, _classes = (60_000, 10_000), (1, 28, 28), 10

    def __init__(
        self,
        root: str | os.PathLike,
        train: bool = True,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        download: bool = False,
    ) -> None:
        super().__init__(root, None, transform, target_transform)
        self.train = train
        pictures = ("train" if train else "t10k") + "-images-idx3-ubyte"
        found = _pictures_of(os.path.join(str(root), type(self).__name__, "raw", pictures))
        length, shape = found or (self._lengths[0 if train else 1], self._shape)
        self._describe(length, shape, self._classes)
        self.data = torch.empty((self._length, *self._shape[1:]), dtype=torch.uint8)
        self.targets = torch.arange(self._length) % self._classes

    # names of before torchvision 0.2.2
    train_data = test_data = property(lambda self: self.data)
    train_labels = test_labels = property(lambda self: self.targets)


class FashionMNIST(MNIST):
    pass


class KMNIST(MNIST):
    pass


class CIFAR10(VisionDataset):
    """32 x 32, three channels; `data` is a uint8 array [length, 32, 32, 3], `targets` a list."""

    _classes = 10
    # what classes of programs read that are derived from this one: names of files, without their sums
    base_folder, filename = "cifar-10-batches-py", "cifar-10-python.tar.gz"
    url, tgz_md5 = f"https://www.cs.toronto.edu/~kriz/{filename}", ""
    train_list = [[f"data_batch_{i}", ""] for i in range(1, 6)]
    test_list = [["test_batch", ""]]
    meta = {"filename": "batches.meta", "key": "label_names", "md5": ""}

    def __init__(
        self,
        root: str | os.PathLike,
        train: bool = True,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        download: bool = False,
    ) -> None:
        import numpy

        super().__init__(root, None, transform, target_transform)
        self.train = train
        self._describe(50_000 if train else 10_000, (3, 32, 32), self._classes)
        self.data = numpy.zeros((self._length, 32, 32, 3), dtype="uint8")
        self.targets = [i % self._classes for i in range(self._length)]

    def _check_integrity(self) -> bool:
        return True

    def download(self) -> None:
        """Nothing is fetched."""


class CIFAR100(CIFAR10):
    _classes = 100
    base_folder, filename = "cifar-100-python", "cifar-100-python.tar.gz"
    url = f"https://www.cs.toronto.edu/~kriz/{filename}"
    train_list, test_list = [["train", ""]], [["test", ""]]
    meta = {"filename": "meta", "key": "fine_label_names", "md5": ""}

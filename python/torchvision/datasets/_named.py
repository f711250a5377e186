"""Data sets by name: how many images of which size there are, in how many classes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from torch._stand_ins import note

from . import MNIST, VisionDataset, _sizes
from .._image import picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


IMAGE_ENDINGS = IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
# A photograph of ImageNet's usual size, and as many as its validation set has: where a folder is not there.
PHOTOGRAPH, MISSING_IMAGES, MISSING_CLASSES = (3, 375, 500), 50_000, 1000


def _size_of(path):
    from .._headers import image_size

    with open(path, "rb") as file:
        return image_size(file.read(1 << 16)) or PHOTOGRAPH


def pil_loader(path: str | os.PathLike) -> Any:
    return picture(3, *_size_of(path)[1:]) if os.path.exists(path) else picture(*_sizes.of_folder(path))


default_loader = pil_loader


class DatasetFolder(VisionDataset):
    """A folder for each class. Files give sizes by their headers; a folder that is not there is taken to be ImageNet's."""

    def __init__(self, root: str | os.PathLike, loader: Callable[[str], Any] = pil_loader, extensions: tuple[str, ...] | None = IMAGE_ENDINGS, transform: Callable | None = None, target_transform: Callable | None = None, is_valid_file: Callable[[str], bool] | None = None, allow_empty: bool = False) -> None:  # fmt: skip
        super().__init__(root, None, transform, target_transform)
        self.loader, self.root = loader, str(root)
        from vramscope_data import folders

        if os.path.isdir(self.root) and not folders.awaits_archive(self.root):
            self.classes, self.class_to_idx = self.find_classes(self.root)
            wanted = is_valid_file or (lambda path: path.lower().endswith(extensions or IMAGE_ENDINGS))
            self.samples = [
                (os.path.join(folder, name), self.class_to_idx[label])
                for label in self.classes
                for folder, _, names in sorted(os.walk(os.path.join(self.root, label)))
                for name in sorted(names)
                if wanted(os.path.join(folder, name))
            ]
            note("placeholder_data", "library", "torchvision.datasets.ImageFolder")
        else:
            note("rows_placeholder", "library", "torchvision.datasets.ImageFolder", name=self.root, rows=MISSING_IMAGES)
            side = _sizes.side_of(self.root)
            if side is not None:
                note("images_of_name", "name", self.root, side=side)
            self.classes = [f"n{i:08d}" for i in range(MISSING_CLASSES)]
            self.class_to_idx = {name: i for i, name in enumerate(self.classes)}
            self.samples = _Missing(self.root)
        self.targets = [target for _, target in self.samples]
        self.imgs, self.extensions = self.samples, extensions

    def find_classes(self, directory: str | os.PathLike) -> tuple[list[str], dict[str, int]]:
        names = sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
        if not names:
            raise FileNotFoundError(f"Couldn't find any class folder in {directory}.")
        return names, {name: i for i, name in enumerate(names)}

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        path, target = self.samples[index]
        sample = self.loader(path) if os.path.exists(path) else picture(*_sizes.of_folder(path))
        if self.transform is not None:
            sample = self.transform(sample)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return sample, target


class _Missing:
    """The samples of a folder that is not there."""

    def __init__(self, root: Any) -> None:
        self._root = root

    def __len__(self) -> int:
        return MISSING_IMAGES

    def __getitem__(self, index: Any) -> tuple:
        if not -MISSING_IMAGES <= index < MISSING_IMAGES:
            raise IndexError(index)
        return f"{self._root}/{index}.jpg", index % MISSING_CLASSES


class ImageFolder(DatasetFolder):
    def __init__(
        self,
        root: str | os.PathLike,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        loader: Callable[[str], Any] = pil_loader,
        is_valid_file: Callable[[str], bool] | None = None,
        allow_empty: bool = False,
    ) -> None:
        super().__init__(root, loader, IMAGE_ENDINGS, transform, target_transform, is_valid_file)


class _Counted(VisionDataset):
    """A data set whose splits have known lengths."""

    _lengths, _shape, _classes = {}, PHOTOGRAPH, 1000

    def __init__(
        self,
        root: Any = None,
        split: str = "train",
        transform: Any = None,
        target_transform: Any = None,
        download: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(root, None, transform, target_transform)
        split = split[0] if isinstance(split, list) else split
        self.split = split
        self._describe(self._lengths.get(split, next(iter(self._lengths.values()))), self._shape, self._classes)

    @property
    def targets(self) -> list:
        return [i % self._classes for i in range(self._length)]

    labels = targets


def _counted(name, shape, classes, **lengths):
    return type(
        name,
        (_Counted,),
        {"_lengths": lengths, "_shape": shape, "_classes": classes, "__module__": "torchvision.datasets"},
    )


ImageNet = _counted("ImageNet", PHOTOGRAPH, 1000, train=1_281_167, val=50_000)
STL10 = _counted("STL10", (3, 96, 96), 10, train=5_000, test=8_000, unlabeled=100_000)
SVHN = _counted("SVHN", (3, 32, 32), 10, train=73_257, test=26_032, extra=531_131)
Food101 = _counted("Food101", (3, 512, 512), 101, train=75_750, test=25_250)
Flowers102 = _counted("Flowers102", (3, 500, 667), 102, train=1_020, val=1_020, test=6_149)
OxfordIIITPet = _counted("OxfordIIITPet", PHOTOGRAPH, 37, trainval=3_680, test=3_669)
DTD = _counted("DTD", (3, 300, 300), 47, train=1_880, val=1_880, test=1_880)
GTSRB = _counted("GTSRB", (3, 48, 48), 43, train=26_640, test=12_630)
FGVCAircraft = _counted("FGVCAircraft", (3, 695, 1024), 100, trainval=6_667, train=3_334, val=3_333, test=3_333)
StanfordCars = _counted("StanfordCars", (3, 482, 700), 196, train=8_144, test=8_041)
PCAM = _counted("PCAM", (3, 96, 96), 2, train=262_144, val=32_768, test=32_768)
EuroSAT = _counted("EuroSAT", (3, 64, 64), 10, train=27_000)
Caltech101 = _counted("Caltech101", (3, 200, 300), 101, train=8_677)
Caltech256 = _counted("Caltech256", (3, 325, 371), 257, train=30_607)
Places365 = _counted("Places365", (3, 256, 256), 365, **{"train-standard": 1_803_460, "val": 36_500})
INaturalist = _counted("INaturalist", (3, 500, 500), 10_000, **{"2021_train": 2_686_843, "2021_valid": 100_000})
USPS = _counted("USPS", (1, 16, 16), 10, train=7_291, test=2_007)
LSUN = _counted("LSUN", (3, 256, 341), 10, train=1_315_802, val=300)


class CelebA(_Counted):
    """Faces of 178 x 218 with 40 attributes."""

    _lengths, _shape, _classes = {"train": 162_770, "valid": 19_867, "test": 19_962, "all": 202_599}, (3, 218, 178), 40

    def __init__(
        self,
        root: str | os.PathLike,
        split: str = "train",
        target_type: list[str] | str = "attr",
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        download: bool = False,
    ) -> None:
        super().__init__(root, split, transform, target_transform)
        self.target_type = target_type

    def _target(self, index):
        import torch

        return torch.zeros(40, dtype=torch.int64)


class EMNIST(MNIST):
    """Letters and digits; `split` says which."""

    _by = {"byclass": (697_932, 116_323, 62), "bymerge": (697_932, 116_323, 47), "balanced": (112_800, 18_800, 47), "letters": (124_800, 20_800, 27), "digits": (240_000, 40_000, 10), "mnist": (60_000, 10_000, 10)}  # fmt: skip

    def __init__(self, root: str | os.PathLike, split: str, **options: Any) -> None:
        train, test, self._classes = self._by[split]
        self._lengths = (train, test)
        super().__init__(root, **options)


class QMNIST(MNIST):
    """MNIST made anew."""

    def __init__(
        self, root: str | os.PathLike, what: str | None = None, compat: bool = True, train: bool = True, **options: Any
    ) -> None:
        options.pop("download", None)
        super().__init__(root, train=train if what is None else what == "train", **options)


class _Annotated(VisionDataset):
    """Photographs of one size with a target each."""

    def __init__(
        self,
        root: str | os.PathLike,
        length: int,
        transform: Callable | None,
        target_transform: Callable | None,
        transforms: Callable | None,
    ) -> None:
        super().__init__(root, None, transform, target_transform)
        self.transforms = transforms
        self._describe(length, self._photograph, self._classes)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        image, target = super().__getitem__(index)
        return (image, target) if self.transforms is None else self.transforms(image, target)


class CocoDetection(_Annotated):
    """Photographs with a list of annotations each, as pycocotools has them."""

    _photograph, _classes = (3, 480, 640), 91

    def __init__(
        self,
        root: str | os.PathLike,
        annFile: str,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        transforms: Callable | None = None,
    ) -> None:
        from pycocotools.coco import COCO

        self.coco = COCO(annFile)
        self.ids = sorted(self.coco.imgs)
        super().__init__(root, len(self.ids), transform, target_transform, transforms)

    def _load_target(self, id: int) -> list:
        return self.coco.loadAnns(self.coco.getAnnIds(id))

    def _target(self, index):
        return self._load_target(self.ids[index])


class CocoCaptions(CocoDetection):
    """Photographs with sentences."""

    def _load_target(self, id: int) -> list:
        return [annotation["caption"] for annotation in super()._load_target(id)]


class _Voc(_Annotated):
    """Photographs of Pascal VOC, by year and by what they are for."""

    _photograph, _classes = (3, 375, 500), 21

    def __init__(
        self,
        root: str | os.PathLike,
        year: str = "2012",
        image_set: str = "train",
        download: bool = False,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        transforms: Callable | None = None,
    ) -> None:
        super().__init__(root, self._lengths[f"{year}-{image_set}"], transform, target_transform, transforms)


class VOCDetection(_Voc):
    """With an annotation each, as its XML says it: texts."""

    _lengths = {"2012-train": 5_717, "2012-val": 5_823, "2012-trainval": 11_540, "2007-train": 2_501, "2007-val": 2_510, "2007-trainval": 5_011, "2007-test": 4_952}  # fmt: skip

    def _target(self, index):
        depth, height, width = map(str, self._photograph)
        box = {"xmin": "10", "ymin": "10", "xmax": "200", "ymax": "150"}
        found = {"name": "person", "pose": "Frontal", "truncated": "0", "difficult": "0", "bndbox": box}
        size = {"width": width, "height": height, "depth": depth}
        return {"annotation": {"filename": f"{index:06}.jpg", "size": size, "segmented": "0", "object": [found]}}


class VOCSegmentation(_Voc):
    """With an image of classes each."""

    _lengths = {"2012-train": 1_464, "2012-val": 1_449, "2012-trainval": 2_913, "2007-train": 209, "2007-val": 213, "2007-trainval": 422, "2007-test": 210}  # fmt: skip

    def _target(self, index):
        return picture(1, *self._photograph[1:])

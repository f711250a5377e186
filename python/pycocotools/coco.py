"""pycocotools.coco: annotations of a file that is there as it says them; of one that is not, COCO's numbers of images, one box in each."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Self


_TRAINING, _VALIDATION = 118_287, 5_000  # images of COCO 2017
_HEIGHT, _WIDTH = 480, 640
# of 90 numbers these were never used: 80 categories
_CATEGORIES = [i for i in range(1, 91) if i not in (12, 26, 29, 30, 45, 66, 68, 69, 71, 83)]


class _Made(Mapping):
    """A row for each number from 1, made when it is asked for."""

    def __init__(self, count: int, make: Callable) -> None:
        self._count, self._make = count, make

    def __getitem__(self, key: int) -> Any:
        if key not in self:
            raise KeyError(key)
        return self._make(key)

    def __contains__(self, key: object) -> bool:
        return 1 <= key <= self._count

    def __iter__(self) -> Iterator:
        return iter(range(1, self._count + 1))

    def __len__(self) -> int:
        return self._count


def _image(i):
    return {"id": i, "file_name": f"{i:012}.jpg", "height": _HEIGHT, "width": _WIDTH}


def _annotation(i):
    return {
        "id": i, "image_id": i, "category_id": _CATEGORIES[i % len(_CATEGORIES)], "bbox": [10.0, 10.0, 200.0, 150.0],
        "area": 30_000.0, "iscrowd": 0, "segmentation": [[10.0, 10.0, 210.0, 10.0, 210.0, 160.0, 10.0, 160.0]],
        "caption": "a photograph of something", "keypoints": [20, 20, 2] * 17, "num_keypoints": 17,
    }  # fmt: skip


class COCO:
    def __init__(self, annotation_file: str | os.PathLike | None = None) -> None:
        self.dataset, self.anns, self.cats, self.imgs, self.imgToAnns, self.catToImgs = {}, {}, {}, {}, {}, {}
        if annotation_file is None:
            return
        print("loading annotations into memory...\nDone (t=0.00s)")
        if os.path.exists(annotation_file):
            with open(annotation_file, encoding="utf-8") as file:
                self.dataset = json.load(file)
            self.createIndex()
            return
        count = _VALIDATION if "val" in os.path.basename(annotation_file) else _TRAINING
        note("placeholder_file", "file", f"{os.fspath(annotation_file)} ({count:,} images with a box each)")
        self.anns, self.imgs = _Made(count, _annotation), _Made(count, _image)
        self.imgToAnns = _Made(count, lambda i: [_annotation(i)])
        print("creating index...\nindex created!")
        self.cats = {i: {"id": i, "name": f"category {i}", "supercategory": "thing"} for i in _CATEGORIES}
        self.dataset = {"info": {}, "categories": list(self.cats.values())}

    def createIndex(self) -> None:
        """Finds what belongs together in `dataset`."""
        print("creating index...")
        self.anns, self.imgToAnns, self.catToImgs = {}, {}, {}
        self.imgs = {image["id"]: image for image in self.dataset.get("images", ())}
        self.cats = {category["id"]: category for category in self.dataset.get("categories", ())}
        for annotation in self.dataset.get("annotations", ()):
            self.anns[annotation["id"]] = annotation
            self.imgToAnns.setdefault(annotation["image_id"], []).append(annotation)
            if "category_id" in annotation:
                self.catToImgs.setdefault(annotation["category_id"], []).append(annotation["image_id"])
        print("index created!")

    def getAnnIds(self, imgIds: Any = (), catIds: Any = (), areaRng: Any = (), iscrowd: bool | None = None) -> list:
        imgs, cats = _many(imgIds), set(_many(catIds))
        found = itertools.chain.from_iterable(self.imgToAnns.get(i, ()) for i in imgs) if imgs else self.anns.values()
        return [
            a["id"]
            for a in found
            if (not cats or a.get("category_id") in cats)
            and (len(areaRng) == 0 or areaRng[0] < a["area"] < areaRng[1])
            and (iscrowd is None or a["iscrowd"] == iscrowd)
        ]

    def getCatIds(self, catNms: Any = (), supNms: Any = (), catIds: Any = ()) -> list:
        names, above, ids = _many(catNms), _many(supNms), _many(catIds)
        return [
            c["id"]
            for c in self.cats.values()
            if (not names or c["name"] in names)
            and (not above or c["supercategory"] in above)
            and (not ids or c["id"] in ids)
        ]

    def getImgIds(self, imgIds: Any = (), catIds: Any = ()) -> list:
        ids, cats = set(_many(imgIds)), set(_many(catIds))
        found = set(self.imgs) if not ids else ids
        if cats:
            found &= {a["image_id"] for a in self.anns.values() if a.get("category_id") in cats}
        return list(found)

    def loadAnns(self, ids: Any = ()) -> list:
        return [self.anns[i] for i in _many(ids)]

    def loadCats(self, ids: Any = ()) -> list:
        return [self.cats[i] for i in _many(ids)]

    def loadImgs(self, ids: Any = ()) -> list:
        return [self.imgs[i] for i in _many(ids)]

    def loadRes(self, resFile: Any) -> Self:
        """Detections as annotations; they count for nothing here."""
        made = type(self)()
        made.imgs, made.cats, made.dataset = self.imgs, self.cats, dict(self.dataset, annotations=[])
        return made

    def annToRLE(self, ann: dict) -> dict:
        image = self.imgs[ann["image_id"]]
        return {"size": [image["height"], image["width"]], "counts": b""}

    def annToMask(self, ann: dict) -> Any:
        from . import mask

        return mask.decode(self.annToRLE(ann))

    def info(self) -> None:
        for name, value in self.dataset.get("info", {}).items():
            print(f"{name}: {value}")

    def showAnns(self, *_: Any, **__: Any) -> None:
        """Nothing is drawn."""


def _many(ids: Any) -> Iterable:
    """One id, or several, as a list."""
    return list(ids) if hasattr(ids, "__iter__") and not isinstance(ids, (str, bytes)) else [ids]

/** Data sets of detection and segmentation that are not there: annotations as pycocotools and torchvision hand them over. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

it("has annotations of COCO and Pascal VOC, reads those that are there, and measures nothing", async () => {
  const result = await vramscope.run({
    script: "p.py",
    source: `
import copy, json
import numpy as np
import torch
from pycocotools import mask
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from torchvision.datasets import CocoDetection, VOCDetection, VOCSegmentation
from torchvision.transforms import ToTensor

photographs = CocoDetection("coco/val2017", "coco/annotations/instances_val2017.json", ToTensor(), lambda boxes: len(boxes))
image, target = photographs[3]
print(len(photographs), len(photographs.ids), tuple(image.shape), target, len(photographs.coco.cats))
both = CocoDetection("coco", "train.json", transforms=lambda image, target: (image.size, sorted(target[0])[:3]))
print(len(both), both[0])

json.dump({
    "images": [{"id": 7, "height": 20, "width": 30}, {"id": 9, "height": 20, "width": 30}],
    "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}, {"id": 4, "name": "cup", "supercategory": "kitchen"}],
    "annotations": [
        {"id": 1, "image_id": 7, "category_id": 4, "bbox": [0, 0, 3, 4], "area": 12, "iscrowd": 0},
        {"id": 2, "image_id": 9, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 81, "iscrowd": 1},
        {"id": 3, "image_id": 9, "category_id": 4, "bbox": [0, 0, 9, 9], "area": 81, "iscrowd": 0},
    ],
}, open("own.json", "w"))
own = COCO("own.json")
print(own.getAnnIds(9), own.getAnnIds(catIds=[4]), own.getAnnIds(areaRng=[50, 100], iscrowd=False), own.getCatIds(supNms=["kitchen"]))
print(own.getImgIds(catIds=[1]), own.loadCats(4)[0]["name"], [row["id"] for row in own.loadAnns([1, 3])], own.annToMask(own.anns[1]).shape)

measured = COCOeval(copy.deepcopy(own), own.loadRes([]), "bbox")
measured.params.imgIds = list(np.unique([9, 7]))
measured.evaluate(); measured.accumulate(); measured.summarize()
print(measured.params.maxDets, len(measured.stats), measured.stats.sum(), measured.evaluateImg(7, 1, [0, 1e10], 100))
print(mask.decode(mask.frPyObjects([[0, 0, 5, 0, 5, 5]], 20, 30)).shape, mask.encode(np.zeros((4, 5), dtype="uint8"))["size"])

train, classes = VOCDetection("voc", "2007", "trainval"), VOCSegmentation("voc", image_set="val")
print(len(train), train[0][1]["annotation"]["object"][0]["bndbox"]["xmax"], len(classes), classes[0][1].size)
`,
  });
  // lengths are those of COCO 2017 and of Pascal VOC; what is found in own.json is what pycocotools 2.0.11 finds there
  expect([
    result.errorText,
    result.stdout
      .trim()
      .split("\n")
      .filter((line) => !/^(loading|Done|creating|index)/.test(line)),
  ]).toEqual([
    null,
    [
      "5000 5000 (3, 480, 640) 1 80",
      "118287 ((640, 480), ['area', 'bbox', 'caption'])",
      "[2, 3] [1, 3] [3] [4]",
      "[9] cup [1, 3] (20, 30)",
      "[1, 10, 100] 12 0.0 None",
      "(20, 30, 1) [4, 5]",
      "5011 200 1449 (500, 375)",
    ],
  ]);
  const codes = new Set(result.trace.assumptions.map(({ code }) => code));
  expect([codes.has("placeholder_file"), codes.has("absent_measures")]).toEqual([true, true]);
});

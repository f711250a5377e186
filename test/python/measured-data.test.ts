/** Boxes, tables of numbers and pictures of digits that are not there: what a program takes them apart into tells what they are. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

async function printed(source: string): Promise<readonly string[]> {
  const result = await run({ script: "p.py", source });
  expect(result.errorText).toBeNull();
  return result.stdout.trim().split("\n");
}

describe("data of detectors", () => {
  it("are boxes of a class that the program knows, where it reads Pascal VOC's annotations", async () => {
    const lines = await printed(`
import xml.etree.ElementTree as ET
from PIL import Image
CLASSES = ("aeroplane", "bicycle", "dog")
def boxes(name):
    found = []
    for thing in ET.parse(f"VOC2007/Annotations/{name}.xml").getroot().iter("object"):
        if int(thing.find("difficult").text) == 1: continue
        box = thing.find("bndbox")
        found.append([int(box.find(side).text) for side in ("xmin", "ymin", "xmax", "ymax")] + [CLASSES.index(thing.find("name").text)])
    return found
width, height = Image.open("VOC2007/JPEGImages/000001.jpg").size
print(all(0 <= x < X <= width and 0 <= y < Y <= height for x, y, X, Y, _ in boxes("000001")), boxes("000001")[0][4])
`);
    expect(lines).toEqual(["True 0"]);
  });

  it("are pictures of a list with a text of boxes beside each, as darknet has them", async () => {
    const lines = await printed(`
import os
import numpy as np
from PIL import Image
with open("data/train.txt") as file:
    pictures = file.readlines()
labels = [os.path.splitext(name.replace("images", "labels"))[0] + ".txt" for name in pictures]
try:
    picture = Image.open(pictures[3].rstrip())
    boxes = np.loadtxt(labels[3]).reshape(-1, 5)
except Exception as error:
    print("lost", error)
print(len(pictures), picture.size, boxes.shape, os.path.isfile(labels[4]), os.path.isfile("labels/other.txt"))
`);
    expect(lines).toEqual(["1000 (500, 375) (1, 5) True False"]);
  });

  it("are packed as their names say", async () => {
    const lines = await printed(`
import numpy as np
tables = [np.loadtxt("data/diabetes.csv" + ending, delimiter=",", dtype=np.float32) for ending in ("", ".gz", ".bz2", ".xz")]
print({table.shape for table in tables})
`);
    expect(lines).toEqual(["{(1000, 16)}"]);
  });

  it("are names and boxes in JSON where pictures are opened by its items", async () => {
    const lines = await printed(`
import json, torch
from PIL import Image
with open("TRAIN_images.json") as j:
    images = json.load(j)
with open("TRAIN_objects.json") as j:
    objects = json.load(j)
first = objects[7]
print(Image.open(images[7]).mode, torch.FloatTensor(first["boxes"]).shape, torch.LongTensor(first["labels"]).shape)
`);
    expect(lines).toEqual(["RGB torch.Size([1, 4]) torch.Size([1])"]);
  });
});

describe("captions", () => {
  it("are lists of numbers beside pictures in an HDF5 file, whose counts are 1", async () => {
    const lines = await printed(`
import h5py, json, torch
h = h5py.File("data/TRAIN_IMAGES.hdf5", "r")
imgs, cpi = h["images"], h.attrs["captions_per_image"]
with open("data/TRAIN_CAPTIONS.json") as j:
    captions = json.load(j)
with open("data/TRAIN_CAPLENS.json") as j:
    caplens = json.load(j)
i = 5
picture = torch.FloatTensor(imgs[i // cpi] / 255.)
print(tuple(picture.shape), len(captions), torch.LongTensor(captions[i]).shape[0] == torch.LongTensor([caplens[i]]).item())
`);
    expect(lines).toEqual(["(3, 256, 256) 1000 True"]);
  });
});

describe("numbers", () => {
  it("fill the table of a program that takes all of it for a matrix, hours its column of times", async () => {
    const lines = await printed(`
import pandas as pd
table = pd.read_csv("stocks.csv")
inputs = table.loc[:, [name for name in table.columns.tolist() if name != "NDX"]].to_numpy()
days = pd.read_csv("stocks.csv")[["date"]]
print(inputs.shape[0], inputs.ndim, float(table.NDX.to_numpy().max()), str(days.date.iloc[25]))
`);
    expect(lines).toEqual(["1000 2 9.0 2016-01-02 01:00:00"]);
  });

  it("have the axes that the program takes columns of", async () => {
    expect(
      await printed(`
import numpy as np
data = np.load("power/data.npy")
print(np.delete(data, 3, axis=1).shape, data[:, 1].shape)
`),
    ).toEqual(["(1000, 15) (1000,)"]);
  });

  it("of a picture of digits are one for each pixel; flows and plain pixels have their formats", async () => {
    const lines = await printed(`
import numpy as np
from PIL import Image
digit = Image.open("mnist/images/3/12.png")
print(digit.mode, digit.size, Image.open("chairs/1_img1.ppm").size)
def flow(path):
    with open(path, "rb") as file:
        magic = np.fromfile(file, np.float32, count=1)
        width, height = np.fromfile(file, np.int32, count=2)
        return magic[0] == 202021.25, int(width), int(height)
print(*flow("chairs/1_flow.flo"))
import glob, os
first = os.path.basename(sorted(glob.glob("flying/*_flow.flo"))[0])
print(os.path.isfile("flying/" + first[:-9] + "_img1.ppm"), os.path.isfile("flying/other_img1.ppm"))
print(Image.open("ADE/annotations/training/1.png").mode, Image.open("ADE/images/training/1.png").mode)
`);
    expect(lines).toEqual(["L (28, 28) (500, 375)", "True 500 375", "True False", "L RGB"]);
  });

  it("are where the cameras of a scene stand, as NeRF's data set lists them", async () => {
    expect(
      await printed(`
import json, numpy as np
with open("lego/transforms_train.json") as fp:
    metas = {"train": json.load(fp)}
meta = metas["train"]
print(np.array([frame["transform_matrix"] for frame in meta["frames"][::2]]).shape, meta["frames"][0]["file_path"], 0 < meta["camera_angle_x"] < 1)
`),
    ).toEqual(["(10, 4, 4) ./train/r_0 True"]);
  });

  it("that nobody knows divide like 1 in arrays, too, and compare as 0", async () => {
    expect(
      await printed(`
import numpy as np, torch
lost = torch.rand(1, 3, device="cuda").cpu().numpy()[0]
places = torch.topk(torch.rand(40, device="cuda"), 3)[1].cpu().numpy()
print(bool(lost[:1] + 1.0 > -float("inf")), (96 // places).tolist(), np.ndarray((2, 3), dtype=np.int32).shape)
`),
    ).toEqual(["True [96, 96, 96] (2, 3)"]);
  });
});

describe("answers that nobody knows", () => {
  it("are those with which a program that checks its data goes on", async () => {
    const lines = await printed(`
import torch
x = torch.rand(3, 4, device="cuda")
if x.min() < 0 or x.max() > 1: raise ValueError("range")
assert not (x > 5).all()
if not (x.sum() > 3): raise ValueError("sum")
print("on")
`);
    expect(lines).toEqual(["on"]);
  });
});

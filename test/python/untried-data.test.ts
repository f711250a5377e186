/** Data and files of programs that nobody had tried: arrays, downloads, pictures, folders, and cells that show an error. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

async function lines(source: string, script = "p.py"): Promise<{ readonly lines: string[]; readonly told: string[] }> {
  const result = await run({ script, source });
  expect(result.errorText).toBeNull();
  return { lines: result.stdout.trim().split("\n"), told: result.trace.assumptions.map(({ code }) => code) };
}

describe("arrays of a file that is not there", () => {
  it("are those of the published file, or have the axes of their names", async () => {
    const found = await lines(`
import numpy as np
views = np.load("cache/tiny_nerf_data.npz")
height, width = views["images"].shape[1:3]
print(height, width, views["poses"].shape, float(views["focal"]))
other = np.load("scene.npz")
print(other["imgs"].shape[1:], other["train_poses"].shape[1:], other["labels"].shape)
digits = np.load("mnist.npz")
print(digits["x_train"].shape, sorted(digits.files))
`);
    expect(found.lines).toEqual([
      "100 100 (106, 4, 4) 0.0",
      "(64, 64, 3) (4, 4) (1000,)",
      "(60000, 28, 28) ['x_test', 'x_train', 'y_test', 'y_train']",
    ]);
  });
});

describe("what an address without an ending holds", () => {
  it("is told by the file that it is streamed into", async () => {
    const found = await lines(`
import requests, torch
with requests.get("https://host.example/f/607503859c/?dl=1", stream=True) as r:
    with open("vgg.pth", "wb") as f:
        for data in r.iter_content(chunk_size=1024):
            f.write(data)
model = torch.nn.Linear(3, 4)
print(model.load_state_dict(torch.load("vgg.pth"), strict=False))
try:
    requests.get("https://host.example/api")
except requests.exceptions.ConnectionError as error:
    print("reaches no network" in str(error))
`);
    expect(found.lines).toEqual(["<All keys matched successfully>", "True"]);
    expect(found.told).toContain("placeholder_download");
  });
});

describe("pictures", () => {
  it("that were saved are read again in their size", async () => {
    const found = await lines(`
import io
import matplotlib.pyplot as plt
import torch
from PIL import Image
from torchvision.utils import save_image
save_image(torch.zeros(64, 1, 28, 28), "digits.png")
print(Image.open("digits.png").size)
Image.new("L", (7, 5)).save("gray.png")
print(Image.open("gray.png").size, Image.open("gray.png").mode)
buffer = io.BytesIO()
plt.savefig(buffer, format="png")
buffer.seek(0)
print(Image.open(buffer).size)
`);
    expect(found.lines).toEqual(["(242, 242)", "(7, 5) L", "(640, 480)"]);
  });

  it("have the ending by which a listing chooses them, and those beside them that a program insists on", async () => {
    const found = await lines(`
import os
from PIL import Image
root = "DRIVE/training"
names = [i for i in os.listdir(os.path.join(root, "images")) if i.endswith(".tif")]
for name in names[:2]:
    mask = os.path.join(root, "mask", name.split("_")[0] + "_mask.gif")
    if os.path.exists(mask) is False:
        raise FileNotFoundError(mask)
print(len(names) > 0, Image.open(os.path.join(root, "images", names[0])).size, Image.open(mask).size)
`);
    expect(found.lines).toEqual(["True (500, 375) (500, 375)"]);
  });

  it("lie in a folder that was made for an archive of its name", async () => {
    const found = await lines(`
import os, requests, zipfile
from torchvision.datasets import ImageFolder
os.mkdir("rps")
open("rps.zip", "wb").write(requests.get("https://host.example/data/rps.zip").content)
with zipfile.ZipFile("rps.zip") as archive:
    archive.extractall("")
print(len(ImageFolder("rps")) > 0)
os.mkdir("empty")
try:
    ImageFolder("empty")
except FileNotFoundError:
    print("empty")
`);
    expect(found.lines).toEqual(["True", "empty"]);
  });

  it("of NeRF's synthetic scenes have their size", async () => {
    const found = await lines(`
from PIL import Image
import imageio.v2 as imageio
picture = Image.open("lego/train/r_0.png")
print(picture.size, picture.mode, imageio.imread("lego/val/r_3.png").shape)
`);
    expect(found.lines).toEqual(["(800, 800) RGBA (800, 800, 4)"]);
  });
});

describe("a text that a program ends without", () => {
  it("is there, whatever the handler says before it ends", async () => {
    const found = await lines(`
try:
    text = open("data/english.txt").read()
except:
    print("error: file not found")
    quit()
print(len(text))
try:
    open("other.txt").read()
except FileNotFoundError:
    print("none")
`);
    expect(found.lines).toEqual(["1000000", "none"]);
  });

  it("only may fit where it is a table of nobody knows how many rows that lies on the GPU at once", async () => {
    const source = `
import pandas as pd, torch
values = torch.tensor(pd.read_csv("data/train.csv").values, dtype=torch.float32)
for _ in range(2):
    batch = values[:600].cuda()
`;
    const verdictOf = async (more: string, before = source): Promise<string> => {
      const result = await vramscope.run({ script: "p.py", source: before + more });
      return vramscope.textReport(vramscope.reportFacts(result), result.trace, {
        locale: "en",
        detail: "summary",
        painter: vramscope.plainPainter(200),
        sourceOf: () => [],
      });
    };
    expect(await verdictOf("")).toContain("  fits ");
    const whole = await verdictOf("whole = values.cuda()\n");
    expect(whole).toMatch(/ {2}may fit .*how many rows data\/train.csv has was guessed/);
    // other files of which nobody knows how much they hold
    const other = `
import numpy as np, torch
whole = torch.as_tensor(np.load("data/x.npy")).cuda()
`;
    expect(await verdictOf("", other)).toMatch(/ {2}may fit .*how many rows data\/x.npy has was guessed/);
    // rows that do not parse leave a training loop with nothing to do
    const untrained = `
import torch
model = torch.nn.Linear(4, 4).cuda()
optimizer = torch.optim.Adam(model.parameters())
for line in open("data/train.txt"):
    if len(line.split("|")) == 99:
        model(torch.ones(1, 4).cuda()).sum().backward()
        optimizer.step()
`;
    expect(await verdictOf("", untrained)).toMatch(/ {2}may fit .*made an optimizer that never stepped/);
    expect(await verdictOf("optimizer.step()\n", untrained)).toContain("  fits ");
    // of several tensors the one with the widest rows says how many fit
    const both = await verdictOf("labels = values[:, 0].cuda()\ndel labels\nwhole = values.cuda()\n");
    const most = (text: string): string | undefined => /no more than ([\d,]+) rows fit/.exec(text)?.[1];
    expect(most(both)).toMatch(/^[\d,]+$/);
    expect(most(both)).toBe(most(whole));
  });

  it("is a table of digits by its name", async () => {
    const found = await lines(`
import numpy as np
import pandas as pd
table = pd.read_csv("FashionMNIST/fashion-mnist_test.csv")
print(table.shape, np.loadtxt("mnist_test.csv", delimiter=",", skiprows=1).shape, len(pd.read_csv("digit-recognizer/test.csv").columns))
print(sum(1 for _ in open("data/mnist_train.csv")))
image = table.iloc[:, 1:].values.astype(np.uint8)[3].reshape(28, 28, 1)
print(image.shape, table.iloc[:, 0].values.max())
import torch
from torchvision import transforms
steps = transforms.Compose([transforms.ToPILImage(), transforms.Resize(28), transforms.ToTensor()])
print(tuple(steps(image).shape), tuple(steps(torch.zeros(3, 28, 40)).shape), tuple(steps(np.zeros((28, 56), np.uint8)).shape))
import os, struct
from torchvision.datasets import MNIST
os.makedirs("few/MNIST/raw")
with open("few/MNIST/raw/t10k-images-idx3-ubyte", "wb") as file:
    file.write(struct.pack(">4i", 0x803, 5, 28, 28) + bytes(5 * 28 * 28))
few = MNIST("few", train=False)
print(len(few), tuple(few.data.shape), len(MNIST("few")))
`);
    expect(found.lines).toEqual([
      "(10000, 785) (10000, 785) 784",
      "60001",
      "(28, 28, 1) 9",
      "(1, 28, 28) (3, 28, 40) (1, 28, 56)",
      "5 (5, 28, 28) 60000",
    ]);
  });
});

describe("a notebook", () => {
  const cell = (source: string, ...outputs: object[]) => ({ cell_type: "code", source, outputs, metadata: {} });
  const shown = (ename: string) => ({ output_type: "error", ename, evalue: "", traceback: [] });
  const notebook = (...cells: object[]) => JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });

  it("goes on behind a cell that shows the error it ends in", async () => {
    const source = notebook(
      cell("x = 1\nraise ValueError('as saved')", shown("ValueError")),
      cell("print('behind', x)"),
    );
    const found = await lines(source, "n.ipynb");
    expect(found.lines).toEqual(["behind 1"]);
    expect(found.told).toContain("cell_fails_as_saved");
  });

  it("ends at a cell that shows another, and where memory runs out", async () => {
    const other = await run({
      script: "n.ipynb",
      source: notebook(cell("1 / 0", shown("ValueError")), cell("print(2)")),
    });
    expect(other.errorText).toContain("ZeroDivisionError");
    const full = cell("import torch\ntorch.empty(1 << 40, device='cuda')", shown("OutOfMemoryError"));
    expect((await run({ script: "n.ipynb", source: notebook(full, cell("print(2)")) })).status).toBe("out_of_memory");
  });

  it("is not on Colab where it can go on elsewhere, and takes help for no Python", async () => {
    const source = notebook(
      cell("try:\n    import google.colab\n    print('colab')\nexcept ModuleNotFoundError:\n    print('elsewhere')"),
      cell("from google.colab import drive\ndrive.mount('/content/drive')\nprint('mounted')"),
      cell("?print # how it is called"),
      cell("pip install -q transformers\nls data/\nget_ipython().run_line_magic('time', 'x')"),
      cell("display([1], 'a')"),
    );
    expect((await lines(source, "n.ipynb")).lines).toEqual(["elsewhere", "mounted", "[1]", "'a'"]);
  });
});

/** Packages and parts of PyTorch that programs which nobody had tried use: accelerate's short form, albumentations, gym, collators and more. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { reportFacts, run } = vramscope;

async function lines(source: string): Promise<string[]> {
  const result = await run({ script: "p.py", source });
  expect(result.errorText).toBeNull();
  return result.stdout.trim().split("\n");
}

describe("the short form of accelerate", () => {
  it("sets trackers up, keeps states and leaves batches out", async () => {
    const found = await lines(`
import torch
from accelerate import Accelerator, DistributedDataParallelKwargs, PartialState, init_empty_weights
from accelerate.logging import get_logger
from accelerate.utils import DistributedType, ProjectConfiguration, find_executable_batch_size, gather_object
accelerator = Accelerator(
    log_with="tensorboard", project_config=ProjectConfiguration(project_dir="out", logging_dir="out/logs"),
    kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)],
)
accelerator.init_trackers(project_name="run", config={"lr": 1})
get_logger(__name__).info("begins", main_process_only=False)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters())
data = torch.utils.data.DataLoader(torch.arange(40.).reshape(10, 4), batch_size=2)
model, optimizer, data = accelerator.prepare(model, optimizer, data)
for batch in data:
    accelerator.backward(model(batch).sum()); optimizer.step(); optimizer.zero_grad()
    accelerator.log({"loss": 1.0}, step=0)
print(accelerator.trackers[0].name, accelerator.state.distributed_type == DistributedType.NO, accelerator.project_dir)
accelerator.save_state("out/state"); accelerator.load_state("out/state")
print(len(accelerator.skip_first_batches(data, 3)), sorted(accelerator.get_state_dict(model)), PartialState().is_main_process)
with accelerator.split_between_processes([1, 2]) as part: print(part, gather_object(part))
with init_empty_weights(): print(torch.nn.Linear(3, 3).weight.device)
@find_executable_batch_size(starting_batch_size=10)
def train(size):
    if size > 8: raise torch.OutOfMemoryError("CUDA out of memory.")
    return size
print(train())
accelerator.end_training()
`);
    expect(found).toEqual(["tensorboard True out", "2 ['bias', 'weight'] True", "[1, 2] [1, 2]", "meta", "8"]);
  });
});

describe("albumentations", () => {
  it("gives pictures the sizes and types that its steps say", async () => {
    const found = await lines(`
import albumentations as A
import numpy as np
from albumentations.pytorch import ToTensorV2
steps = A.Compose(
    [A.SmallestMaxSize(max_size=300), A.RandomCrop(256, 200), A.HorizontalFlip(p=0.5), A.OneOf([A.Blur(), A.CLAHE()]), A.Normalize(), ToTensorV2()],
    bbox_params=A.BboxParams(format="coco", label_fields=[]),
)
made = steps(image=np.zeros((375, 500, 3), np.uint8), mask=np.zeros((375, 500), np.uint8), bboxes=[[1, 2, 3, 4]])
print(tuple(made["image"].shape), made["image"].dtype, tuple(made["mask"].shape), made["mask"].dtype, made["bboxes"])
print(A.PadIfNeeded(512, 400)(image=np.zeros((375, 500, 3), np.uint8))["image"].shape, A.Resize(height=8, width=9)(image=np.zeros((4, 4), np.float32))["image"].shape)
try: A.Invented
except AttributeError as error: print(error)
`);
    expect(found).toEqual([
      "(3, 256, 200) torch.float32 (256, 200) torch.uint8 [[1, 2, 3, 4]]",
      "(512, 500, 3) (8, 9)",
      "vramscope's stand-in for albumentations does not have 'Invented'",
    ]);
  });
});

describe("smaller parts", () => {
  it("of gym, torchtext, torchsearchsorted and PyTorch answer as programs ask", async () => {
    const found = await lines(`
import gym, torch
gym.logger.set_level(gym.logger.ERROR)
env = gym.make("Pendulum-v0"); env.reset()
print(env.render(mode="rgb_array").shape)
import torchsearchsorted
a = torch.tensor([[0., 1., 2.], [0., 2., 4.]]); v = torch.tensor([[0.5, 1.0], [1.0, 5.0]])
print(torchsearchsorted.searchsorted(a, v, side="right").shape, torchsearchsorted.searchsorted(a.cuda(), v.cuda()).dtype)
from torch.utils.model_zoo import tqdm
from multiprocessing.shared_memory import SharedMemory
class Cell(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__(); self.fc = torch.nn.Linear(2, 2)
    @torch.jit.script_method
    def forward(self, x): return self.fc(x)
print(tuple(Cell().to("cuda")(torch.zeros(3, 2, device="cuda")).shape))
from torch._inductor.lowering import register_lowering
print(register_lowering(torch.ops.aten.tanh)(len) is len)
from torchtext.legacy import data
field = data.Field()
rows = data.Dataset([data.Example.fromlist([text], [("text", field)]) for text in ("a b", "c", "d e f")], [("text", field)])
field.build_vocab(rows)
class Mine(data.Iterator):
    def create_batches(self): self.batches = [self.random_shuffler(list(self.data()))]
print(len(next(iter(Mine(rows, 3, sort_key=len, train=True)))))
`);
    expect(found).toEqual(["(400, 600, 3)", "torch.Size([2, 2]) torch.int64", "(3, 2)", "True", "3"]);
  });

  it("of transformers put rows of ids and labels together", async () => {
    const found = await lines(`
from transformers import AutoTokenizer, DataCollatorForSeq2Seq, DataCollatorForTokenClassification, default_data_collator
tokenizer = AutoTokenizer.from_pretrained("t5-small")
rows = [{"input_ids": [5, 6, 7], "attention_mask": [1, 1, 1], "labels": [1, 2]}, {"input_ids": [5], "attention_mask": [1], "labels": [1]}]
made = DataCollatorForSeq2Seq(tokenizer)(rows)
print(made["input_ids"].shape, made["labels"].tolist())
print(DataCollatorForSeq2Seq(tokenizer, pad_to_multiple_of=4)(rows)["labels"].tolist())
print(default_data_collator([{"input_ids": [1, 2], "label": 1}, {"input_ids": [3, 4], "label": 0}])["labels"].tolist())
`);
    // by the library's DataCollatorForSeq2Seq and default_data_collator
    expect(found).toEqual([
      "torch.Size([2, 3]) [[1, 2], [1, -100]]",
      "[[1, 2, -100, -100], [1, -100, -100, -100]]",
      "[1, 0]",
    ]);
  });
});

describe("lists whose places a left loop fills", () => {
  it("hold something in each place behind it, forwards and backwards", async () => {
    const found = await lines(`
import torch
cell = torch.nn.Linear(8, 8).cuda()
opt = torch.optim.SGD(cell.parameters(), 0.1)
T = 60
for epoch in range(200):
    states, back = [torch.empty(0)] * T, [torch.empty(0)] * T
    states[0] = torch.zeros(2, 8, device="cuda")
    for t in range(T - 1):
        states[t + 1] = cell(states[t])
    with torch.no_grad():
        for t in reversed(range(T)):
            back[t] = cell(states[t])
    print(tuple(torch.stack(states).shape), tuple(torch.stack(back).shape))
    torch.stack(states).sum().backward(); opt.step(); opt.zero_grad()
values = [0] * 50_000
for i in range(50_000):
    values[i] = (cell(torch.zeros(2, 8, device="cuda")) > 0).sum()
`);
    expect(new Set(found)).toEqual(new Set(["(60, 2, 8) (60, 2, 8)"]));
  });
});

describe("loops that are left again", () => {
  it("fill their lists each time, and go on until names are bound that the program takes behind them", async () => {
    const found = await lines(`
import random
import torch
model = torch.nn.Linear(64, 64).cuda()
opt = torch.optim.Adam(model.parameters())
kept, lengths, ran = [], set(), set()
def train(batches, every):
    total = 0
    for i, batch in enumerate(batches):
        kept.append(torch.empty(random.randrange(1 << 18), device="cuda")); del kept[:-1]
        loss = model(batch.cuda()).sum(); loss.backward(); opt.step(); opt.zero_grad()
        total += loss.item()
        if (i + 1) % every == 0:
            average = total / every
    return average
def epochs():
    # what is bound behind the loop before it is taken there is no reason to go on
    for epoch in range(400):
        ran.add(epoch)
        for i in range(100):
            loss = model(torch.zeros(32, 64, device="cuda")).sum(); loss.backward(); opt.step(); opt.zero_grad()
        if epoch < 0:
            picture = epoch
    picture = len(ran)
    return picture
for epoch in range(10):
    losses = []
    for s in range(300):
        kept.append(torch.empty(random.randrange(1 << 18), device="cuda")); del kept[:-1]
        loss = model(torch.zeros(32, 64, device="cuda")).sum(); loss.backward(); opt.step(); opt.zero_grad()
        losses.append(loss.item())
    lengths.add(len(losses))
    train((torch.zeros(32, 64) for _ in range(170)), 150)
print(lengths, epochs() < 30)
`);
    expect(found).toEqual(["{300} True"]);
  });
});

describe("a folder of a model that is not here", () => {
  it("is taken for the published model that it is named after, with a slash behind it, too", async () => {
    const found = await lines(`
import os
from transformers import AutoConfig, AutoTokenizer
place = os.path.expanduser("~/huggingface/Qwen3-0.6B/")
print(AutoConfig.from_pretrained(place).hidden_size, len(AutoTokenizer.from_pretrained(place)("a b").input_ids) > 0)
`);
    // the published config.json
    expect(found).toEqual(["1024 True"]);
  });
});

describe("huggingface_hub where it is not installed", () => {
  it("has what is known of a repository, places for the rest, and sends nothing", async () => {
    const found = await lines(`
import json, os
import torch
from huggingface_hub import HfApi, PyTorchModelHubMixin, Repository, create_repo, get_full_repo_name, hf_hub_download, notebook_login, snapshot_download
from huggingface_hub.utils import EntryNotFoundError
notebook_login()
print(json.load(open(hf_hub_download("gpt2", "config.json")))["n_embd"], os.path.isfile(os.path.join(snapshot_download("gpt2", allow_patterns="*.json"), "config.json")))
try: hf_hub_download("gpt2", "no.bin")
except EntryNotFoundError as error: print(error)
try: hf_hub_download("somebody/unheard-of", "config.json")
except EntryNotFoundError as error: print(error)
model = torch.nn.Linear(3, 4)
print(model.load_state_dict(torch.load(hf_hub_download("somebody/unheard-of", filename="weights.pt"))))
print(get_full_repo_name("mine"), create_repo("mine").repo_id, HfApi().whoami()["name"])
Repository("out", clone_from="user/mine").push_to_hub(commit_message="done")
class Net(torch.nn.Module, PyTorchModelHubMixin, repo_url="x"):
    def __init__(self, width=4):
        super().__init__(); self.fc = torch.nn.Linear(width, width)
net = Net.from_pretrained("somebody/net", width=8)
net.save_pretrained("out"); net.push_to_hub("somebody/net")
print(net.fc.in_features, net.training, os.listdir("out"))
`);
    expect(found).toEqual([
      "768 True",
      "vramscope: gpt2 has no file no.bin here",
      "vramscope: nothing is fetched from the hub, and nothing is known of somebody/unheard-of: 'vramscope models add somebody/unheard-of' fetches its configuration, and no weights",
      "<All keys matched successfully>",
      "user/mine user/mine user",
      "8 False ['pytorch_model.bin']",
    ]);
  });
});

describe("words and their labels", () => {
  it("are as many in each row, and a tokenizer says which word an id is of", async () => {
    const found = await lines(`
from datasets import load_dataset, load_metric
from transformers import AutoTokenizer
rows = load_dataset("conll2003")["train"]
sizes = [len(rows[i]["tokens"]) for i in range(300)]
print(round(sum(sizes) / len(sizes)), all(len(rows[i]["ner_tags"]) == sizes[i] for i in range(300)), len(set(sizes)) > 3)
tokenizer = AutoTokenizer.from_pretrained("bert-base-cased")
made = tokenizer([["EU", "rejects", "calls"], ["a"]], is_split_into_words=True, padding=True)
words = made.word_ids(0)
print(words[0], words[-1], [words.index(i) > 0 for i in range(3)], len(made.tokens(1)) == len(made["input_ids"][1]), made.word_ids(1)[-1])
try: load_metric("glue")
except ImportError as error: print(error)
`);
    expect(found).toEqual([
      "14 True True",
      "None None [True, True, True] True None",
      "vramscope's stand-in for datasets does not have 'load_metric'",
    ]);
  });
});

describe("networkx, sparse matrices and interpolations", () => {
  it("are as the packages have them", async () => {
    const found = await lines(`
import networkx as nx, numpy as np, scipy.sparse as sp
from omegaconf import OmegaConf
m = sp.lil_matrix((4, 3)); m[0, 1] = 2; m[[1, 2], :] = np.ones((2, 3)); m[3] = sp.csr_matrix(np.array([[0, 5, 0]]))
m[[0, 1], :] = m[[1, 0], :]; m[[0, 1], [2, 2]] = 7
sp.save_npz("m.npz", m.tocsr())
print(sp.load_npz("m.npz").toarray().tolist(), [m.tocsr()[i].nonzero()[1].tolist() for i in range(4)])
g = nx.from_dict_of_lists({0: [1, 2], 1: [0], 2: [0, 2], 3: []})
print(nx.adjacency_matrix(g).toarray().tolist(), dict(g.degree()), list(g.edges), nx.is_connected(g))
OmegaConf.register_new_resolver("f", lambda a, b: f"{a}|{b}|{type(b).__name__}")
c = OmegaConf.create("{lr: 5e-7, x: n, l: [a, b], r: '\${f:\${x},\${l}}', p: {n: 3}, q: '\${p.\${x}}', t: 'a_\${x}_\${q}b'}")
OmegaConf.resolve(c)
print(OmegaConf.to_container(c))
`);
    // what networkx 3.6, SciPy and OmegaConf 2.3 print
    expect(found).toEqual([
      "[[1.0, 1.0, 7.0], [0.0, 2.0, 7.0], [1.0, 1.0, 1.0], [0.0, 5.0, 0.0]] [[0, 1, 2], [1, 2], [0, 1, 2], [1]]",
      "[[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]] {0: 2, 1: 1, 2: 3, 3: 0} [(0, 1), (0, 2), (2, 2)] False",
      "{'lr': 5e-07, 'x': 'n', 'l': ['a', 'b'], 'r': \"n|['a', 'b']|ListConfig\", 'p': {'n': 3}, 'q': 3, 't': 'a_n_3b'}",
    ]);
  });
});

describe("what programs nobody had tried read and write", () => {
  it("writes maps of any size, reads CIFAR's pickles and takes columns as rows", async () => {
    const found = await lines(`
import numpy as np, os, pickle
from networkx.readwrite import json_graph
from sklearn.metrics import roc_auc_score
from tensorboardX import SummaryWriter
import tensorflow as tf
a = np.memmap("a.bin", dtype=np.uint16, mode="w+", shape=(10,))
a[2:5] = [7, 8, 9]
a.flush()
print(np.memmap("a.bin", dtype=np.uint16, mode="r")[1:6].tolist(), os.path.getsize("a.bin"))
b = np.memmap("b.bin", dtype=np.uint16, mode="w+", shape=(900_000_000,))
b[5:10] = 3
b.flush()
print(len(np.memmap("b.bin", dtype=np.uint16, mode="r")))
for encoding in ("latin1", "bytes"):
    part = pickle.load(open("cifar-10-batches-py/data_batch_1", "rb"), encoding=encoding)
    print(list(part), [np.shape(value) for value in part.values()])
SummaryWriter("logs/x")
print(os.path.isdir("logs/x"), roc_auc_score(np.array([[0], [1]]), np.array([[0.1], [0.2]])), tf.function(len)("abc"))
graph = json_graph.node_link_graph({"nodes": [{"id": 4}, {"id": 5}], "links": [{"source": 4, "target": 5}]})
print(sorted(graph), json_graph.node_link_data(graph)["links"])
`);
    expect(found).toEqual([
      "[0, 7, 8, 9, 0] 20",
      "900000000",
      "['data', 'labels'] [(10000, 3072), (10000,)]",
      "[b'data', b'labels'] [(10000, 3072), (10000,)]",
      "True 1.0 3",
      "[4, 5] [{'source': 4, 'target': 5}]",
    ]);
  });

  // bytes: transformers 4.44's class on PyTorch 2.14
  it("has transformers' former AdamW, former places of its parts, and names of labels", async () => {
    const found = await lines(`
import torch
from transformers import AdamW
from transformers.modeling_bert import BertModel
from transformers.models.llama.configuration_llama import LlamaConfig
model = torch.nn.Sequential(torch.nn.Linear(1000, 3000), torch.nn.ReLU(), torch.nn.Linear(3000, 700)).cuda()
optimizer = AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
for _ in range(2):
    model(torch.randn(64, 1000, device="cuda")).square().mean().backward()
    optimizer.step()
    print(torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    optimizer.zero_grad()
config = LlamaConfig(num_labels=3)
print(BertModel.__name__, config.id2label[2], config.label2id["LABEL_1"])
config.id2label = {0: "no", 1: "yes"}
print(config.num_labels)
`);
    expect(found).toEqual([
      "101033984 109440512 130023424",
      "101022208 113617408 130023424",
      "BertModel LABEL_2 1",
      "2",
    ]);
  });

  it("names the program's own option where everything stayed on the CPU", async () => {
    const source = `
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
parser.add_argument("--accel", action="store_true")
parser.add_argument("--device", default="cpu")
torch.zeros(8, device="cuda" if parser.parse_args().accel else "cpu")
`;
    const result = await run({ script: "p.py", source });
    expect(result.trace.assumptions.find(({ code }) => code === "unused_gpu")?.args["option"]).toBe("--accel");

    // a program that counts the GPUs and goes is told how to have more; what no tensor was made by says nothing of a GPU
    for (const [text, told] of [
      ["import torch\nif torch.cuda.device_count() < 2: print('needs two')", [{ gpus: 1 }]],
      ["print(sum(range(10)))", []],
    ] as const) {
      const made = await run({ script: "p.py", source: text });
      expect(reportFacts(made).verdict).toBe("unused");
      expect(made.trace.assumptions.map(({ args }) => args)).toEqual(told);
    }
  });
});

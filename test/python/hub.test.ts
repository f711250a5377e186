/** Hub ids without a network: what is placed in the hub's cache before huggingface_hub looks, and what is said about it. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const { plainPainter, reportFacts, run, textReport } = vramscope;

/** The parts of huggingface_hub that look into its cache, in its layout. */
const HUB = {
  "site/huggingface_hub/__init__.py":
    "from .file_download import hf_hub_download\nfrom ._snapshot_download import snapshot_download\n",
  "site/huggingface_hub/constants.py": "import os\nHF_HUB_CACHE = os.environ.get('HF_HUB_CACHE', '/tmp/hub')\n",
  "site/huggingface_hub/errors.py":
    "class EntryNotFoundError(Exception): pass\nclass LocalEntryNotFoundError(EntryNotFoundError): pass\nclass OfflineModeIsEnabled(Exception): pass\n",
  "site/huggingface_hub/utils/__init__.py": "from ..errors import EntryNotFoundError\nfrom ._http import get_session\n",
  "site/huggingface_hub/utils/_http.py": "def get_session(): return 'a session'\n",
  "site/huggingface_hub/file_download.py": `
import os
from . import constants
from .errors import LocalEntryNotFoundError
def folder(repo_id, revision):
    storage = os.path.join(constants.HF_HUB_CACHE, "models--" + repo_id.replace("/", "--"))
    name = os.path.join(storage, "refs", revision or "main")
    if not os.path.exists(name):
        raise LocalEntryNotFoundError("not in the cache")
    return os.path.join(storage, "snapshots", open(name).read())
def hf_hub_download(repo_id, filename, *, repo_type=None, revision=None, local_files_only=False, force_download=False):
    assert local_files_only and not force_download
    path = os.path.join(folder(repo_id, revision), filename)
    if not os.path.exists(path):
        raise LocalEntryNotFoundError("not in the cache")
    return path
`,
  "site/huggingface_hub/_snapshot_download.py": `
from .file_download import folder
def snapshot_download(repo_id, *, repo_type=None, revision=None, allow_patterns=None, ignore_patterns=None, local_files_only=False, force_download=False):
    return folder(repo_id, revision)
`,
  // the least of transformers that says what a type is called
  "site/transformers/__init__.py": "class GPT2LMHeadModel:\n    class config_class: model_type = 'gpt2'\n",
};

/** Releases before 0.19 have one name for their cache. */
const OLD_NAME = {
  "site/huggingface_hub/constants.py": HUB["site/huggingface_hub/constants.py"].replace("HF_", "HUGGINGFACE_"),
  "site/huggingface_hub/file_download.py": HUB["site/huggingface_hub/file_download.py"].replace("HF_", "HUGGINGFACE_"),
};

async function ran(source: string, more: Record<string, string> = {}, hubCache?: string) {
  const root = folderWith({ ...HUB, ...more });
  const result = await run({
    script: "p.py",
    source,
    sitePackages: [`${root}/site`],
    ...(hubCache === undefined ? {} : { hubCache: `${root}/${hubCache}` }),
  });
  const lines = { locale: "en", detail: "lines", painter: plainPainter(300), sourceOf: () => undefined } as const;
  const report = textReport(reportFacts(result), result.trace, lines).replaceAll(/\s+/g, " ");
  return { ...result, report, printed: result.stdout.trim().split("\n") };
}

describe("a hub id", () => {
  it("is answered from the bundled configurations, and the report says so", async () => {
    const { printed, report, errorText } = await ran(`
import json
from huggingface_hub import hf_hub_download, snapshot_download
config = json.load(open(hf_hub_download("openai-community/gpt2", "config.json")))
print(config["architectures"], config["model_type"], config.get("n_embd") or config.get("hidden_size"))
print(json.load(open(hf_hub_download("gpt2", "config.json"))) == config)
print(hf_hub_download("somebody/gpt2", "config.json", force_download=True)[-12:])
`);
    expect(errorText).toBeNull();
    expect(printed).toEqual(["['GPT2LMHeadModel'] gpt2 768", "True", "/config.json"]);
    expect(report).toContain("gpt2: nothing was fetched; its configuration is the bundled one, as published");
    expect(report).toContain("somebody/gpt2: nothing was fetched; the bundled configuration of openai-community/gpt2");
  });

  it("that names a format of weights, or the words of a known id, has that model's configuration", async () => {
    const { printed, report } = await ran(
      `
import json
from huggingface_hub import hf_hub_download
for name in ("unsloth/llama-3-8b-Instruct-bnb-4bit", "somebody/Llama-3-8B", "somebody/Qwen2.5-7B-Instruct-AWQ"):
    config = json.load(open(hf_hub_download(name, "config.json")))
    print(config["hidden_size"], config["num_hidden_layers"], config.get("quantization_config", {}).get("quant_method"))
`,
      { "site/transformers/__init__.py": "", ...OLD_NAME },
    );
    // as published with Llama 3 8B and Qwen2.5 7B
    expect(printed).toEqual(["4096 32 bitsandbytes", "4096 32 None", "3584 28 awq"]);
    expect(report).toContain(
      "unsloth/llama-3-8b-Instruct-bnb-4bit: its name says how its weights lie, which was taken",
    );
    expect(report).toContain("somebody/Llama-3-8B: nothing was fetched; the bundled configuration of");
  });

  it("has a template for conversations where the published vocabulary has one", async () => {
    const { printed } = await ran(
      `
import json
from huggingface_hub import hf_hub_download
for name in ("openai/gpt-oss-20b", "HuggingFaceTB/SmolLM3-3B", "HuggingFaceTB/SmolLM3-3B-Base", "Qwen/Qwen3-8B-Base", "gpt2"):
    print(name, "chat_template" in json.load(open(hf_hub_download(name, "tokenizer_config.json"))))
`,
      { "site/transformers/__init__.py": "" },
    );
    // what their model cards say
    expect(printed).toEqual([
      "openai/gpt-oss-20b True",
      "HuggingFaceTB/SmolLM3-3B True",
      "HuggingFaceTB/SmolLM3-3B-Base False",
      "Qwen/Qwen3-8B-Base True",
      "gpt2 False",
    ]);
  });

  it("has a vocabulary of the model's size, with placeholders and the special tokens where they are", async () => {
    const { printed, report } = await ran(
      `
from tokenizers import Tokenizer
from huggingface_hub import hf_hub_download
gpt2 = Tokenizer.from_file(hf_hub_download("gpt2", "tokenizer.json"))
print(gpt2.get_vocab_size(), gpt2.token_to_id("<|endoftext|>"), len(gpt2.encode("x" * 400).ids), gpt2.encode("one").ids == gpt2.encode("one").ids)
import transformers
bert = Tokenizer.from_file(hf_hub_download("bert-base-uncased", "tokenizer.json"))
ids = bert.encode("some words").ids
print(bert.get_vocab_size(), ids[0], ids[-1], max(ids) < 30522)
`,
      {
        "site/transformers/__init__.py":
          "class GPT2LMHeadModel:\n    class config_class: model_type = 'gpt2'\nclass BertForPreTraining:\n    class config_class: model_type = 'bert'\nBertModel = BertForMaskedLM = BertForPreTraining\n",
      },
    );
    // published: GPT-2's end of text, BERT's [CLS] and [SEP]
    expect(printed).toEqual(["50257 50256 100 True", "30522 101 102 True"]);
    expect(report).toContain("gpt2: its vocabulary is not here; 50257 tokens were taken");
  });

  it("that has no such file says that, as the hub would", async () => {
    const { printed } = await ran(`
from huggingface_hub import hf_hub_download
try:
    hf_hub_download("gpt2", "adapter_config.json")
except Exception as error:
    print(type(error).__name__)
`);
    expect(printed).toEqual(["EntryNotFoundError"]);
  });

  it("says which files it has, and of an id that nobody knows that there is no connection", async () => {
    const { printed } = await ran(
      `
from huggingface_hub.hf_api import HfApi, file_exists, model_info
info = model_info("gpt2", revision="main")
names = [one.rfilename for one in info.siblings]
print(info.id, len(info.sha), "config.json" in names, "model.safetensors" in names, names == HfApi().list_repo_files("gpt2"))
print(file_exists("gpt2", "config.json"), file_exists("gpt2", "adapter_config.json"), HfApi().repo_exists("gpt2"))
try:
    model_info("nobody/nothing-at-all", revision="main")
except ConnectionError as error:
    print(error)
`,
      {
        "site/huggingface_hub/hf_api.py": `
class Sibling:
    def __init__(self, rfilename): self.rfilename = rfilename
class ModelInfo:
    def __init__(self, **facts):
        self.id, self.sha = facts["id"], facts["sha"]
        self.siblings = [Sibling(**one) for one in facts["siblings"]]
class HfApi:
    def model_info(self, repo_id, *, revision=None): raise ConnectionError(f"{repo_id} {revision}")
    def list_repo_files(self, repo_id): raise ConnectionError
    def file_exists(self, repo_id, filename): raise ConnectionError
    def repo_exists(self, repo_id): raise ConnectionError
api = HfApi()
model_info, file_exists = api.model_info, api.file_exists
`,
      },
    );
    expect(printed).toEqual(["gpt2 40 True True True", "True False True", "nobody/nothing-at-all main"]);
  });

  it("that nobody knows stays the library's own error, with what to do", async () => {
    const { status, errorText } = await ran(`
from huggingface_hub import hf_hub_download
hf_hub_download("nobody/nothing-at-all", "config.json")
`);
    expect(status).toBe("python_error");
    expect(errorText).toContain("LocalEntryNotFoundError");
    expect(errorText).toContain("vramscope models add nobody/nothing-at-all");
  });

  it("finds the person's own cache first, read-only", async () => {
    const { printed, errorText } = await ran(
      `
from huggingface_hub import hf_hub_download, snapshot_download
print(open(hf_hub_download("gpt2", "config.json")).read())
print(snapshot_download("me/own"))
`,
      {
        "cache/models--gpt2/refs/main": "abc",
        "cache/models--gpt2/snapshots/abc/config.json": '{"mine": 1}',
        "cache/models--me--own/refs/main": "def",
        "cache/models--me--own/snapshots/def/README.md": "",
      },
      "cache",
    );
    expect(errorText).toBeNull();
    expect(printed).toEqual(['{"mine": 1}', "/hub-cache/models--me--own/snapshots/def"]);
  });

  it("needs no connection, and whoever asks for one is told", async () => {
    const { printed } = await ran(`
from huggingface_hub.utils import get_session
try:
    get_session()
except Exception as error:
    print(type(error).__name__)
`);
    expect(printed).toEqual(["OfflineModeIsEnabled"]);
  });
});

describe("tensors of the CPU", () => {
  it("have addresses by which those that share memory are told apart", async () => {
    const { stdout } = await run({
      script: "p.py",
      source: `
import torch
a, b = torch.zeros(10), torch.zeros(10)
print(a.data_ptr() != b.data_ptr(), a[2:].data_ptr() - a.data_ptr(), a.view(5, 2).data_ptr() == a.data_ptr())
print(torch.empty(0).data_ptr(), torch.zeros(3, device="meta").data_ptr())
from safetensors.torch import save_file
save_file({"a": a[:5], "b": a[5:], "c": b}, "x.safetensors")
try:
    save_file({"a": a, "b": a[5:]}, "x.safetensors")
except RuntimeError as error:
    print("share memory" in str(error))
`,
    });
    expect(stdout.trim().split("\n")).toEqual(["True 8 True", "0 0", "True"]);
  });
});

describe("a parameter", () => {
  it("can be made anew with the attributes of an old one, as quantizers do", async () => {
    const { stdout } = await run({
      script: "p.py",
      source: `
import torch
old = torch.nn.Parameter(torch.zeros(4, 4))
old.shape
class Kind(torch.nn.Parameter):
    def __new__(cls, data, requires_grad=True, extra=None):
        made = torch.Tensor._make_subclass(cls, data, requires_grad)
        made.extra = extra
        return made
old.extra = 5
new = Kind(torch.ones(2), **old.__dict__)
print(new.extra, tuple(new.shape), tuple(old.shape))
`,
    });
    expect(stdout.trim()).toBe("5 (2,) (4, 4)");
  });
});

it("has a model's files where the hub's client is installed and transformers is not", async () => {
  const client = Object.fromEntries(Object.entries(HUB).filter(([name]) => !name.includes("transformers")));
  const result = await run({
    script: "p.py",
    source: `
import os
from huggingface_hub import snapshot_download
from safetensors import safe_open
folder = snapshot_download("EleutherAI/pythia-160m")
with safe_open(os.path.join(folder, "model.safetensors"), framework="pt") as file:
    print("config.json" in os.listdir(folder), file.get_tensor("gpt_neox.embed_in.weight").shape)
`,
    sitePackages: [`${folderWith(client)}/site`],
  });
  expect([result.errorText, result.stdout.trim()]).toEqual([null, "True torch.Size([50304, 768])"]);
});

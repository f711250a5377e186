/** Files that the real torch.save and pickles of NumPy wrote (test/python/saved): what they hold is what the real ones print. */

import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith, ROOT } from "../helpers.ts";

const SAVED = join(ROOT, "test", "python", "saved");
const APART = `import io, pickle, torch
from torch.storage import TypedStorage, UntypedStorage
class Apart(pickle.Pickler):
    def persistent_id(self, one):
        if isinstance(one, TypedStorage):
            whole = one._untyped_storage
            return "storage", getattr(torch, one._pickle_storage_type()), "0", torch.serialization.location_tag(whole), one._size()
t = torch.zeros(100, 100, dtype=torch.bfloat16)
Apart(data := io.BytesIO(), 2).dump({"t": t[2:5].t()})
writer = torch._C.PyTorchFileWriter("x.pth")
writer.write_record("data.pkl", data.getvalue(), len(data.getvalue()))
writer.write_record("data/0", t.untyped_storage(), 20000)
writer.write_end_of_file()
got = torch.load("x.pth")["t"]
print(got.dtype, got.shape, got.stride(), got.storage_offset(), got.untyped_storage().nbytes())
reader = torch.PyTorchFileReader("x.pth")
held = reader.get_storage_from_record("data/0", 20000, UntypedStorage)._typed_storage()._untyped_storage
wrapped = TypedStorage(wrap_storage=held, dtype=torch.bfloat16, _internal=True)
print(reader.has_record("data/0"), reader.get_record("data.pkl") == data.getvalue(), wrapped._size(), torch.FloatStorage().dtype)
print(torch._utils._rebuild_tensor_v2(wrapped, 200, (100, 3), (1, 100), False, {}).stride())
`;
const TO_GPU = `import torch
saved = torch.load("archive.pt", map_location="cuda", weights_only=False)
print(torch.cuda.memory_allocated(), saved["window"].device, saved["optimizer"]["state"][0]["step"].device)
del saved
mapped = torch.load("legacy.pt", map_location={"cpu": "cuda:0"})
print(torch.cuda.memory_allocated())
try: torch.load("archive.pt", map_location="cuda:3")
except RuntimeError as error: print(error)
try: torch.load("text.pt")
except Exception as error: print(type(error).__name__)
`;
/** A folder with a model whose configuration says no dtype, and one tensor of its weights. */
const CONFIG = {
  model_type: "gpt2",
  architectures: ["GPT2LMHeadModel"],
  vocab_size: 100,
  n_embd: 8,
  n_layer: 1,
  n_head: 1,
};
const HEADER = JSON.stringify({ "wte.weight": { dtype: "BF16", shape: [2, 2], data_offsets: [0, 8] } });
const LENGTH = Buffer.alloc(8);
LENGTH.writeUInt32LE(HEADER.length);
const OF_FOLDER = `import torch
from transformers import AutoModelForCausalLM
print(AutoModelForCausalLM.from_pretrained(".").dtype)
print(AutoModelForCausalLM.from_pretrained(".", dtype=torch.float16).dtype)
`;
const folder = folderWith({
  "config.json": JSON.stringify(CONFIG),
  "folder.py": OF_FOLDER,
  "apart.py": APART,
  "gpu.py": TO_GPU,
  "text.pt": "<html>",
});
const NAMES = ["archive.pt", "legacy.pt", "read.py", "arrays-2.pkl", "arrays-4.pkl", "arrays-5.pkl", "read_arrays.py"];
writeFileSync(join(folder, "model.safetensors"), Buffer.concat([LENGTH, Buffer.from(HEADER), Buffer.alloc(8)]));
for (const name of NAMES) copyFileSync(join(SAVED, name), join(folder, name));

function printed(script: string): string {
  const main = join(ROOT, "dist", "cli", "main.js");
  const run = spawnSync(process.execPath, [main, "run", "--report", "none", script], { encoding: "utf8", cwd: folder });
  return run.stdout + run.stderr;
}

it("reads archives and the format before 1.6", () => {
  expect(printed("read.py")).toBe(readFileSync(join(SAVED, "expected.txt"), "utf8"));
}, 30_000);

it("reads pickles of arrays as the real NumPy does", () => {
  expect(printed("read_arrays.py")).toBe(readFileSync(join(SAVED, "arrays-expected.txt"), "utf8"));
}, 30_000);

it("gives each storage its own block on the GPU, once for all tensors that share it", () => {
  // 27 storages of up to 512 bytes, and one of 8,000
  const bytes = 27 * 512 + 8192;
  expect(printed("gpu.py").trim().split("\n")).toEqual([
    `${bytes} cuda:0 cuda:0`,
    String(bytes),
    "Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 1. Please use torch.load with " +
      "map_location to map your storages to an existing device.",
    "UnpicklingError",
  ]);
}, 30_000);

it("gives a model the dtype of its folder's weights where its configuration says none, as transformers 5 does", () => {
  expect(printed("folder.py")).toBe("torch.bfloat16\ntorch.float16\n");
}, 30_000);

it("lets a program take such files apart and write them record by record, as PyTorch 2.14 does", () => {
  expect(printed("apart.py").split("\n")).toEqual([
    "torch.bfloat16 torch.Size([100, 3]) (1, 100) 200 20000",
    "True True 10000 torch.float32",
    "(1, 100)",
    "",
  ]);
}, 30_000);

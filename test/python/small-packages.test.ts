/** Small packages that programs lean on and that are not installed: numbers as words, options in files, tables of texts. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

describe("a package that is not here", () => {
  it("is stood in for where memory or the way of a program hangs on it", async () => {
    // what inflect 7.5, ConfigArgParse 1.7, munch 4.0, NumPy and PyTorch 2.14 print
    const source = `
import configargparse, inflect, munch
import numpy as np
import scipy.sparse as sp
import torch
words = inflect.engine().number_to_words
print(words(1_234_567, andword=""), "|", words(1001), "|", words("21st"), "|", words(1905, andword="", zero="oh", group=2), "|", words("-3.14"))
with open("a.txt", "w") as file:
    file.write("name = paper # no\\nsize: 7\\nfast = True\\nslow=False\\nxs = [1, 2]\\n")
parser = configargparse.ArgumentParser()
parser.add_argument("--config", is_config_file=True)
for name, options in {"name": {}, "size": {"type": int}, "xs": {"nargs": "+"}}.items():
    parser.add_argument(f"--{name}", **options)
for name in ("fast", "slow"):
    parser.add_argument(f"--{name}", action="store_true")
print(parser.parse_args(["--config", "a.txt", "--size", "8"]))
print(munch.munchify({"a": [{"b": 1}]}).a[0].b)
with open("cora.content", "w") as file:
    file.writelines(f"{i}\\t" + "\\t".join("01"[(i + j) % 3 == 0] for j in range(40)) + "\\tTheory\\n" for i in range(2000))
table = np.genfromtxt("cora.content", dtype=np.dtype(str))
names = np.array(table[:3, 0], dtype=np.int32)
print(table.shape, names, set(map(str, table[:, -1])), sp.csr_matrix(table[:2, 1:6], dtype=np.float32).toarray().tolist())
entries = torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0])
print(torch.sparse.FloatTensor(*entries, torch.Size([2, 2])).to_dense().shape, torch.sparse.FloatTensor(2, 3).shape)
print(np.unique(np.array([[1, 0], [0, 1], [1, 0]]), axis=0).tolist(), np.unique(np.zeros((400, 300, 3)), axis=0).shape)
ids = torch.LongTensor(100_000)
for i in range(5000):
    ids[i] = i
print(ids.shape)
`;
    const { stdout, errorText } = await vramscope.run({ script: "p.py", source });
    expect(errorText).toBeNull();
    expect(stdout.trimEnd().split("\n")).toEqual([
      "one million, two hundred thirty-four thousand, five hundred sixty-seven | one thousand and one | twenty-first | nineteen, oh five | minus three point one four",
      "Namespace(config='a.txt', name='paper', size=8, xs=['1', '2'], fast=True, slow=False)",
      "1",
      "(2000, 42) [0 1 2] {'Theory'} [[1.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]]",
      "torch.Size([2, 2]) torch.Size([2, 3])",
      "[[0, 1], [1, 0]] (1, 300, 3)",
      "torch.Size([100000])",
    ]);
  });
});
